//! The tables of a database, a bounded number of them open.
//!
//! File names are listed once. A table is opened when it is first needed. When too many are open, the
//! *clock* algorithm closes one: a hand moves around the open tables, spares those that were used
//! since its last sweep, and closes the first that was not. A thread that is reading a closed table
//! holds it a moment longer.
//!
//! If the system lets the process open fewer files than the options allow, the limit is lowered.

#![allow(unsafe_code, reason = "maps files")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use endmill_dbformat::{Cut, Expected, Kind, PairId, Rules, Source, Store, Table};
use endmill_games::Features;
use rustc_hash::FxHashMap;

use crate::error::{ProbeError, Result};
use crate::options::{Access, Options};

/// The sizes of the two files of a table; `None` for a missing file.
type Files = BTreeMap<Kind, u64>;

pub(crate) struct TableSet<G: Features> {
    origin: Origin,
    /// The tables by name. Every look-up uses it; the hash is fast, since keys come from parsed file
    /// names and are not attacker-controlled.
    by_table: FxHashMap<G::Table, u32>,
    entries: Vec<Entry<G::Table>>,
    open: Mutex<Ring>,
    most_open: AtomicUsize,
}

/// The number of retries, and the delay between them, if the system refuses to open a file because
/// too many are open: other threads may finish reading meanwhile.
const ATTEMPTS: usize = 1000;
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(1);

enum Origin {
    Directory(Store, Access),
    /// All tables are always open, since their bytes are in memory.
    Memory,
}

/// A table of the database, open or not.
pub(crate) struct Entry<T> {
    /// Its index in the set.
    pub number: u32,
    pub table: T,
    /// Its name in files.
    pub name: String,
    /// The sizes of its files, always with outcomes.
    files: Files,
    /// Whether its plies are left out because they follow from other tables.
    leaves_plies_out: bool,
    opened: RwLock<Option<Arc<Table>>>,
    /// Used since the last sweep of the hand.
    used: AtomicBool,
    /// The identity of its files when they were first opened, on which cached units rely.
    identity: [OnceLock<FileIdentity>; Kind::ALL.len()],
}

/// The properties of a file that must not change while a database is open.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileIdentity {
    cut: Cut,
    pair: PairId,
}

/// The open tables by number, with the hand of the clock.
#[derive(Default)]
struct Ring {
    tables: Vec<u32>,
    hand: usize,
}

impl<T> Entry<T> {
    fn new(number: usize, table: T, name: String, files: Files) -> Entry<T> {
        Entry {
            number: u32::try_from(number).expect("no ruleset has that many tables"),
            table,
            name,
            files,
            leaves_plies_out: false,
            opened: RwLock::new(None),
            used: AtomicBool::new(false),
            identity: Default::default(),
        }
    }

    /// Returns whether its distances are known: stored, or derived.
    pub(crate) fn has_plies(&self) -> bool {
        self.stores_plies() || self.leaves_plies_out
    }

    /// Returns whether its distances are stored.
    pub(crate) fn stores_plies(&self) -> bool {
        self.files.contains_key(&Kind::Plies)
    }

    /// Returns whether the ranks of its draws are stored.
    pub(crate) fn stores_draws(&self) -> bool {
        self.files.contains_key(&Kind::Draws)
    }

    /// The size of one of its files.
    pub(crate) fn bytes(&self, kind: Kind) -> Option<u64> {
        self.files.get(&kind).copied()
    }

    /// The layout of the units of a file; `None` before it was first opened.
    #[inline]
    pub(crate) fn cut(&self, kind: Kind) -> Option<&Cut> {
        self.identity[kind as usize]
            .get()
            .map(|identity| &identity.cut)
    }

    fn here(&self) -> Option<Arc<Table>> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.clone()
    }

    fn put(&self, opened: Option<Arc<Table>>) {
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// Closes the table unless a thread is reading it. Returns whether it did.
    fn close_unless_read(&self) -> bool {
        let mut opened = self.opened.write().unwrap_or_else(PoisonError::into_inner);
        let idle = opened.take_if(|opened| Arc::strong_count(opened) == 1);
        idle.is_some()
    }

    /// Fails if a file was replaced since it was first opened.
    fn check_made(&self, opened: &Table) -> Result<()> {
        let pair = opened.pair();
        let outcomes = (Kind::Outcomes, Some(opened.outcome_cut()));
        let plies = (Kind::Plies, opened.ply_cut());
        for (kind, cut) in [outcomes, plies, (Kind::Draws, opened.draw_cut())] {
            let Some(identity) = cut.map(|cut| FileIdentity { cut, pair }) else {
                continue;
            };
            if *self.identity[kind as usize].get_or_init(|| identity) != identity {
                return Err(ProbeError::Replaced {
                    file: opened.outcome_file().source().file().into(),
                });
            }
        }
        Ok(())
    }

    fn error(&self, error: endmill_dbformat::Error) -> ProbeError {
        ProbeError::of_file(&self.name, error)
    }
}

