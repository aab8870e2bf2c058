//! The tables of a database: which there are, and a bounded number of them open.
//!
//! What is there is listed once, by file names. A table is opened when it is first asked for; when
//! too many are open, one that was not used lately is closed (second chance, as in the cache). A
//! thread that is just reading a closed table holds it a moment longer.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use dbformat::{Expected, Kind, OutcomeTable, PairId, PlyTable, Rules, Source, Store};
use games::Game;

use crate::error::{ProbeError, Result};
use crate::options::{Access, Options};

/// Sizes of the two files of a table; `None` for one that is not there.
type Files = BTreeMap<Kind, u64>;

pub(crate) struct Shelf<G: Game> {
    origin: Origin,
    by_table: HashMap<G::Table, u32>,
    entries: Vec<Entry<G::Table>>,
    open: Mutex<Ring>,
    most_open: usize,
}

enum Origin {
    Directory(Store, Access),
    /// All tables are open from the start, and stay so: their bytes are in memory anyway.
    Memory,
}

/// A table that is there, open or not.
pub(crate) struct Entry<T> {
    /// Its place on the shelf.
    pub number: u32,
    pub table: T,
    /// Its name in files.
    pub name: String,
    /// What there is of it: always the outcomes.
    files: Files,
    opened: RwLock<Option<Arc<Opened>>>,
    /// Asked for since the hand last came by.
    used: AtomicBool,
    /// How it was cut into units when it was first opened: cached units rely on it.
    cut: OnceLock<Cut>,
}

/// A table with its outcomes open, and its plies as soon as they are asked for.
pub(crate) struct Opened {
    pub outcomes: OutcomeTable,
    plies: OnceLock<PlyTable>,
}

/// What must not change while a database is open.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Positions that are decoded together.
    pub unit: u64,
    pair: PairId,
}

/// The open tables, by number, with a hand that goes round.
#[derive(Default)]
struct Ring {
    tables: Vec<u32>,
    hand: usize,
}

impl<T> Entry<T> {
    fn new(number: usize, table: T, name: String, files: Files) -> Entry<T> {
        Entry {
            number: u32::try_from(number).expect("no ruleset has so many tables"),
            table,
            name,
            files,
            opened: RwLock::new(None),
            used: AtomicBool::new(false),
            cut: OnceLock::new(),
        }
    }

    /// Whether the distances are stored too.
    pub(crate) fn has_plies(&self) -> bool {
        self.files.contains_key(&Kind::Plies)
    }

    /// The size of one of its files.
    pub(crate) fn bytes(&self, kind: Kind) -> Option<u64> {
        self.files.get(&kind).copied()
    }

    /// How it is cut into units; `None` before it was first opened.
    pub(crate) fn cut(&self) -> Option<Cut> {
        self.cut.get().copied()
    }

    fn here(&self) -> Option<Arc<Opened>> {
        let opened = self.opened.read().unwrap_or_else(PoisonError::into_inner);
        opened.clone()
    }

    fn put(&self, opened: Option<Arc<Opened>>) {
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = opened;
    }

    /// Refuses a file that was replaced since it was first opened.
    fn check_cut(&self, opened: &Opened) -> Result<()> {
        let file = opened.outcomes.file();
        let cut = Cut {
            unit: file.unit(),
            pair: file.header().pair,
        };
        if *self.cut.get_or_init(|| cut) == cut {
            return Ok(());
        }
        Err(ProbeError::Replaced {
            file: file.source().file().into(),
        })
    }

    fn error(&self, error: dbformat::Error) -> ProbeError {
        ProbeError::of_file(&self.name, error)
    }
}

impl<G: Game> Shelf<G> {
    /// Lists the tables of a directory, by the names of its files. One that does not exist has
    /// no tables.
    pub(crate) fn list(directory: &Path, game: &G, options: &Options) -> Result<Shelf<G>> {
        let store = Store::new(directory, Rules::of(game));
        let files = list_files(store.directory()).map_err(|source| ProbeError::Io {
            file: store.directory().into(),
            source,
        })?;
        let mut tables: BTreeMap<G::Table, Files> = BTreeMap::new();
        for (name, bytes) in files {
            if let Some((table, kind)) = table_and_kind(game, &name) {
                tables.entry(table).or_default().insert(kind, bytes);
            }
        }
        let origin = Origin::Directory(store, options.access);
        Ok(Shelf::new(origin, tables, options.open_files / 2))
    }

