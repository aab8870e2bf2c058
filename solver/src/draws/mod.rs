//! Ranks the draws of tables whose outcomes are stored: the ultra-strong solution.
//!
//! The rank of a draw is the score of the table in which the game stays for ever, if both sides prefer
//! a better score for themselves; [`scores`] has the scores. [`rank`] finds the ranks of a group and
//! how long its draws take to leave their table, [`save`] writes them, [`build`] goes through a plan,
//! and [`verify`] compares stored ranks with those of their successors. `docs/draw-ranks.md` defines
//! ranks and says why they are right.

mod build;
mod prove;
mod rank;
mod save;
mod scores;
mod verify;

use endmill_dbformat::Store;
use endmill_games::Cost;
use endmill_layout::Layout;

pub use self::build::{build_draws, ranks_of};
use self::scores::TableScores;
pub use self::scores::{ChosenScores, ScoreError};
pub use self::verify::{VerifiedDraws, verify_draws};
use crate::budget::Budget;
use crate::load::Stored;
use crate::nodes::Nodes;
use crate::numbered::Numbered;
use crate::order::Order;
use crate::plan::Memory;
use crate::plan::PlannedGroup;
use crate::resident::{Ranks, Resident};
use crate::schedule::{Source, Way};
use crate::{Form, Progress, SolveError};

/// What ranking and verifying have in common: a game, its store and the scores.
pub(crate) struct Ranking<'a, G: Layout, P> {
    game: &'a G,
    store: &'a Store,
    budget: &'a Budget,
    progress: &'a P,
    scores: TableScores<G::Table>,
}

impl<G: Layout, P: Progress> Ranking<'_, G, P> {
    /// Reads a table, with its ranks if it has them already.
    fn read(
        &self,
        table: G::Table,
        has_ranks: bool,
        order: &impl Order<G>,
        resident: &Resident<G::Table, Ranks>,
    ) -> Result<Nodes, SolveError> {
        self.progress.phase(&format!("reading {table}"));
        let stored = Stored::open_ranked(
            self.game,
            self.store,
            table,
            self.scores.numbers(),
            has_ranks,
        )?;
        order.read(&stored, resident, (self.budget, self.progress), |_, _| ())
    }

    /// Makes a table resident with its ranks, laid out as in its group.
    fn fetch(
        &self,
        table: G::Table,
        resident: &mut Resident<G::Table, Ranks>,
    ) -> Result<(), SolveError> {
        let group = self.game.group(table);
        let order = Numbered::of(&group, table, self.game.size(table));
        let nodes = self.read(table, true, &order, resident)?;
        resident.put_ranks(table, nodes);
        Ok(())
    }
}

/// The average cost of ranking and storing the draws of a table, per position. Measured on nine men's
/// morris up to ten men, four fifths of which are draws, and on draughts up to four pieces.
pub fn draw_cost<G: Layout>(game: &G, table: G::Table) -> Cost {
    match game.part_sizes(table) {
        None => Cost {
            nanoseconds: 230.0,
            bytes: 0.15,
        },
        Some(_) => Cost {
            nanoseconds: 520.0,
            bytes: 0.04,
        },
    }
}

/// What must be resident before a table can be read with its ranks.
fn source<G: Layout>(game: &G, table: G::Table) -> Source<G::Table> {
    Source {
        way: Way::Read,
        tables: game.resolved_from(table),
        form: Form::Bytes,
    }
}

/// The memory for ranking a group: four bytes for the state of a node, two for its value while it is
/// read, and one for each node of the tables it leads to.
fn memory<G: Layout>(game: &G, group: &PlannedGroup<G::Table>) -> Memory {
    let outside: u64 = group
        .depends_on
        .iter()
        .map(|&table| game.nodes(table))
        .sum();
    let sizes = group.own_tables().map(|table| game.nodes(table));
    let own: u64 = sizes.sum();
    let layouts = if group.tables.len() == 1 && !group.sweeps {
        2
    } else {
        1
    };
    Memory {
        all: outside + own * (4 * layouts + 2),
        outside,
    }
}
