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
    /// Those with plies.
    with_plies: BTreeSet<T>,
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
        let with_plies = with_plies.map(|(&table, _)| table).collect();
        // In the order of building, in which tables are needed only for a short time.
        let mut tables = game.tables(None);
        tables.retain(|table| found.contains_key(table));
        Ok(Present { tables, with_plies })
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
                let with_plies = self.with_plies.contains(table) && file(table, Kind::Plies);
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
