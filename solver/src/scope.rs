//! Which tables a person means: by a number of pieces, by names, or all.

use endmill_games::{Game, ParseError};
use thiserror::Error;

use crate::plan::Plan;

/// More positions than any machine holds: a ruleset with as many needs a choice.
const TOO_MANY: u128 = 1_000_000_000_000;

/// A choice of tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Every table of the ruleset.
    #[default]
    All,
    /// All with at most this number of pieces on the board and none in hand.
    Pieces(u32),
    /// All with at most this number of pieces of both sides together, on the board and in hand.
    Men(u32),
    /// The tables of these names.
    Tables(Vec<String>),
}

/// A choice of tables that cannot be meant.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// A table cannot be read, or is none of the ruleset.
    #[error(transparent)]
    Table(#[from] ParseError),
    /// Nobody builds all tables of this ruleset.
    #[error(
        "{ruleset} has {tables} tables with {positions} positions: choose by a number of pieces, \
         for instance 6"
    )]
    TooMany {
        /// The id.
        ruleset: String,
        /// Of the ruleset.
        tables: usize,
        /// In all of them.
        positions: u128,
    },
    /// No table is as small.
    #[error("there is no table with so few pieces; the smallest have {smallest}")]
    TooFew {
        /// Pieces on the board in the smallest tables.
        smallest: u32,
    },
}

impl Scope {
    /// The groups of the tables that are meant and of everything they depend on, in an order in
    /// which they can be solved.
    pub fn plan<G: Game>(&self, game: &G) -> Result<Plan<G::Table>, ScopeError> {
        let wanted = match self {
            Scope::All => game.tables(None),
            Scope::Pieces(pieces) => game.tables(Some(*pieces)),
            Scope::Men(men) => {
                let mut tables = game.tables(None);
                tables.retain(|&table| game.pieces(table) + game.pieces_in_hand(table) <= *men);
                tables
            }
            Scope::Tables(names) => {
                let tables = names.iter().map(|name| game.parse_tables(name));
                tables.collect::<Result<Vec<_>, _>>()?.concat()
            }
        };
        let sizes = wanted.iter().map(|&table| u128::from(game.size(table)));
        let positions: u128 = sizes.sum();
        if *self == Scope::All && positions > TOO_MANY {
            return Err(ScopeError::TooMany {
                ruleset: game.description().id,
                tables: wanted.len(),
                positions,
            });
        }
        if wanted.is_empty() {
            let least = game.tables(None).first().map(|&table| game.pieces(table));
            return Err(ScopeError::TooFew {
                smallest: least.unwrap_or_default(),
            });
        }
        Ok(Plan::new(game, &wanted))
    }
}
