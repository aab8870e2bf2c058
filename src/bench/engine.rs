//! `endmill bench engine`: how well the engine plays.

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use endmill_bench::{
    Contender, judge_outside, play_endings, play_match, play_random, positions_with_outcomes,
};
use endmill_games::{Game, Outcome, Ruleset, Visitor};
use endmill_layout::Layout;

use crate::by_game::{self, GameCommand};
use crate::db::Db;

/// Measure how well the engine plays.
#[derive(clap::Subcommand)]
pub enum Command {
    Match(Match),
    Endings(Endings),
    Outside(Outside),
    Random(Random),
}

impl Command {
    /// Plays, and prints the result.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        match self {
            Command::Match(args) => by_game::run(&args, &args.ruleset, out),
            Command::Endings(args) => by_game::run(&args, &args.ruleset, out),
            Command::Outside(args) => by_game::run(&args, &args.ruleset, out),
            Command::Random(args) => by_game::run(&args, &args.ruleset, out),
        }
    }
}

/// Let two levels play a match from random openings, each opening twice with sides changed.
#[derive(clap::Args)]
pub struct Match {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// A level, or a level with nodes per move, e.g. high:5000
    first: Contender,
    /// The other one
    second: Contender,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,
    /// Random moves before the levels take over
    #[arg(long, value_name = "N", default_value_t = 6)]
    opening: u32,
    #[command(flatten)]
    db: Db,
    /// The seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl GameCommand for Match {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let (first, second) = (self.first, self.second);
        let database = self.db.open(game)?;
        let contenders = [first, second];
        let score = play_match(&database, contenders, self.games, self.opening, self.seed);
        let games = score.games();
        let share = (2 * score.won + score.drawn) as f64 * 50.0 / games.max(1) as f64;
        writeln!(
            out,
            "{} {first} - {second}: {} won, {} drawn, {} lost of {games}: {share:.1} %",
            self.ruleset, score.won, score.drawn, score.lost,
        )?;
        Ok(())
    }
}

/// Let the perfect side play random positions of the database that it does not lose.
///
/// Won and drawn positions take turns. Fails if a promise of the database is broken.
#[derive(clap::Args)]
pub struct Endings {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The other side: a level, or a level with nodes per move, e.g. high:5000
    opponent: Contender,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// Nodes that the perfect side may search to choose among drawing moves
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    nodes: u64,
    #[command(flatten)]
    db: Db,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl GameCommand for Endings {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let database = self.db.open(game)?;
        let opponent = self.opponent;
        let result = play_endings(&database, opponent, self.nodes, self.games, self.seed)?;
        let endmill_bench::Endings {
            won,
            converted,
            drawn,
            held,
            gained,
        } = result;
        writeln!(
            out,
            "{} perfect - {opponent}: {converted} of {won} won positions won in the stated plies; \
             of {drawn} drawn ones {gained} won, {held} drawn, {} lost",
            self.ruleset,
            drawn - held - gained,
        )?;
        ensure!(
            result.is_perfect(),
            "the perfect level does not keep its promise"
        );
        Ok(())
    }
}

/// Search random positions that are not in a database, with it and without it.
///
/// Positions are drawn from the tables of another, larger database, which knows their outcomes: a
/// third each won, drawn and lost. A search announces an outcome by an exact score, or by points
/// beyond a threshold; the best of several thresholds is reported, for each search separately.
#[derive(clap::Args)]
pub struct Outside {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The directory of the larger database
    #[arg(long, value_name = "DIR")]
    truth: PathBuf,
    /// Draw positions with N pieces
    #[arg(long, value_name = "N")]
    pieces: u32,
    #[command(flatten)]
    db: Db,
    /// The number of positions
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1_000)]
    positions: usize,
    /// Nodes for each search
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "1000,10000"
    )]
    nodes: Vec<u64>,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Draws positions with their outcomes from the larger database.
struct DrawTruth<'a>(&'a Outside);

impl Visitor for DrawTruth<'_> {
    type Output = anyhow::Result<Vec<(String, Outcome)>>;

    fn visit<G: Game>(self, game: G) -> Self::Output {
        let args = self.0;
        let database = args.db.read.open(&args.truth, game)?;
        positions_with_outcomes(&database, args.pieces, args.positions, args.seed)
    }
}

impl GameCommand for Outside {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let lines = Ruleset::open(&self.ruleset)?.visit(DrawTruth(self))?;
        let database = self.db.open(game)?;
        let game = database.game();
        let mut positions = Vec::new();
        for (text, truth) in &lines {
            let position = game.parse_position(text)?;
            ensure!(!database.covers(&position), "{text} is in the database");
            positions.push((position, *truth));
        }
        let all = positions.len();
        for &nodes in &self.nodes {
            for (name, database) in [("alone", None), ("with the database", Some(&database))] {
                let found = judge_outside(game, database, &positions, nodes);
                writeln!(
                    out,
                    "{} {} pieces, {nodes} nodes, search {name}: {} of {all} right \
                     (beyond {} points), {} of them proved wins and losses",
                    self.ruleset, self.pieces, found.right, found.threshold, found.proved,
                )?;
            }
        }
        Ok(())
    }
}

/// Play whole games by the probe alone, against random moves and against itself.
///
/// The probe plays any of the moves that it knows to be best, with each side in turn. Fails if a game
/// ends worse than the best position that the probe had in it, which requires plies in rulesets with
/// endless games.
#[derive(clap::Args)]
pub struct Random {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Games against random moves
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// Games against itself
    #[arg(long, value_name = "N", default_value_t = 10)]
    own: u64,
    #[command(flatten)]
    db: Db,
    /// The seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl GameCommand for Random {
    fn run_for<G: Game + Layout>(&self, game: G, out: &mut dyn Write) -> anyhow::Result<()> {
        let database = self.db.open(game)?;
        let result = play_random(&database, self.games, self.own, self.seed)?;
        let score = result.score;
        writeln!(
            out,
            "{} against random moves: {} won, {} drawn, {} lost of {}; \
             {} reached a won position, {} of these were won",
            self.ruleset,
            score.won,
            score.drawn,
            score.lost,
            self.games,
            result.had_win,
            result.had_win_and_won,
        )?;
        writeln!(
            out,
            "{} against itself: {} of {} ended with the value of the start: {}",
            self.ruleset, result.own_as_stated, self.own, result.start
        )?;
        ensure!(
            result.spoilt == 0 && result.own_as_stated == self.own,
            "the probe does not keep its promise"
        );
        Ok(())
    }
}
