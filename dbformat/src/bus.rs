//! Lets a program outlive a mapped file that is cut short.
//!
//! Reading a mapped page that its file no longer has, or that the disk cannot read, raises SIGBUS,
//! which ends the process. A program that calls [`survive_cut_files`] gets an error instead: the
//! handler replaces the lost page by zeros and marks the source, the interrupted read continues
//! with zeros, and every decoder checks the source before it trusts its result
//! ([`Source::check`](crate::Source::check)). So no value rests on a checksum that zeros might
//! happen to satisfy, nor on bytes that were lost after their checksum was compared.
//!
//! Why this is sound:
//! - Only pages of registered ranges are replaced. A range is registered after it is mapped and
//!   until it is unmapped, and the thread that faults borrows its source, so its range stays
//!   registered as long as the handler runs. Unmapping a range takes the replaced pages with it.
//! - The handler reads and writes atomics and calls `mmap`, `sigaction` and `raise`: no lock, no
//!   allocation, no `errno` that is changed and not restored (a call that succeeds leaves it alone;
//!   after one that fails the process ends).
//! - Two threads that fault on one page both replace it by zeros. The mark is set before the page
//!   is replaced: who sees zeros sees the mark.
//! - A range is believed only if its start is the same before and after its end is read. It is
//!   written last and cleared first, so such a range was registered at that moment, and no other
//!   mapping can have been there.
//! - Any other bus error is given back to the handler before (that of Rust's runtime, which ends
//!   the process).
//!
//! On Windows a mapped file cannot be cut short, and nothing is done.

#![allow(unsafe_code, reason = "handles a signal")]

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// Ranges that can be registered at one time: more than any database keeps open by default.
const SLOTS: usize = 4096;

static REGISTRY: [Slot; SLOTS] = [const { Slot::new() }; SLOTS];

/// Whether ranges are to be registered.
static INSTALLED: AtomicBool = AtomicBool::new(false);

/// A range of addresses.
struct Slot {
    taken: AtomicBool,
    /// 0 as long as the range is not registered.
    start: AtomicUsize,
    end: AtomicUsize,
    /// A page was lost.
    cut: AtomicBool,
}

impl Slot {
    const fn new() -> Slot {
        Slot {
            taken: AtomicBool::new(false),
            start: AtomicUsize::new(0),
            end: AtomicUsize::new(0),
            cut: AtomicBool::new(false),
        }
    }

    #[cfg_attr(not(unix), allow(dead_code, reason = "no handler asks"))]
    fn contains(&self, address: usize) -> bool {
        let start = self.start.load(SeqCst);
        let end = self.end.load(SeqCst);
        start != 0 && (start..end).contains(&address) && self.start.load(SeqCst) == start
    }
}

/// Makes lost pages of mapped table files errors instead of the end of the process. For programs:
/// it sets the process's handler of SIGBUS, and holds for files that are mapped afterwards.
pub fn survive_cut_files() -> io::Result<()> {
    #[cfg(unix)]
    if !INSTALLED.load(SeqCst) {
        handler::install()?;
        INSTALLED.store(true, SeqCst);
    }
    Ok(())
}

/// A range whose lost pages are replaced by zeros, as long as this lives. To be dropped before the
/// range is unmapped.
pub(crate) struct Guard(&'static Slot);

/// No more ranges can be registered.
pub(crate) struct Full;

impl Guard {
    /// Registers mapped bytes; `None` if the program did not ask for that.
    pub(crate) fn new(mapped: &[u8]) -> Result<Option<Guard>, Full> {
        if !INSTALLED.load(SeqCst) {
            return Ok(None);
        }
        let take = |slot: &&Slot| !slot.taken.swap(true, SeqCst);
        let slot = REGISTRY.iter().find(take).ok_or(Full)?;
        let range = mapped.as_ptr_range();
        slot.cut.store(false, SeqCst);
        slot.end.store(range.end as usize, SeqCst);
        slot.start.store(range.start as usize, SeqCst);
        Ok(Some(Guard(slot)))
    }

    /// Whether a page was lost since.
    pub(crate) fn is_cut(&self) -> bool {
        self.0.cut.load(SeqCst)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.start.store(0, SeqCst);
        self.0.taken.store(false, SeqCst);
    }
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard")
            .field("cut", &self.is_cut())
            .finish()
    }
}

#[cfg(unix)]
mod handler {
    use std::ffi::{c_int, c_void};
    use std::io;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::OnceLock;
    use std::sync::atomic::Ordering::SeqCst;

    use libc::{SIGBUS, sigaction, siginfo_t};

    use super::REGISTRY;

    /// What the handler needs, known before it can be called.
    static BEFORE: OnceLock<Before> = OnceLock::new();

    struct Before {
        action: sigaction,
        page: usize,
    }

    pub(super) fn install() -> io::Result<()> {
        let mut action = MaybeUninit::zeroed();
        // SAFETY: asks only; an action of zeros is valid, and is filled in.
        let action = unsafe {
            check(sigaction(SIGBUS, ptr::null(), action.as_mut_ptr()))?;
            action.assume_init()
        };
        // SAFETY: a question without arguments.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = usize::try_from(page).map_err(|_| io::Error::last_os_error())?;
        BEFORE.get_or_init(|| Before { action, page });
        // SAFETY: as above for zeros; the handler has the signature that SA_SIGINFO asks for, and
        // does only what a handler may (see above). It runs on the thread's stack for signals if
        // there is one, like that of the runtime.
        unsafe {
            let mut ours: sigaction = MaybeUninit::zeroed().assume_init();
            ours.sa_sigaction = on_bus_error as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            check(libc::sigemptyset(&raw mut ours.sa_mask))?;
            check(sigaction(SIGBUS, &raw const ours, ptr::null_mut()))
        }
    }

    fn check(result: c_int) -> io::Result<()> {
        match result {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    extern "C" fn on_bus_error(_: c_int, info: *mut siginfo_t, _: *mut c_void) {
        // SAFETY: the system passes what it knows about the signal.
        let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
        // Others are sent by processes, and have no address.
        let is_fault = code > 0;
        if is_fault && replace(address) {
            return;
        }
        // SAFETY: both actions are valid. The fault happens again, or the signal is sent again and
        // arrives when this handler is done; neither comes here any more.
        unsafe {
            match BEFORE.get() {
                Some(before) if is_fault => {
                    sigaction(SIGBUS, &raw const before.action, ptr::null_mut());
                }
                _ => {
                    libc::signal(SIGBUS, libc::SIG_DFL);
                    libc::raise(SIGBUS);
                }
            }
        }
    }

    /// Puts zeros in the place of the page of an address, if that is in a registered range.
    fn replace(address: usize) -> bool {
        let slot = REGISTRY.iter().find(|slot| slot.contains(address));
        let (Some(slot), Some(before)) = (slot, BEFORE.get()) else {
            return false;
        };
        slot.cut.store(true, SeqCst);
        let page = (address & !(before.page - 1)) as *mut c_void;
        // SAFETY: the page is one of a mapping that is only read, and that the reader who was
        // interrupted keeps alive.
        let mapped = unsafe {
            libc::mmap(
                page,
                before.page,
                libc::PROT_READ,
                libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        mapped == page
    }
}
