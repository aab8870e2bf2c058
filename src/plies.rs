//! Which tables get plies: what `build` stores, and `plan` reckons with.

use games::Game;
use solver::PlyChoice;

/// Up to so many positions in which every turn places a man their plies are stored unasked: all of
/// nine men's morris, which stays below 8 GB with them.
const FEW_PLACINGS: u64 = 20_000_000_000;

/// The choice of tables that get plies.
#[derive(clap::Args)]
pub struct PlyOptions {
    /// Outcomes only
    #[arg(long)]
    no_plies: bool,
    /// Plies of positions with men in hand too; unasked where a ruleset has at most 20 billion
    /// positions in which every turn places a man: in all but twelve men's morris
    #[arg(long, conflicts_with_all = ["no_plies", "no_placing_plies"])]
    placing_plies: bool,
    /// Outcomes only of positions in which every turn places a man (in Lasker morris men move
    /// while others are in hand: there this changes nothing)
    #[arg(long)]
    no_placing_plies: bool,
}

impl PlyOptions {
    /// What they mean for a game. A matter of the ruleset, not of the tables asked for, so that
    /// every build of a table gives the same files.
    pub fn choice<G: Game>(&self, game: &G) -> PlyChoice {
        let solved = !self.no_plies;
        let swept = self.placing_plies || (!self.no_placing_plies && has_few_placings(game));
        PlyChoice {
            solved,
            swept: solved && swept,
        }
    }
}

fn has_few_placings<G: Game>(game: &G) -> bool {
    let tables = game.tables(None).into_iter();
    let swept = tables.filter(|&table| !game.has_inside_turns(table));
    swept.map(|table| game.size(table)).sum::<u64>() <= FEW_PLACINGS
}
