//! `endmill perft`: counts the leaves of the game tree, the usual check of a move generator.

use std::io::Write;

use endmill_games::{Game, Ruleset, Visitor};

/// Count the ways to play a number of plies.
///
/// A turn is one ply, removals and further jumps included; different routes of one capture count
/// apart, and a game that is over earlier counts as one; in rulesets with a limit of quiet plies or
/// banned mills it does not count, as in the known counts of such rules. The last line is the count
/// alone.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// How many plies to play
    #[arg(long, value_name = "N")]
    depth: u32,
    /// Where to begin instead of the start of the game, e.g. `B:W18,K31:B12,K5`
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
    /// Split the count by the first turn
    #[arg(long)]
    divide: bool,
}

impl Args {
    /// Writes the count, after its parts if these are asked for.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::open(&self.ruleset)?.visit(Perft { args: &self, out })
    }
}

struct Perft<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Perft<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Args { depth, divide, .. } = *self.args;
        let position = match &self.args.from {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        // Without a first turn there is nothing to split: the position itself is the only leaf.
        if !divide || depth == 0 || game.finished(&position).is_some() {
            writeln!(
                self.out,
                "{}",
                endmill_games::perft(&game, &position, depth)
            )?;
            return Ok(());
        }
        let mut total = 0;
        for (turn, count) in endmill_games::divide(&game, &position, depth) {
            writeln!(self.out, "{} {count}", game.format_turn(&position, &turn))?;
            total += count;
        }
        writeln!(self.out, "{total}")?;
        Ok(())
    }
}
