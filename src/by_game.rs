//! Commands whose work is compiled once for each game.

use std::io::Write;

use endmill_games::{Game, Ruleset};
use endmill_layout::{Layout, Visitor};

/// The part of a command that depends on the game.
pub trait GameCommand {
    /// Runs the command for the game of its ruleset.
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()>;
}

/// Runs a command for a ruleset.
pub fn run(command: &impl GameCommand, ruleset: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    endmill_layout::visit(Ruleset::open(ruleset)?, Run { command, out })
}

struct Run<'a, C> {
    command: &'a C,
    out: &'a mut dyn Write,
}

impl<C: GameCommand> Visitor for Run<'_, C> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game + Layout>(self, game: G) -> anyhow::Result<()> {
        self.command.run_for(game, self.out)
    }
}