impl<G: Features> TableSet<G> {
    /// Lists the tables of a directory by its file names; reads the headers only of tables that may
    /// leave out plies. A directory that does not exist has no tables.
    pub(crate) fn list(directory: &Path, game: &G, options: &Options) -> Result<TableSet<G>> {
        let store = Store::new(directory, Rules::of(game));
        let files = store.files();
        let files = files.map_err(|error| ProbeError::of_file(&store.rules().id, error))?;
        let mut tables: BTreeMap<G::Table, Files> = BTreeMap::new();
        for (name, kind, bytes) in files {
            if let Some(table) = named(game, &name) {
                tables.entry(table).or_default().insert(kind, bytes);
            }
        }
        let origin = Origin::Directory(store.clone(), options.access);
        let mut table_set = TableSet::new(origin, tables, options.open_files / 2);
        let entries = table_set.entries.iter_mut();
        // For the others, names suffice. Unreadable files are reported when they are used.
        for entry in entries.filter(|entry| !entry.stores_plies()) {
            entry.leaves_plies_out = game.leaves_plies_out(entry.table)
                && store.leaves_plies_out(&entry.name).unwrap_or(false);
        }
        Ok(table_set)
    }

    /// Opens tables in memory.
    pub(crate) fn in_memory<N, B>(
        game: &G,
        files: impl IntoIterator<Item = (N, B)>,
    ) -> Result<TableSet<G>>
    where
        N: AsRef<str>,
        B: Into<Cow<'static, [u8]>>,
    {
        let mut tables: BTreeMap<G::Table, Files> = BTreeMap::new();
        let mut sources = BTreeMap::new();
        for (name, bytes) in files {
            let source = Source::from_bytes(name.as_ref(), bytes);
            if let Some(key) = table_and_kind(game, name.as_ref()) {
                tables
                    .entry(key.0)
                    .or_default()
                    .insert(key.1, source.length());
                sources.insert(key, source);
            }
        }
        let mut table_set = TableSet::new(Origin::Memory, tables, 0);
        let rules = Rules::of(game);
        for entry in &mut table_set.entries {
            let mut source = |kind| sources.remove(&(entry.table, kind));
            let expected = Expected {
                rules: &rules,
                table: &entry.name,
                positions: game.size(entry.table),
            };
            let Some(outcomes) = source(Kind::Outcomes) else {
                continue;
            };
            let opened = Table::open(outcomes, &expected).map_err(|error| entry.error(error))?;
            if let Some(plies) = source(Kind::Plies) {
                let added = opened.add_plies(plies);
                added.map_err(|error| entry.error(error))?;
            }
            if let Some(draws) = source(Kind::Draws) {
                let added = opened.add_draws(draws);
                added.map_err(|error| entry.error(error))?;
            }
            entry.check_made(&opened)?;
            entry.leaves_plies_out = opened.leaves_plies_out();
            entry.put(Some(Arc::new(opened)));
        }
        Ok(table_set)
    }

    /// The set of these tables, except those without outcomes.
    fn new(origin: Origin, mut tables: BTreeMap<G::Table, Files>, most_open: usize) -> TableSet<G> {
        tables.retain(|_, files| files.contains_key(&Kind::Outcomes));
        let tables = tables.into_iter().enumerate();
        let entries: Vec<Entry<G::Table>> = tables
            .map(|(number, (table, files))| Entry::new(number, table, table.to_string(), files))
            .collect();
        TableSet {
            origin,
            by_table: entries
                .iter()
                .map(|entry| (entry.table, entry.number))
                .collect(),
            entries,
            open: Mutex::default(),
            most_open: AtomicUsize::new(most_open.max(1)),
        }
    }

    /// All tables.
    pub(crate) fn entries(&self) -> &[Entry<G::Table>] {
        &self.entries
    }

    /// A table, if the database has it.
    pub(crate) fn find(&self, table: G::Table) -> Option<&Entry<G::Table>> {
        let number = *self.by_table.get(&table)?;
        Some(&self.entries[number as usize])
    }

    /// The opened table.
    pub(crate) fn open(&self, game: &G, entry: &Entry<G::Table>) -> Result<Arc<Table>> {
        // Written only if it changes, so that reading threads can share the cache line.
        if !entry.used.load(Ordering::Relaxed) {
            entry.used.store(true, Ordering::Relaxed);
        }
        if let Some(opened) = entry.here() {
            return Ok(opened);
        }
        let mut place = entry.opened.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = &*place {
            return Ok(Arc::clone(opened));
        }
        let Origin::Directory(store, access) = &self.origin else {
            unreachable!("what is in memory is open");
        };
        let positions = game.size(entry.table);
        let opened = self.with_room(|| match access.is_mapped() {
            false => store.open(&entry.name, positions),
            // SAFETY: the contract of `Access::mapped`.
            true => unsafe { store.map(&entry.name, positions) },
        });
        let opened = Arc::new(opened.map_err(|error| entry.error(error))?);
        entry.check_made(&opened)?;
        *place = Some(Arc::clone(&opened));
        // Before the ring is locked: closing locks the ring first, then a table.
        drop(place);
        self.close_one_too_many(entry.number);
        Ok(opened)
    }

