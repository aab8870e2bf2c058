//! Claims on the groups of a ruleset: which process builds what.
//!
//! Several processes, on several machines with a common file system, may build one database. Each
//! claims a group before it solves it, so that no work is done twice. Correctness does not depend on
//! it: files appear whole, and their bytes are determined, so two builders of one group do no harm.
//!
//! A claim is a file in `.claims` that its holder has locked. The operating system releases the
//! lock however the process ends, so a dead process claims nothing. Where the file system has no
//! working locks a claim is a *lease*: a file that its holder rewrites every few seconds, and that
//! expires if it has not been written for a minute.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use crate::error::{Error, Result};
use crate::regular;

/// How often a lease is renewed.
const RENEWAL: Duration = Duration::from_secs(10);
/// A lease expires if it is not renewed for this long.
pub const LEASE_EXPIRY: Duration = Duration::from_secs(60);
/// The extension of a lease.
const LEASE: &str = ".lease";

/// How claims are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimWay {
    /// By locks of the operating system.
    Locks,
    /// By files that are renewed.
    Leases,
}

/// The claims of a ruleset's directory.
#[derive(Clone, Debug)]
pub struct Claims {
    directory: PathBuf,
    way: ClaimWay,
}

/// A claim that a process holds now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldClaim {
    /// The group, or [`Claims::WHOLE`].
    pub group: String,
    /// Who holds it.
    pub holder: String,
    /// How long it has been held, if the holder has recorded that.
    pub held_for: Option<Duration>,
    /// When it expires unless it is renewed; `None` if it ends with its process.
    pub expires_in: Option<Duration>,
}

impl std::fmt::Display for HeldClaim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} holds {}", self.holder, self.group)?;
        if let Some(time) = self.held_for {
            write!(f, ", for {} s", time.as_secs())?;
        }
        match self.expires_in {
            Some(time) => write!(f, "; its lease expires in {} s", time.as_secs()),
            None => Ok(()),
        }
    }
}

