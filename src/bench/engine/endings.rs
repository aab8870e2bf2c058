//! `endmill bench engine endings`: does perfect play keep what the database promises?

use std::io::Write;

use anyhow::{bail, ensure};
use endmill_engine::{Level, play};
use endmill_games::{Game, Outcome, Ruleset, Value, Visitor};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::player::Named;
use crate::bench::draw::Draw;
use crate::db::Db;

/// A longer drawn game is drawn.
const MOST_PLIES: usize = 1_000;

/// Let the perfect side play random positions of the database that it does not lose, won and drawn
/// ones in turn, against another level.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// The other side: a level, or a level with nodes for each turn, e.g. high:5000
    opponent: Named,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// Nodes that the perfect side may look at to choose among drawing turns
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    nodes: u64,
    #[command(flatten)]
    db: Db,
    /// Another draw of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// Plays, and reports. Fails if a promise is not kept.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::open(&self.ruleset)?.visit(Endings { args: &self, out })
    }
}

struct Endings<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

/// What became of the games.
#[derive(Default)]
struct Tally {
    /// Games from won positions, and those that were won in the stated plies: no later, and
    /// against perfect defence no earlier.
    won: u64,
    converted: u64,
    /// Games from drawn positions, and how they ended.
    drawn: u64,
    held: u64,
    gained: u64,
}

impl Visitor for Endings<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let args = self.args;
        let database = args.db.open(game)?;
        let draw = Draw::new(&database, |_| true)?;
        let perfect = Named::new(Level::Perfect, args.nodes);
        let mut random = StdRng::seed_from_u64(args.seed);
        let mut tally = Tally::default();
        for number in 0..args.games {
            let wants_win = number % 2 == 0;
            // The perfect side is the one that does not lose: to move or not.
            let (start, value) = loop {
                let start = draw.position(&mut random);
                let Some(value) = database.probe(&start)?.value() else {
                    bail!("the database has no plies");
                };
                let decided = value != Value::Draw;
                if decided == wants_win && database.game().finished(&start).is_none() {
                    break (start, value);
                }
            };
            let mut ours = perfect.player(&database, random.random());
            let mut theirs = args.opponent.player(&database, random.random());
            let begins = value.outcome() != Outcome::Loss;
            let players = match begins {
                true => [&mut ours, &mut theirs],
                false => [&mut theirs, &mut ours],
            };
            let played = play(database.game(), &start, players, MOST_PLIES);
            let outcome = if begins {
                played.outcome
            } else {
                -played.outcome
            };
            let plies = played.turns.len();
            match value.plies().map(usize::from) {
                Some(stated) => {
                    let exact = args.opponent.level() == Level::Perfect;
                    let in_time = plies == stated || (plies < stated && !exact);
                    tally.won += 1;
                    tally.converted += u64::from(outcome == Outcome::Win && in_time);
                }
                None => {
                    tally.drawn += 1;
                    tally.held += u64::from(outcome == Outcome::Draw);
                    tally.gained += u64::from(outcome == Outcome::Win);
                }
            }
        }
        let Tally {
            won,
            converted,
            drawn,
            held,
            gained,
        } = tally;
        writeln!(
            self.out,
            "{} perfect - {}: {converted} of {won} won positions won in the stated plies; \
             of {drawn} drawn ones {gained} won, {held} drawn, {} lost",
            args.ruleset,
            args.opponent,
            drawn - held - gained,
        )?;
        ensure!(
            converted == won && held + gained == drawn,
            "the perfect level does not keep its promise"
        );
        Ok(())
    }
}
