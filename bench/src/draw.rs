//! Random positions of a database.

use anyhow::ensure;
use endmill_games::Game;
use endmill_probe::Database;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Tables from which positions are drawn, each equally likely.
pub(crate) struct Draw<'a, G: Game> {
    game: &'a G,
    /// Each with its size.
    tables: Vec<(G::Table, u64)>,
    all: u64,
}

impl<'a, G: Game> Draw<'a, G> {
    /// Draws from the tables of a database that satisfy a condition.
    pub(crate) fn new(
        database: &'a Database<G>,
        wanted: impl Fn(G::Table) -> bool,
    ) -> anyhow::Result<Draw<'a, G>> {
        let game = database.game();
        let tables = database.coverage().tables.into_iter();
        let tables: Vec<_> = tables
            .map(|covered| (covered.table, game.size(covered.table)))
            .filter(|&(table, size)| size > 0 && wanted(table))
            .collect();
        let all: u64 = tables.iter().map(|(_, size)| size).sum();
        ensure!(all > 0, "no such table in the database");
        Ok(Draw { game, tables, all })
    }

    /// The tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = G::Table> {
        self.tables.iter().map(|&(table, _)| table)
    }

    /// Draws a number of positions; the same seed gives the same positions.
    pub(crate) fn positions(&self, count: usize, seed: u64) -> Vec<G::Position> {
        let mut random = StdRng::seed_from_u64(seed);
        (0..count).map(|_| self.position(&mut random)).collect()
    }

    /// Draws a position.
    pub(crate) fn position(&self, random: &mut StdRng) -> G::Position {
        let mut index = random.random_range(0..self.all);
        for &(table, size) in &self.tables {
            if index < size {
                return self.game.unrank(table, index);
            }
            index -= size;
        }
        unreachable!("the index is below the sum of the sizes")
    }
}
