//! Small databases: solved by plain forward iteration, written with the writer of the files.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use endmill_dbformat::{
    EncodeContext, Kind, OutcomeCodec, PlyCodec, Rules, Statistics, Store, TableSpec, TableWriter,
    codec,
};
use endmill_games::Value;
use endmill_games::draughts::Draughts;
use endmill_games::morris::{Morris, RULESETS};
use endmill_games::prelude::*;
use endmill_probe::{Access, Database, Options};
use tempfile::TempDir;

/// Small enough that every table has several blocks.
const POSITIONS_PER_BLOCK: u32 = 16;

pub fn three() -> Morris {
    Morris::new(RULESETS.iter().find(|rules| rules.id == "three").unwrap())
}

/// The values of tables that lead to no others, or to finished games.
pub struct Solved<G: Game> {
    pub game: G,
    pub values: BTreeMap<G::Table, Vec<Value>>,
}

/// The whole game of `three`, the placing included.
pub fn solved_three() -> Solved<Morris> {
    let tables = three().tables(None);
    Solved::new(three(), tables)
}

/// One piece against one.
pub fn solved_draughts() -> Solved<Draughts> {
    let tables = Draughts::new().tables(Some(2));
    Solved::new(Draughts::new(), tables)
}

impl<G: Game> Solved<G> {
    /// Level by level: at ply p a position with a turn to a loss in p - 1 is a win, one whose
    /// turns all lead to wins, the longest in p - 1, is a loss. All tables are solved at once, so
    /// the first level without a position is the end; what is left is drawn.
    fn new(game: G, tables: Vec<G::Table>) -> Solved<G> {
        let undecided = |&table: &G::Table| (table, vec![None; game.size(table) as usize]);
        let mut values: BTreeMap<G::Table, Vec<Option<Value>>> =
            tables.iter().map(undecided).collect();
        for ply in 0.. {
            let mut decided = Vec::new();
            for (&table, of_table) in &values {
                for index in (0..of_table.len()).filter(|&index| of_table[index].is_none()) {
                    let position = game.unrank(table, index as u64);
                    if let Some(value) = at_ply(&game, &values, &position, ply) {
                        decided.push((table, index, value));
                    }
                }
            }
            if decided.is_empty() {
                break;
            }
            for (table, index, value) in decided {
                values.get_mut(&table).unwrap()[index] = Some(value);
            }
        }
        let or_draw = |value: Option<Value>| value.unwrap_or(Value::Draw);
        let values = values.into_iter().map(|(table, of_table)| {
            let of_table = of_table.into_iter().map(or_draw);
            (table, of_table.collect())
        });
        let values = values.collect();
        Solved { game, values }
    }

    pub fn value(&self, position: &G::Position) -> Value {
        match self.game.table_of(position) {
            Some(table) => self.values[&table][self.game.rank(position) as usize],
            None => self.game.finished(position).unwrap(),
        }
    }

    /// One position of every orbit of every table.
    pub fn positions(&self) -> impl Iterator<Item = G::Position> {
        self.values.iter().flat_map(move |(&table, values)| {
            let indices = 0..values.len() as u64;
            indices.map(move |index| self.game.unrank(table, index))
        })
    }

    /// Writes all tables into a new database.
    pub fn written(&self) -> TempDir {
        let directory = tempfile::tempdir().unwrap();
        self.write(directory.path(), &Rules::of(&self.game));
        directory
    }

    /// Writes all tables as if they were made for these rules.
    pub fn write(&self, database: &Path, rules: &Rules) {
        let store = Store::new(database, rules.clone());
        fs::create_dir_all(store.directory()).unwrap();
        for (table, values) in &self.values {
            let spec = TableSpec {
                rules: rules.clone(),
                table: table.to_string(),
                positions: values.len() as u64,
                positions_per_block: POSITIONS_PER_BLOCK,
            };
            write_table(&store, &spec, values);
        }
    }
}

