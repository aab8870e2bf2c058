//! Memory sizes such as `512M` and `4G`.

use std::str::FromStr;

use parse_size::{Config, Error};

/// A number of bytes. `K`, `M`, `G` and `T` are powers of 1024, as usual in options about memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u64);

impl Size {
    /// The number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

/// Parses `--memory`, with a minimum that catches mistakes.
pub fn memory(text: &str) -> Result<Size, String> {
    const LEAST: u64 = 1 << 20;
    let little = || Err("expected a size such as 4G or 512M, at least 1M".to_owned());
    if text.trim().bytes().all(|byte| byte == b'0') {
        return little();
    }
    match text.parse()? {
        Size(..LEAST) => little(),
        enough => Ok(enough),
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let text = text.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            // A number of bytes is probably a mistake.
            return Err(format!("{text} has no unit: write {text}G or {text}M"));
        }
        let read = Config::new().with_binary().parse_size(text);
        read.map(Size).map_err(|error| match error {
            Error::PosOverflow => format!("{text} is too large"),
            _ => format!("{text:?} is not a size such as 4G or 512M"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed() {
        for (text, bytes) in [
            ("4G", 4 << 30),
            ("512 MiB", 512 << 20),
            ("1.5g", 3 << 29),
            ("1kb", 1024),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "G", "4X", "-1", "100", "99999999T"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        for text in ["", "0", "000", "0G", "0K", "1K", "0.5M", "1023k"] {
            let little = memory(text).unwrap_err();
            assert!(little.ends_with("at least 1M"), "{text}: {little}");
        }
        assert_eq!(memory("1M"), Ok(Size(1 << 20)));
        assert!(memory("5").is_err_and(|unit| unit.contains("5G or 5M")));
        let error = "99999999T".parse::<Size>().unwrap_err();
        assert_eq!(error, "99999999T is too large");
    }
}
