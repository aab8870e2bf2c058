//! A choice of tables: by a number of pieces, by names, or all.

use endmill_games::{Game, ParseError, parse_tables};
use thiserror::Error;

use crate::plan::Plan;

/// More positions than any machine holds: a larger ruleset needs a choice.
const TOO_MANY: u128 = 1_000_000_000_000;

/// A choice of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Every table of the ruleset.
    #[default]
    All,
    /// All tables with at most this number of pieces on the board and none in hand.
    Pieces(u32),
    /// All tables with at most this number of pieces of both sides, on the board and in hand.
    Men(u32),
    /// The tables of these names.
    Tables(Vec<String>),
}

/// An impossible choice of tables.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// A name cannot be parsed, or is not a table of the ruleset.
    #[error(transparent)]
    Table(#[from] ParseError),
    /// The ruleset is too large to be built as a whole.
    #[error(
        "{ruleset} has {tables} tables with {positions} positions: choose by a number of pieces, \
         for example 6"
    )]
    TooMany {
        /// Its id.
        ruleset: String,
        /// The number of its tables.
        tables: usize,
        /// The number of their positions.
        positions: u128,
    },
    /// The game has fewer pieces.
    #[error("{ruleset} has no more than {most} pieces: {asked} are too many")]
    TooManyPieces {
        /// Its id.
        ruleset: String,
        /// The requested number.
        asked: u32,
        /// The number of pieces in the largest tables.
        most: u32,
    },
    /// All tables have more pieces.
    #[error("the smallest tables have {smallest} pieces")]
    TooFew {
        /// The number of pieces in the smallest tables.
        smallest: u32,
    },
}

impl Scope {
    /// The groups of the chosen tables and of everything they depend on, in an order in which they can
    /// be solved.
    pub fn plan<G: Game>(&self, game: &G) -> Result<Plan<G::Table>, ScopeError> {
        Ok(Plan::new(game, &self.tables(game)?))
    }

    /// The chosen tables, without those they depend on.
    pub fn tables<G: Game>(&self, game: &G) -> Result<Vec<G::Table>, ScopeError> {
        match self {
            Scope::All => all(game),
            Scope::Pieces(pieces) => up_to(*pieces, game, game.tables(Some(u32::MAX))),
            Scope::Men(men) => up_to(*men, game, game.tables(None)),
            Scope::Tables(names) => {
                let tables = names.iter().map(|name| parse_tables(game, name));
                Ok(tables.collect::<Result<Vec<_>, _>>()?.concat())
            }
        }
    }
}

/// All tables of a ruleset, unless they are too many.
fn all<G: Game>(game: &G) -> Result<Vec<G::Table>, ScopeError> {
    let tables = game.tables(None);
    let sizes = tables.iter().map(|&table| u128::from(game.size(table)));
    let positions: u128 = sizes.sum();
    if positions > TOO_MANY {
        return Err(ScopeError::TooMany {
            ruleset: game.description().id,
            tables: tables.len(),
            positions,
        });
    }
    Ok(tables)
}

/// Of these tables those with at most `asked` pieces, on the board and in hand.
fn up_to<G: Game>(
    asked: u32,
    game: &G,
    mut tables: Vec<G::Table>,
) -> Result<Vec<G::Table>, ScopeError> {
    let pieces = |&table: &G::Table| game.pieces(table).on_board + game.pieces(table).in_hand;
    let (mut smallest, mut most) = (u32::MAX, 0);
    for pieces in tables.iter().map(pieces) {
        (smallest, most) = (smallest.min(pieces), most.max(pieces));
    }
    if asked > most {
        return Err(ScopeError::TooManyPieces {
            ruleset: game.description().id,
            asked,
            most,
        });
    }
    if asked < smallest {
        return Err(ScopeError::TooFew { smallest });
    }
    tables.retain(|table| pieces(table) <= asked);
    Ok(tables)
}
