//! The tables that get plies, for `build` and `plan`.

use endmill_games::Game;
use endmill_solver::PlyChoice;

/// The tables that get plies.
#[derive(clap::Args, Default)]
pub struct PlyOptions {
    /// Store outcomes only
    #[arg(long)]
    no_plies: bool,
    /// Store plies of positions with men in hand too. The default for rulesets with at most 20 billion
    /// positions in which every move places a man: not for eleven, morabaraba and those with twelve
    /// men
    #[arg(long, conflicts_with_all = ["no_plies", "no_placing_plies"])]
    placing_plies: bool,
    /// Store outcomes only of positions in which every move places a man (no effect in Lasker morris,
    /// in which men move while others are in hand)
    #[arg(long)]
    no_placing_plies: bool,
}

impl PlyOptions {
    /// Whether the user has chosen.
    pub fn is_chosen(&self) -> bool {
        self.no_plies || self.placing_plies || self.no_placing_plies
    }

    /// The choice for a game. It depends on the ruleset and not on the requested tables, so that every
    /// build of a table gives the same files.
    pub fn choice<G: Game>(&self, game: &G) -> PlyChoice {
        let solved = !self.no_plies;
        let swept = self.placing_plies || (!self.no_placing_plies && PlyChoice::usual(game).swept);
        PlyChoice {
            solved,
            swept: solved && swept,
        }
    }
}