    /// Opens tables that are in memory.
    pub(crate) fn in_memory<N, B>(
        game: &G,
        files: impl IntoIterator<Item = (N, B)>,
    ) -> Result<Shelf<G>>
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
        let shelf = Shelf::new(Origin::Memory, tables, 0);
        let rules = Rules::of(game);
        for entry in &shelf.entries {
            let mut source = |kind| sources.remove(&(entry.table, kind));
            let expected = Expected {
                rules: &rules,
                table: &entry.name,
                positions: game.size(entry.table),
            };
            let Some(outcomes) = source(Kind::Outcomes) else {
                continue;
            };
            let outcomes =
                OutcomeTable::open(outcomes, &expected).map_err(|error| entry.error(error))?;
            let plies = match source(Kind::Plies) {
                Some(plies) => {
                    let plies = PlyTable::open(plies, &expected, &outcomes);
                    OnceLock::from(plies.map_err(|error| entry.error(error))?)
                }
                None => OnceLock::new(),
            };
            let opened = Opened { outcomes, plies };
            entry.check_cut(&opened)?;
            entry.put(Some(Arc::new(opened)));
        }
        Ok(shelf)
    }

    /// Plies without outcomes say nothing: such a table is not there.
    fn new(origin: Origin, mut tables: BTreeMap<G::Table, Files>, most_open: usize) -> Shelf<G> {
        tables.retain(|_, files| files.contains_key(&Kind::Outcomes));
        let tables = tables.into_iter().enumerate();
        let entries: Vec<Entry<G::Table>> = tables
            .map(|(number, (table, files))| Entry::new(number, table, table.to_string(), files))
            .collect();
        Shelf {
            origin,
            by_table: entries
                .iter()
                .map(|entry| (entry.table, entry.number))
                .collect(),
            entries,
            open: Mutex::default(),
            most_open: most_open.max(1),
        }
    }

    /// All tables there are.
    pub(crate) fn entries(&self) -> &[Entry<G::Table>] {
        &self.entries
    }

    /// A table, if it is there.
    pub(crate) fn find(&self, table: G::Table) -> Option<&Entry<G::Table>> {
        let number = *self.by_table.get(&table)?;
        Some(&self.entries[number as usize])
    }

    /// The opened table.
    pub(crate) fn open(&self, game: &G, entry: &Entry<G::Table>) -> Result<Arc<Opened>> {
        // Written only when it changes, so that reading threads share the line of memory.
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
        let outcomes = match access {
            Access::Positioned => store.outcomes(&entry.name, positions),
            // SAFETY: the contract of `Database::open` forbids to change files in place.
            Access::Mapped => unsafe { store.map_outcomes(&entry.name, positions) },
        };
        let opened = Arc::new(Opened {
            outcomes: outcomes.map_err(|error| entry.error(error))?,
            plies: OnceLock::new(),
        });
        entry.check_cut(&opened)?;
        *place = Some(Arc::clone(&opened));
        // Before the ring is locked: closing goes from the ring to a table.
        drop(place);
        self.close_one_too_many(entry.number);
        Ok(opened)
    }

    /// The plies of an opened table; `None` if they are not stored.
    pub(crate) fn plies<'a>(
        &self,
        entry: &Entry<G::Table>,
        opened: &'a Opened,
    ) -> Result<Option<&'a PlyTable>> {
        if let Some(plies) = opened.plies.get() {
            return Ok(Some(plies));
        }
        let Origin::Directory(store, access) = &self.origin else {
            return Ok(None);
        };
        if !entry.has_plies() {
            return Ok(None);
        }
        let plies = match access {
            Access::Positioned => store.plies(&opened.outcomes),
            // SAFETY: the contract of `Database::open` forbids to change files in place.
            Access::Mapped => unsafe { store.map_plies(&opened.outcomes) },
        };
        match plies {
            // Of two threads that open it at once, one keeps it.
            Ok(plies) => Ok(Some(opened.plies.get_or_init(|| plies))),
            // Removed since the files were listed.
            Err(dbformat::Error::Missing { .. }) => Ok(None),
            Err(error) => Err(entry.error(error)),
        }
    }

    /// Notes that a table was opened, and closes another if there are too many.
    fn close_one_too_many(&self, newest: u32) {
        let mut ring = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Ring { tables, hand } = &mut *ring;
        tables.push(newest);
        while tables.len() > self.most_open {
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
}

/// Names and sizes of the files in a directory.
fn list_files(directory: &Path) -> io::Result<Vec<(String, u64)>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string() {
            files.push((name, entry.metadata()?.len()));
        }
    }
    Ok(files)
}

/// What a file name stands for. Only the name that would be written counts: `05v4.wld` is not a
/// second `5v4.wld`.
fn table_and_kind<G: Game>(game: &G, name: &str) -> Option<(G::Table, Kind)> {
    let (name, extension) = name.rsplit_once('.')?;
    let mut kinds = Kind::ALL.into_iter();
    let kind = kinds.find(|kind| kind.extension() == extension)?;
    let table = game.parse_table(name).ok()?;
    (table.to_string() == name).then_some((table, kind))
}