/// The right to build a group, for as long as it lives.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    way: ClaimWay,
    /// Locked, or the lease.
    file: Option<File>,
    renewal: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Claims {
    /// The name that claims all groups together.
    pub const WHOLE: &str = "the whole database";

    /// The claims in the directory of a ruleset, in the way that works there: a file is locked twice
    /// to see whether the second attempt is refused.
    pub fn new(ruleset: &Path) -> Result<Claims> {
        let mut claims = Claims::made_by(ruleset, ClaimWay::Locks);
        claims.make_directory()?;
        let probe = tempfile_in(&claims.directory)?;
        let works = locks_work(&probe);
        let _ = fs::remove_file(&probe);
        if !works {
            claims.way = ClaimWay::Leases;
        }
        Ok(claims)
    }

    /// The claims in the directory of a ruleset, in the given way.
    pub fn made_by(ruleset: &Path, way: ClaimWay) -> Claims {
        Claims {
            directory: ruleset.join(".claims"),
            way,
        }
    }

    /// How claims are made here.
    pub fn way(&self) -> ClaimWay {
        self.way
    }

    /// Claims a group; returns `None` if another process holds it. `holder` names this one to people.
    pub fn take(&self, group: &str, holder: &str) -> Result<Option<Claim>> {
        self.make_directory()?;
        match self.way {
            ClaimWay::Locks => lock(self.directory.join(group), holder),
            ClaimWay::Leases => lease(self.directory.join(format!("{group}{LEASE}")), holder),
        }
    }

    /// The claims that are held now, by group.
    pub fn held(&self) -> Result<Vec<HeldClaim>> {
        let mut held = Vec::new();
        for path in self.files()? {
            let expires_in = match self.way {
                ClaimWay::Locks => None,
                ClaimWay::Leases => time_left(&path),
            };
            if expires_in.is_none() && !(self.way == ClaimWay::Locks && is_locked(&path)) {
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else {
                continue;
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let mut lines = text.lines();
            held.push(HeldClaim {
                group: name.strip_suffix(LEASE).unwrap_or(&name).to_owned(),
                holder: lines.next().unwrap_or_default().trim().to_owned(),
                held_for: lines.next().and_then(time_since),
                expires_in,
            });
        }
        held.sort_by(|one, other| one.group.cmp(&other.group));
        Ok(held)
    }

    /// The claims on the groups of a ruleset's directory that are held now, made in either way.
    pub fn held_in(ruleset: &Path) -> Result<Vec<HeldClaim>> {
        let mut held = Vec::new();
        for way in [ClaimWay::Locks, ClaimWay::Leases] {
            held.extend(Claims::made_by(ruleset, way).held()?);
        }
        held.sort_by(|one, other| one.group.cmp(&other.group));
        Ok(held)
    }

    /// Claims the whole directory, which must be free: this fails while a builder has claimed a
    /// group, and builders that come later find this claim and wait.
    pub fn take_whole(&self, holder: &str) -> Result<Claim> {
        let ruleset = self.directory.parent().unwrap_or(&self.directory);
        let locked = |claims: &[HeldClaim]| Error::Locked {
            directory: ruleset.into(),
            holders: claims.iter().map(ToString::to_string).collect(),
        };
        let Some(own) = self.take(Claims::WHOLE, holder)? else {
            return Err(locked(&Claims::held_in(ruleset)?));
        };
        let mut held = Claims::held_in(ruleset)?;
        held.retain(|claim| claim.group != Claims::WHOLE || claim.holder != holder);
        match held.as_slice() {
            [] => Ok(own),
            others => Err(locked(others)),
        }
    }

    /// Removes what dead processes left, but not the directory: another process may be about to
    /// claim something in it.
    pub fn clean(&self) -> Result<()> {
        for path in self.entries()? {
            let is_claim = self.is_claim(&path);
            if is_claim && self.way == ClaimWay::Locks {
                drop(lock(path, "")?);
            } else if (is_claim || is_hidden(&path)) && path.exists() && time_left(&path).is_none()
            {
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }

    /// Creates the last directory only: a database that disappeared is not started again.
    fn make_directory(&self) -> Result<()> {
        match fs::create_dir(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made.map_err(Error::io(&self.directory)),
        }
    }

    fn files(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.entries()?;
        paths.retain(|path| self.is_claim(path));
        Ok(paths)
    }

    fn entries(&self) -> Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.directory).map_err(Error::io(&self.directory)) {
            Err(Error::Missing { .. }) => return Ok(Vec::new()),
            entries => entries?,
        };
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        let paths: io::Result<Vec<PathBuf>> = paths.collect();
        paths.map_err(Error::io(&self.directory))
    }

    /// Whether a file is a claim made in this way, and not one that tests locks or shows the time.
    fn is_claim(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        !is_hidden(path) && name.ends_with(LEASE) == (self.way == ClaimWay::Leases)
    }
}

/// Whether a file is none of the claims but one of [`tempfile_in`].
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

impl Drop for Claim {
    /// Removes the file before it is unlocked: the next process to lock it sees that it has lost
    /// its name and is not a claim.
    fn drop(&mut self) {
        if let Some((stop, renewing)) = self.renewal.take() {
            drop(stop);
            let _ = renewing.join();
        }
        if self.way == ClaimWay::Locks || self.file.is_some() {
            let _ = fs::remove_file(&self.path);
        }
        drop(self.file.take());
    }
}

fn lock(path: PathBuf, holder: &str) -> Result<Option<Claim>> {
    loop {
        let mut options = File::options();
        options.create(true).truncate(false).write(true);
        let (mut file, _) = regular::open_with(&path, &mut options)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(source)) => return Err(Error::io(&path)(source)),
        }
        // Its holder may have removed it between opening and locking: then it is not a claim.
        if !is_at(&file, &path) {
            continue;
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.write_all(text_of(holder).as_bytes()));
        written.map_err(Error::io(&path))?;
        return Ok(Some(Claim {
            path,
            way: ClaimWay::Locks,
            file: Some(file),
            renewal: None,
        }));
    }
}