    /// Opens the plies of an opened table. Returns whether it has any.
    pub(crate) fn open_plies(&self, entry: &Entry<G::Table>, opened: &Table) -> Result<bool> {
        if opened.has_plies() {
            return Ok(true);
        }
        let Origin::Directory(store, access) = &self.origin else {
            return Ok(false);
        };
        if !entry.stores_plies() {
            return Ok(false);
        }
        let added = self.with_room(|| match access.is_mapped() {
            false => store.open_plies(opened),
            // SAFETY: the contract of `Access::mapped`.
            true => unsafe { store.map_plies(opened) },
        });
        self.added(entry, opened, added)
    }

    /// Opens the draw ranks of an opened table. Returns whether it has any.
    pub(crate) fn open_draws(&self, entry: &Entry<G::Table>, opened: &Table) -> Result<bool> {
        if opened.has_draws() {
            return Ok(true);
        }
        let Origin::Directory(store, access) = &self.origin else {
            return Ok(false);
        };
        if !entry.stores_draws() {
            return Ok(false);
        }
        let added = self.with_room(|| match access.is_mapped() {
            false => store.open_draws(opened),
            // SAFETY: the contract of `Access::mapped`.
            true => unsafe { store.map_draws(opened) },
        });
        self.added(entry, opened, added)
    }

    /// Whether a file that a table is read with could be opened.
    fn added(
        &self,
        entry: &Entry<G::Table>,
        opened: &Table,
        added: endmill_dbformat::Result<()>,
    ) -> Result<bool> {
        match added {
            Ok(()) => entry.check_made(opened).map(|()| true),
            // The file was removed since the files were listed.
            Err(endmill_dbformat::Error::Missing { .. }) => Ok(false),
            Err(error) => Err(entry.error(error)),
        }
    }

    /// Records that a table was opened, and closes another if too many are open.
    fn close_one_too_many(&self, newest: u32) {
        let mut ring = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Ring { tables, hand } = &mut *ring;
        tables.push(newest);
        while tables.len() > self.most_open.load(Ordering::Relaxed) {
            if *hand >= tables.len() {
                *hand = 0;
            }
            let entry = &self.entries[tables[*hand] as usize];
            if entry.number == newest || entry.used.swap(false, Ordering::Relaxed) {
                *hand += 1;
            } else {
                tables.swap_remove(*hand);
                entry.put(None);
            }
        }
    }

    /// Opens a file. Closes others if the system reports too many open files.
    fn with_room<T>(
        &self,
        mut open: impl FnMut() -> endmill_dbformat::Result<T>,
    ) -> endmill_dbformat::Result<T> {
        for _ in 0..ATTEMPTS {
            match open() {
                Err(endmill_dbformat::Error::Io { source, .. }) if is_too_many_files(&source) => {}
                opened => return opened,
            }
            if !self.close_half() {
                thread::sleep(BETWEEN_ATTEMPTS);
            }
        }
        open()
    }

    /// Closes half of the tables, except those that a thread is reading, and lowers the limit
    /// accordingly. Returns whether this closed a file.
    ///
    /// A table that is being opened is not in the ring, so its thread may wait for the ring.
    fn close_half(&self) -> bool {
        let mut ring = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let before = ring.tables.len();
        let most = (before / 2).max(1);
        self.most_open.fetch_min(most, Ordering::Relaxed);
        let mut left = before;
        ring.tables.retain(|&number| {
            let closed = left >= most && self.entries[number as usize].close_unless_read();
            left -= usize::from(closed);
            !closed
        });
        left < before
    }
}

/// Returns whether the process or the system has too many open files.
fn is_too_many_files(error: &io::Error) -> bool {
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    const ERROR_TOO_MANY_OPEN_FILES: i32 = 4;
    match error.raw_os_error() {
        Some(ENFILE | EMFILE) => cfg!(unix),
        Some(ERROR_TOO_MANY_OPEN_FILES) => cfg!(windows),
        _ => false,
    }
}

/// The table of a name. The name must be canonical: `05v4` is not `5v4`.
fn named<G: Features>(game: &G, name: &str) -> Option<G::Table> {
    let table = game.parse_table(name).ok()?;
    (table.to_string() == name).then_some(table)
}

/// Parses a file name.
fn table_and_kind<G: Features>(game: &G, name: &str) -> Option<(G::Table, Kind)> {
    let (name, extension) = name.rsplit_once('.')?;
    let mut kinds = Kind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.extension() == extension)?;
    Some((named(game, name)?, kind))
}