fn at_ply<G: Game>(
    game: &G,
    values: &BTreeMap<G::Table, Vec<Option<Value>>>,
    position: &G::Position,
    ply: u16,
) -> Option<Value> {
    if let Some(value) = game.finished(position) {
        return Some(value);
    }
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let after = turns.iter().map(|turn| {
        let after = game.play(position, turn);
        match game.table_of(&after) {
            Some(table) => values[&table][game.rank(&after) as usize],
            None => game.finished(&after),
        }
    });
    let after: Vec<Option<Value>> = after.collect();
    if ply > 0 && after.contains(&Some(Value::Loss(ply - 1))) {
        return Some(Value::Win(ply));
    }
    let all_win = after
        .iter()
        .all(|value| matches!(value, Some(Value::Win(_))));
    (all_win && ply > 0).then_some(Value::Loss(ply))
}

fn write_table(store: &Store, spec: &TableSpec, values: &[Value]) {
    write_with(store, spec, values, &statistics(values));
}

/// Writes a table whose header states these counts, true or false.
pub fn write_with(store: &Store, spec: &TableSpec, values: &[Value], statistics: &Statistics) {
    let path = |kind| store.path(&spec.table, kind);
    let outcome_codec = OutcomeCodec::Zstd(codec::Zstd::default());
    let ply_codec = PlyCodec::Zstd(codec::Zstd::default());
    let wld = TableWriter::create(&path(Kind::Outcomes), spec.clone(), &outcome_codec);
    let dtw = TableWriter::create(&path(Kind::Plies), spec.clone(), &ply_codec);
    let (mut wld, mut dtw) = (wld.unwrap(), dtw.unwrap());
    let context = &mut EncodeContext::default();
    for block in values.chunks(spec.positions_per_block as usize) {
        let outcomes: Vec<_> = block.iter().map(|value| value.outcome()).collect();
        let entries: Vec<_> = outcomes.iter().copied().map(Some).collect();
        let block: Vec<_> = block.iter().copied().map(Some).collect();
        let coded = outcome_codec.encode(&entries, &[], context);
        wld.push_block(&coded).unwrap();
        let coded = ply_codec.encode(&outcomes, &block, &[], context);
        dtw.push_block(&coded).unwrap();
    }
    let outcomes = wld.finish_outcomes(statistics).unwrap().publish().unwrap();
    dtw.finish_plies(statistics, outcomes.pair)
        .unwrap()
        .publish()
        .unwrap();
}

fn statistics(values: &[Value]) -> Statistics {
    let mut statistics = Statistics::default();
    for value in values {
        match value {
            Value::Win(_) => statistics.wins += 1,
            Value::Draw => statistics.draws += 1,
            Value::Loss(_) => statistics.losses += 1,
        }
        if let Some(plies) = value.plies().map(usize::from) {
            let histogram = &mut statistics.histogram;
            histogram.resize(histogram.len().max(plies + 1), 0);
            histogram[plies] += 1;
        }
    }
    statistics
}

/// The files of a written database.
pub fn files(database: &Path, ruleset: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(database.join(ruleset)).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Name and bytes of every file, as `Database::from_bytes` takes them.
pub fn bytes(database: &Path, ruleset: &str) -> Vec<(String, Vec<u8>)> {
    let files = files(database, ruleset).into_iter();
    let named = files.map(|file| {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read(file).unwrap())
    });
    named.collect()
}

/// Files are mapped.
// SAFETY: the tests change files only by replacing them, or look at what comes of it.
pub const MAPPED: Access = unsafe { Access::mapped() };

/// No cache, and as few open files as there can be.
pub fn frugal(access: Access) -> Options {
    Options {
        access,
        cache_bytes: 0,
        open_files: 0,
        ..Options::default()
    }
}

/// A database opened in every way there is, with a word for each.
pub fn all_ways<G: Game>(
    database: &Path,
    game: impl Fn() -> G,
) -> Vec<(&'static str, Database<G>)> {
    let open = |options: &Options| Database::open_with(database, game(), options).unwrap();
    let id = game().description().id;
    let small_cache = Options {
        cache_bytes: 4096,
        ..Options::default()
    };
    let embedded = Database::from_bytes(bytes(database, &id), game(), &frugal(MAPPED));
    vec![
        ("default", Database::open(database, game()).unwrap()),
        ("mapped", open(&frugal(MAPPED))),
        ("positioned", open(&frugal(Access::POSITIONED))),
        ("small cache", open(&small_cache)),
        ("from bytes", embedded.unwrap()),
    ]
}