/// Whether an open file is the one of this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let [Ok(open), Ok(named)] = [file.metadata(), fs::metadata(path)] else {
        return false;
    };
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// Elsewhere an open file keeps its name.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn lease(path: PathBuf, holder: &str) -> Result<Option<Claim>> {
    if time_left(&path).is_some() {
        return Ok(None);
    }
    // Two processes that find it expired at the same time may both take it: they do the same work.
    let _ = fs::remove_file(&path);
    let text = text_of(holder);
    let created = File::create_new(&path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        Ok(file)
    });
    let file = match created {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        created => created.map_err(Error::io(&path))?,
    };
    let renewed = file.try_clone().map_err(Error::io(&path))?;
    let (stop, stopped) = channel::<()>();
    let renewing = thread::Builder::new().spawn(move || {
        while stopped.recv_timeout(RENEWAL) == Err(RecvTimeoutError::Timeout) {
            // The clock of the file system counts, so it is written, not dated. One renewal that
            // fails is made up for by the next.
            let _ = rewrite(&renewed, text.as_bytes());
        }
    });
    let renewing = renewing.map_err(|error| {
        // Without renewal the lease would block the group until it expires.
        let _ = fs::remove_file(&path);
        let why = format!("cannot start the thread that renews this lease: {error}");
        Error::io(&path)(io::Error::new(error.kind(), why))
    })?;
    Ok(Some(Claim {
        path,
        way: ClaimWay::Leases,
        file: Some(file),
        renewal: Some((stop, renewing)),
    }))
}

fn rewrite(mut file: &File, text: &[u8]) -> io::Result<()> {
    io::Seek::rewind(&mut file)?;
    file.write_all(text)?;
    file.sync_all()
}

/// The contents of a claim: its holder, and since when, in seconds of the holder's clock.
fn text_of(holder: &str) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    format!("{holder}\n{}\n", now.unwrap_or_default().as_secs())
}

/// How long ago that was.
fn time_since(seconds: &str) -> Option<Duration> {
    let since = Duration::from_secs(seconds.trim().parse().ok()?);
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    now.checked_sub(since)
}

