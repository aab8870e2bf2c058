//! Which tables get plies: what `build` stores, and `plan` counts.

use endmill_games::Game;
use endmill_solver::PlyChoice;

/// The choice of tables that get plies.
#[derive(clap::Args, Default)]
pub struct PlyOptions {
    /// Outcomes only
    #[arg(long)]
    no_plies: bool,
    /// Plies of positions with men in hand too. The default where a ruleset has at most 20 billion
    /// positions in which every turn places a man: not in eleven, morabaraba and those with twelve
    /// men
    #[arg(long, conflicts_with_all = ["no_plies", "no_placing_plies"])]
    placing_plies: bool,
    /// Outcomes only of positions in which every turn places a man (in Lasker morris men move
    /// while others are in hand: there this changes nothing)
    #[arg(long)]
    no_placing_plies: bool,
}

impl PlyOptions {
    /// Whether the user has chosen.
    pub fn is_chosen(&self) -> bool {
        self.no_plies || self.placing_plies || self.no_placing_plies
    }

    /// What they mean for a game. A matter of the ruleset, not of the tables asked for, so that
    /// every build of a table gives the same files.
    pub fn choice<G: Game>(&self, game: &G) -> PlyChoice {
        let solved = !self.no_plies;
        let swept = self.placing_plies || (!self.no_placing_plies && PlyChoice::usual(game).swept);
        PlyChoice {
            solved,
            swept: solved && swept,
        }
    }
}
