//! `endmill bench engine match`: two levels against each other.

use std::io::Write;

use endmill_engine::play;
use endmill_games::{Game, Outcome, Ruleset, Visitor};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::db::Db;

use super::player::Named;

/// A longer game is drawn.
const MOST_PLIES: usize = 300;

/// Let two levels play a match from random openings, each opening twice with sides changed.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// A level, or a level with nodes for each turn, e.g. high:5000
    first: Named,
    /// The other one
    second: Named,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,
    /// Random turns before the levels take over
    #[arg(long, value_name = "N", default_value_t = 6)]
    opening: u32,
    #[command(flatten)]
    db: Db,
    /// Another draw of openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// Plays, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::open(&self.ruleset)?.visit(Match { args: &self, out })
    }
}

struct Match<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Match<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Args { first, second, .. } = *self.args;
        let database = self.args.db.open(game)?;
        let mut random = StdRng::seed_from_u64(self.args.seed);
        let (mut won, mut drawn, mut lost) = (0, 0, 0);
        let mut start = database.game().start();
        for number in 0..self.args.games {
            let first_begins = number % 2 == 0;
            if first_begins {
                start = opening(database.game(), self.args.opening, &mut random);
            }
            let (mut a, mut b) = (
                first.player(&database, random.random()),
                second.player(&database, random.random()),
            );
            let players = match first_begins {
                true => [&mut a, &mut b],
                false => [&mut b, &mut a],
            };
            let outcome = play(database.game(), &start, players, MOST_PLIES).outcome;
            match if first_begins { outcome } else { -outcome } {
                Outcome::Win => won += 1,
                Outcome::Draw => drawn += 1,
                Outcome::Loss => lost += 1,
            }
        }
        let games = won + drawn + lost;
        let share = (2 * won + drawn) as f64 * 50.0 / f64::from(games.max(1));
        writeln!(
            self.out,
            "{} {first} - {second}: {won} won, {drawn} drawn, {lost} lost of {games}: {share:.1} %",
            self.args.ruleset,
        )?;
        Ok(())
    }
}

/// A position after some random turns in which the game is not over.
fn opening<G: Game>(game: &G, turns: u32, random: &mut StdRng) -> G::Position {
    let mut legal = Vec::new();
    loop {
        let mut position = game.start();
        for _ in 0..turns {
            game.turns(&position, &mut legal);
            let Some(turn) = legal.choose(random) else {
                break;
            };
            position = game.play(&position, turn);
        }
        if game.finished(&position).is_none() {
            return position;
        }
    }
}