fn is_locked(path: &Path) -> bool {
    File::open(path)
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The time after which a lease expires, by the clock of its file system, or where nothing can be
/// written by that of this machine; `None` if it has expired or is not there. One that is dated
/// further ahead than a lease lasts was not written by a holder that renews it.
fn time_left(path: &Path) -> Option<Duration> {
    let written = fs::metadata(path).ok()?.modified().ok()?;
    let now = file_time(path.parent()?).unwrap_or_else(|_| SystemTime::now());
    match now.duration_since(written) {
        Ok(age) => LEASE_EXPIRY.checked_sub(age),
        Err(ahead) => (ahead.duration() <= LEASE_EXPIRY).then_some(LEASE_EXPIRY),
    }
}

/// The time by the clock of a directory's file system.
fn file_time(directory: &Path) -> Result<SystemTime> {
    let clock = tempfile_in(directory)?;
    let now = fs::metadata(&clock).and_then(|metadata| metadata.modified());
    let _ = fs::remove_file(&clock);
    now.map_err(Error::io(&clock))
}

/// A new hidden file that only this process uses.
fn tempfile_in(directory: &Path) -> Result<PathBuf> {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let writer = format!(".{}-{}-{number}", crate::host(), std::process::id());
    let path = directory.join(writer);
    if let Err(error) = fs::write(&path, "?") {
        // On a full disk it may be there, and empty.
        let _ = fs::remove_file(&path);
        return Err(Error::io(&path)(error));
    }
    Ok(path)
}

fn locks_work(path: &Path) -> bool {
    // Over NFS only a file that is open for writing can be locked.
    let open = || File::options().read(true).write(true).open(path);
    let [Ok(first), Ok(second)] = [open(), open()] else {
        return false;
    };
    first.try_lock().is_ok() && matches!(second.try_lock(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: [ClaimWay; 2] = [ClaimWay::Locks, ClaimWay::Leases];

    #[test]
    fn a_group_is_claimed_once_and_again_when_it_is_given_back() {
        for way in WAYS {
            let directory = tempfile::tempdir().unwrap();
            let claims = Claims::made_by(directory.path(), way);
            let claim = claims.take("5v4", "here").unwrap();
            assert!(claim.is_some());
            assert!(claims.take("5v4", "there").unwrap().is_none());
            assert!(claims.take("4v4", "there").unwrap().is_some());
            let [held] = &claims.held().unwrap()[..] else {
                panic!("one claim is held");
            };
            assert_eq!((held.group.as_str(), held.holder.as_str()), ("5v4", "here"));
            assert!(held.held_for.is_some());
            assert_eq!(held.expires_in.is_some(), way == ClaimWay::Leases);
            drop(claim);
            assert_eq!(claims.held().unwrap(), []);
            assert!(claims.take("5v4", "there").unwrap().is_some());
            claims.clean().unwrap();
            assert!(claims.entries().unwrap().is_empty());
        }
    }

    #[test]
    fn a_claim_of_a_dead_process_counts_for_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let locks = Claims::made_by(directory.path(), ClaimWay::Locks);
        drop(locks.take("5v4", "gone").unwrap());
        let left = directory.path().join(".claims/4v4");
        fs::write(&left, "gone\n").unwrap();
        assert_eq!(locks.held().unwrap(), []);
        assert!(locks.take("4v4", "here").unwrap().is_some());

        let leases = Claims::made_by(directory.path(), ClaimWay::Leases);
        let left = directory.path().join(".claims/4v4.lease");
        fs::write(&left, "gone\n").unwrap();
        assert!(leases.take("4v4", "here").unwrap().is_none());
        let clock = directory.path().join(".claims/.gone-1-0");
        fs::write(&clock, "?").unwrap();
        for path in [&left, &clock] {
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(SystemTime::now() - 2 * LEASE_EXPIRY)
                .unwrap();
        }
        assert_eq!(leases.held().unwrap(), []);
        assert!(leases.take("4v4", "here").unwrap().is_some());
        // Dated by a clock that was wrong: no holder renews it.
        fs::write(&left, "gone\n").unwrap();
        let file = File::options().write(true).open(&left).unwrap();
        file.set_modified(SystemTime::now() + 2 * LEASE_EXPIRY)
            .unwrap();
        assert_eq!(leases.held().unwrap(), []);
        assert!(leases.take("4v4", "here").unwrap().is_some());
        leases.clean().unwrap();
        assert!(!clock.exists());
    }

    #[test]
    fn a_whole_database_is_claimed_only_while_no_group_is() {
        for way in WAYS {
            let directory = tempfile::tempdir().unwrap();
            let claims = Claims::made_by(directory.path(), way);
            let group = claims.take("5v4", "a builder").unwrap();
            let refused = claims.take_whole("me").unwrap_err().to_string();
            assert!(refused.contains("a builder holds 5v4"), "{refused}");
            assert_eq!(refused.contains("expires in"), way == ClaimWay::Leases);
            drop(group);
            let whole = claims.take_whole("me").unwrap();
            let held = Claims::held_in(directory.path()).unwrap();
            assert_eq!(held[0].group, Claims::WHOLE);
            assert!(claims.take_whole("another").is_err());
            drop(whole);
            assert!(claims.take_whole("another").is_ok());
        }
    }

    #[test]
    fn a_directory_that_has_vanished_is_not_made_anew() {
        for way in WAYS {
            let directory = tempfile::tempdir().unwrap();
            let ruleset = directory.path().join("nine");
            fs::create_dir(&ruleset).unwrap();
            let claims = Claims::made_by(&ruleset, way);
            assert!(claims.take("5v4", "here").unwrap().is_some());
            fs::remove_dir_all(&ruleset).unwrap();
            assert!(claims.take("5v4", "here").is_err());
            assert!(!ruleset.exists());
        }
    }

    #[test]
    fn many_threads_never_hold_one_claim_at_once() {
        use std::sync::atomic::{AtomicU32, Ordering};
        for way in WAYS {
            let directory = tempfile::tempdir().unwrap();
            let claims = Claims::made_by(directory.path(), way);
            let (holders, taken) = (AtomicU32::new(0), AtomicU32::new(0));
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        for _ in 0..200 {
                            let Some(claim) = claims.take("5v4", "me").unwrap() else {
                                continue;
                            };
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            taken.fetch_add(1, Ordering::SeqCst);
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(claim);
                        }
                    });
                }
            });
            assert!(taken.into_inner() > 0);
        }
    }

    #[test]
    fn locks_are_found_to_work_on_a_plain_disk() {
        let directory = tempfile::tempdir().unwrap();
        let claims = Claims::new(directory.path()).unwrap();
        assert_eq!(claims.way(), ClaimWay::Locks);
    }
}
