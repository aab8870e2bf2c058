//! The name of this machine, for others on the same file system.

#![allow(unsafe_code, reason = "asks the C library")]

use std::sync::LazyLock;

/// The name of this machine; letters, digits, points and hyphens only.
pub fn host() -> &'static str {
    static HOST: LazyLock<String> = LazyLock::new(|| {
        let name = name().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        let name: String = name.trim().chars().filter(|&c| plain(c)).collect();
        if name.is_empty() {
            "unnamed".to_owned()
        } else {
            name
        }
    });
    &HOST
}

#[cfg(unix)]
fn name() -> Option<String> {
    let mut name = [0_u8; 256];
    // SAFETY: the length is that of the buffer less one byte, which stays the final zero.
    let failed = unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let name = std::ffi::CStr::from_bytes_until_nul(&name).ok()?;
    (failed == 0).then(|| name.to_string_lossy().into_owned())
}

#[cfg(not(unix))]
fn name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
