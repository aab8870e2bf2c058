//! What a database has already.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use endmill_dbformat::{Kind, Store};
use endmill_games::Game;
use endmill_solver::{Plan, PlyChoice};

/// What a database has, or should have, by its directory and its records.
pub(super) struct Present<T> {
    /// The tables.
    pub(super) tables: Vec<T>,
    /// Those with plies, stored or left out.
    with_plies: BTreeSet<T>,
    /// Those with plies left out.
    compact: BTreeSet<T>,
    /// Those with plies stored that a compact database leaves out.
    pub(super) full: BTreeSet<T>,
}

impl<T: Copy + Ord + Display> Present<T> {
    /// A record that cannot be read says nothing here; whether that is an error is for others.
    pub(super) fn in_store<G: Game<Table = T>>(
        game: &G,
        store: &Store,
    ) -> anyhow::Result<Present<T>> {
        let mut names: Vec<(String, Kind)> = Vec::new();
        match store.list() {
            Ok(listed) => names.extend(listed.into_iter().map(|file| (file.table, file.kind))),
            Err(_) => {
                let files = store.files()?.into_iter();
                names.extend(files.map(|(table, kind, _)| (table, kind)));
            }
        }
        let mut found = BTreeMap::new();
        for (name, kind) in names {
            if let Ok(table) = game.parse_table(&name) {
                *found.entry(table).or_insert(false) |= kind == Kind::Plies;
            }
        }
        let with_plies = found.iter().filter(|&(_, &plies)| plies);
        let mut with_plies: BTreeSet<T> = with_plies.map(|(&table, _)| table).collect();
        let may_be_left_out = |table: &T| game.leaves_plies_out(*table);
        let full = with_plies.iter().copied().filter(may_be_left_out).collect();
        let others = found.keys().filter(|table| !with_plies.contains(table));
        let others = others.copied().filter(may_be_left_out);
        // One that cannot be read is built again.
        let left_out = |table: &T| store.leaves_plies_out(&table.to_string()).unwrap_or(false);
        let compact: BTreeSet<T> = others.filter(left_out).collect();
        with_plies.extend(&compact);
        // In the order of building, in which tables are needed only for a short time.
        let mut tables = game.tables(None);
        tables.retain(|table| found.contains_key(table));
        Ok(Present {
            tables,
            with_plies,
            compact,
            full,
        })
    }

    /// Whether plies of some tables are left out.
    pub(super) fn is_compact(&self) -> bool {
        !self.compact.is_empty()
    }

    /// Whether everything is there that a plan would build, recorded and as files.
    pub(super) fn has(&self, plan: &Plan<T>, plies: PlyChoice, store: &Store) -> bool {
        let files = store.files().unwrap_or_default();
        let file = |table: &T, wanted: Kind| {
            let name = table.to_string();
            let mut files = files.iter();
            files.any(|(table, kind, _)| *table == name && *kind == wanted)
        };
        plan.groups.iter().all(|group| {
            let mut tables = group.tables.iter().map(|(table, _)| table);
            tables.all(|table| {
                let with_plies = self.compact.contains(table)
                    || (self.with_plies.contains(table) && file(table, Kind::Plies));
                let stored = self.tables.contains(table) && file(table, Kind::Outcomes);
                stored && (with_plies || !plies.of(group))
            })
        })
    }

    /// The choice of plies by which it seems to have been built.
    pub(super) fn plies(&self, plan: &Plan<T>) -> PlyChoice {
        let any = |sweeps| {
            let groups = plan.groups.iter().filter(|group| group.sweeps == sweeps);
            let mut tables = groups.flat_map(|group| &group.tables);
            tables.any(|(table, _)| self.with_plies.contains(table))
        };
        PlyChoice {
            solved: any(false),
            swept: any(true),
        }
    }
}
