//! The tables of a command: `--pieces`, `--men`, `--tables`, or all.

use endmill_games::Game;
use endmill_solver::{Plan, ScopeError};

/// The tables of a command.
#[derive(clap::Args)]
pub struct Scope {
    /// All tables with at most N pieces on the board and none in hand
    #[arg(long, value_name = "N", conflicts_with = "tables")]
    pieces: Option<u32>,
    /// All tables with at most N pieces of both sides, on the board and in hand
    #[arg(long, value_name = "N", conflicts_with_all = ["tables", "pieces"])]
    men: Option<u32>,
    /// These tables and all tables that they depend on, e.g. 5v4,4v4
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
}

impl Scope {
    /// Whether the user has chosen.
    pub fn is_chosen(&self) -> bool {
        self.chosen() != endmill_solver::Scope::All
    }

    /// The groups to solve, in order.
    pub fn plan<G: Game>(&self, game: &G) -> anyhow::Result<Plan<G::Table>> {
        match self.chosen().plan(game) {
            Err(ScopeError::Table(error)) => Err(error.into()),
            Err(ScopeError::TooMany {
                ruleset,
                tables,
                positions,
            }) => Err(BadScope(format!(
                "{ruleset} has {tables} tables with {positions} positions; choose some with --pieces, and \
                 see the cost with: endmill plan {ruleset} --pieces 6"
            ))
            .into()),
            Err(error) => Err(BadScope(error.to_string()).into()),
            Ok(plan) => Ok(plan),
        }
    }

    fn chosen(&self) -> endmill_solver::Scope {
        match (self.pieces, self.men) {
            _ if !self.tables.is_empty() => endmill_solver::Scope::Tables(self.tables.clone()),
            (_, Some(men)) => endmill_solver::Scope::Men(men),
            (Some(pieces), None) => endmill_solver::Scope::Pieces(pieces),
            (None, None) => endmill_solver::Scope::All,
        }
    }
}

/// A bad choice of tables.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadScope(String);

impl BadScope {
    /// Bad for this reason.
    pub fn new(why: String) -> BadScope {
        BadScope(why)
    }
}
