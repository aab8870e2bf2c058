//! `endmill perft`: counts the leaves of the game tree, the usual check of a move generator.

use std::io::Write;

use endmill_games::Game;
use endmill_layout::Layout;

use crate::by_game::{self, GameCommand};

/// Count the ways to play a number of plies (perft).
///
/// A move is one ply, removals and further jumps included; different routes of a capture are counted
/// separately. A game that ends earlier counts as one, except in rulesets with a limit of quiet plies
/// or banned mills, where it is not counted, as in the published counts. The last line is the count.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The number of plies
    #[arg(long, value_name = "N")]
    depth: u32,
    /// The position to begin from, by default the start of the game, e.g. `B:W18,K31:B12,K5`
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
    /// Split the count by the first move
    #[arg(long)]
    divide: bool,
}

impl Args {
    /// Prints the count, after its parts if requested.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        by_game::run(&self, &self.ruleset, out)
    }
}

impl GameCommand for Args {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let Args { depth, divide, .. } = *self;
        let position = match &self.from {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        // Without a first move there is nothing to split: the position itself is the only leaf.
        if !divide || depth == 0 || game.finished(&position).is_some() {
            let count = endmill_games::perft(&game, &position, depth);
            return Ok(writeln!(out, "{count}")?);
        }
        let mut total = 0;
        for (turn, count) in endmill_games::divide(&game, &position, depth) {
            writeln!(out, "{} {count}", game.format_turn(&position, &turn))?;
            total += count;
        }
        writeln!(out, "{total}")?;
        Ok(())
    }
}
