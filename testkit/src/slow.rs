//! A solver by plain forward iteration, which shares nothing with the fast one but the rules.

use std::collections::BTreeMap;
use std::path::Path;

use endmill_dbformat::{Rules, Store};
use endmill_games::{Features, Value};
use tempfile::TempDir;

use crate::Sample;

/// Small enough that every table has several blocks.
const POSITIONS_PER_BLOCK: u32 = 16;

/// The values of tables that lead only to one another or to finished games.
pub struct SlowSolution<G: Features> {
    /// The rules and the numbering.
    pub game: G,
    /// By table and rank.
    pub values: BTreeMap<G::Table, Vec<Value>>,
}

impl<G: Features> SlowSolution<G> {
    /// Solves level by level: at ply p, a position with a turn to a loss in p - 1 is a win, and one
    /// whose turns all lead to wins, the longest in p - 1, is a loss. All tables are solved
    /// together. When a level decides no position, all that remain are draws.
    pub fn new(game: G, tables: Vec<G::Table>) -> SlowSolution<G> {
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
        SlowSolution { game, values }
    }

    /// The value of any position.
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
        let directory = TempDir::new().unwrap();
        self.write(directory.path(), &Rules::of(&self.game));
        directory
    }

    /// Writes all tables as if they were made for these rules.
    pub fn write(&self, database: &Path, rules: &Rules) {
        let store = Store::new(database, rules.clone());
        for (table, values) in &self.values {
            let (table, values) = (table.to_string(), values.clone());
            let sample = Sample::of(rules, &table, values, POSITIONS_PER_BLOCK);
            sample.write(store.directory());
        }
    }
}

fn at_ply<G: Features>(
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
