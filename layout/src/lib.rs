//! How a group of tables is laid out in memory for solving.
//!
//! | layout | for | idea |
//! |---|---|---|
//! | [`plain`] | any game | one node per position; un-moves are all turns, reversed |
//! | `rows` | morris | the men of one side are the row, those of the other the column |
//! | `parts` | draughts | men only advance: small parts in which only kings move |
//!
//! The contract between a layout and the solver is in [`group`], how the values of nodes are held
//! in [`endmill_games::value`]. A game gets the plain layout by one line,
//! `impl PlainLayout for MyGame {}`, and a faster one by implementing [`Layout`].

#![forbid(unsafe_code)]

mod absent;
pub mod grid;
pub mod group;
mod parts;
pub mod plain;
pub mod row_pass;
mod rows;

use endmill_games::{Feature, Features, Game, Ruleset, Value, each_game};

pub use endmill_games::value::{NodeValue, TurnScore};

pub use self::grid::Grid;
pub use self::group::{BestTurns, Group, Part, Seed, Solved, Visit};
pub use self::parts::{DraughtsGrid, DraughtsGroup, DraughtsPart};
pub use self::plain::{PlainGroup, PlainLayout};
pub use self::row_pass::RowPass;
pub use self::rows::MorrisGroup;

/// A game whose tables can be laid out for solving.
pub trait Layout: Features {
    /// A table and its partner laid out.
    type Group<'g>: Group<Table = Self::Table>
    where
        Self: 'g;

    /// Lays a table and its partner out for solving; the same group for either.
    fn group(&self, table: Self::Table) -> Self::Group<'_>;

    /// The node of a position in the layout of its table's [group](Layout::group), counted from
    /// the table's first.
    fn node(&self, position: &Self::Position) -> usize;

    /// Computes the values of those positions of a range that are not stored
    /// ([`Feature::resolved`]), from the tables that their turns lead to. Returns false if the game
    /// has no faster way than to look at the turns of one position after the other.
    fn resolve(
        &self,
        _table: Self::Table,
        _first: u64,
        _features: &[Feature],
        _solved: &impl Solved<Self::Table>,
        _values: &mut [Value],
    ) -> bool {
        false
    }

    /// The number of nodes of a table; more than positions where rows are full.
    fn nodes(&self, table: Self::Table) -> u64 {
        self.size(table)
    }

    /// The approximate sizes of the parts of a table's group, if it has several: each is solved in
    /// separate memory.
    fn part_sizes(&self, _table: Self::Table) -> Option<PartSizes> {
        None
    }

    /// Returns true if the group of a table can be laid out. If not, it is too large for any machine.
    fn can_lay_out(&self, _table: Self::Table) -> bool {
        true
    }
}

/// The sizes of the parts of a group. See [`Layout::part_sizes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartSizes {
    /// The nodes of one phase of a part.
    pub nodes: u64,
    /// The number of parts in the largest layer.
    pub in_layer: u64,
    /// Bytes of the list of all parts.
    pub list_bytes: u64,
}

/// Work that can be done with any game that can be solved.
pub trait Visitor {
    /// The result of the work.
    type Output;

    /// Does the work, compiled once for each game.
    fn visit<G: Game + Layout>(self, game: G) -> Self::Output;
}

macro_rules! define {
    ($($family:ident)*) => {
        /// Sets up the game of a ruleset and hands it to `visitor`.
        pub fn visit<V: Visitor>(ruleset: Ruleset, visitor: V) -> V::Output {
            $(if let Some(game) = endmill_games::$family::of(ruleset) {
                return visitor.visit(game);
            })*
            unreachable!("{} was found among the rulesets", ruleset.id())
        }
    };
}

each_game!(define);
