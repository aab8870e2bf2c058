//! The tables that a database has already.

use std::collections::BTreeMap;
use std::fmt::Display;

use endmill_dbformat::{Kind, Manifest, Plies, Presence, Store};
use endmill_games::Game;
use endmill_solver::{Plan, PlyChoice};

/// The tables of a database, according to its directory and records.
pub(super) struct Present<T> {
    tables: BTreeMap<T, Presence>,
    /// The tables in the order of building.
    pub(super) in_order: Vec<T>,
}

impl<T: Copy + Ord + Display> Present<T> {
    /// Ignores an unreadable manifest or record: the build decides whether that is an error.
    pub(super) fn in_store<G: Game<Table = T>>(
        game: &G,
        store: &Store,
    ) -> anyhow::Result<Present<T>> {
        let names: Vec<String> = match store.list() {
            Ok(listed) => listed.into_iter().map(|file| file.table).collect(),
            Err(_) => {
                let files = store.files()?.into_iter();
                files.map(|(table, ..)| table).collect()
            }
        };
        let manifest = store.manifest();
        let manifest = manifest.unwrap_or_else(|_| Manifest::new(store.rules().clone()));
        let mut tables = BTreeMap::new();
        for name in names {
            if let Ok(table) = game.parse_table(&name) {
                let unknown = Presence::Unfinished { had_plies: false };
                let presence = store.presence(&name, &manifest).unwrap_or(unknown);
                tables.insert(table, presence);
            }
        }
        let mut in_order = game.tables(None);
        in_order.retain(|table| tables.contains_key(table));
        Ok(Present { tables, in_order })
    }

    /// Whether some tables omit plies that can be derived.
    pub(super) fn is_compact(&self) -> bool {
        let mut tables = self.tables.values();
        tables.any(|presence| presence.leaves_plies_out())
    }

    /// Whether the ranks of draws of some tables are recorded.
    pub(super) fn has_draws(&self, store: &Store) -> anyhow::Result<bool> {
        let recorded = match store.recorded() {
            Err(endmill_dbformat::Error::Damaged { .. }) => return Ok(false),
            recorded => recorded?,
        };
        let end = format!(".{}", Kind::Draws.extension());
        Ok(recorded.files.keys().any(|name| name.ends_with(&end)))
    }

    /// The number of tables that store plies which a compact database omits.
    pub(super) fn full<G: Game<Table = T>>(&self, game: &G) -> u64 {
        let tables = self.tables.iter();
        let full = tables.filter(|&(&table, &presence)| {
            presence == Presence::Finished(Plies::Stored) && game.leaves_plies_out(table)
        });
        full.count() as u64
    }

    /// Whether the database has all tables of a plan, as files and in the records.
    pub(super) fn has(&self, plan: &Plan<T>, plies: PlyChoice) -> bool {
        plan.groups.iter().all(|group| {
            let mut tables = group.tables.iter().map(|(table, _)| table);
            tables.all(|table| {
                let presence = self.tables.get(table);
                presence.is_some_and(|presence| presence.is_finished(plies.of(group)))
            })
        })
    }

    /// The plies that a repair builds, besides those that damaged tables had: a table gets plies if
    /// others of its kind have them.
    pub(super) fn plies<G: Game<Table = T>>(&self, game: &G) -> PlyChoice {
        let usual = PlyChoice::usual(game);
        let placed = PlyChoice {
            solved: false,
            swept: true,
        };
        let choice = |swept: bool, usual: bool| {
            let tables = self.tables.iter();
            let mut alike = tables
                .filter(|&(&table, _)| placed.of_table(game, table) == swept)
                .map(|(_, presence)| presence.had_plies())
                .peekable();
            match alike.peek() {
                None => usual,
                Some(_) => alike.any(|had_plies| had_plies),
            }
        };
        PlyChoice {
            solved: choice(false, usual.solved),
            swept: choice(true, usual.swept),
        }
    }
}
