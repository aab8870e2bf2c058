//! Which tables a command is about: `--pieces`, `--men`, `--tables`, or all.

use anyhow::bail;
use games::Game;
use solver::Plan;

/// More positions than any machine holds: a ruleset with as many needs a choice.
const TOO_MANY: u128 = 1_000_000_000_000;

/// The tables that a command is about.
#[derive(clap::Args)]
pub struct Scope {
    /// All tables with at most N pieces on the board and none in hand
    #[arg(long, value_name = "N", conflicts_with = "tables")]
    pieces: Option<u32>,
    /// All tables with at most N pieces of both sides together, on the board and in hand
    #[arg(long, value_name = "N", conflicts_with_all = ["tables", "pieces"])]
    men: Option<u32>,
    /// These tables, and everything they depend on, e.g. 5v4,4v4
    #[arg(long, value_name = "TABLE,…", value_delimiter = ',')]
    tables: Vec<String>,
}

impl Scope {
    /// The groups to be solved, in order.
    pub fn plan<G: Game>(&self, game: &G) -> anyhow::Result<Plan<G::Table>> {
        let wanted = match self.men {
            _ if !self.tables.is_empty() => {
                let tables = self.tables.iter().map(|name| game.parse_table(name));
                tables.collect::<Result<_, _>>()?
            }
            Some(men) => {
                let mut tables = game.tables(None);
                tables.retain(|&table| game.pieces(table) + game.pieces_in_hand(table) <= men);
                tables
            }
            None => game.tables(self.pieces),
        };
        let positions: u128 = wanted
            .iter()
            .map(|&table| u128::from(game.size(table)))
            .sum();
        let chosen = self.pieces.is_some() || self.men.is_some() || !self.tables.is_empty();
        if !chosen && positions > TOO_MANY {
            let id = game.description().id;
            bail!(BadScope(format!(
                "{id} has {} tables with {positions} positions: choose with --pieces, \
                 `endmill plan {id} --pieces 6` says what that takes",
                wanted.len()
            )));
        }
        if wanted.is_empty() {
            let least = game.tables(None).first().map(|&table| game.pieces(table));
            bail!(BadScope(format!(
                "there is no table with so few pieces; the smallest have {}",
                least.unwrap_or_default()
            )));
        }
        Ok(Plan::new(game, &wanted))
    }
}

/// A choice of tables that cannot be meant.
#[derive(Debug)]
pub struct BadScope(String);

impl std::fmt::Display for BadScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadScope {}
