//! `endmill bench engine random`: whole games by the probe, against random turns and against
//! itself.

use std::io::Write;

use anyhow::{Context, ensure};
use endmill_games::{Game, Outcome, Ruleset, Value, Visitor};
use endmill_probe::{Database, Verdict};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use crate::db::Db;

/// A longer game is drawn.
const MOST_PLIES: usize = 2_000;

/// Play whole games from the start by the probe alone, as either side in turn, against an opponent
/// that plays any legal turn; and then some against itself.
///
/// The probe plays any of the turns that it knows to be best. Fails if a game ends worse than the
/// best position that the probe had in it. Where a game can go on for ever that takes plies.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Games against random turns
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    games: u64,
    /// Games against itself
    #[arg(long, value_name = "N", default_value_t = 10)]
    own: u64,
    #[command(flatten)]
    db: Db,
    /// Other games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Args {
    /// Plays, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::open(&self.ruleset)?.visit(Random { args: &self, out })
    }
}

struct Random<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

/// What became of some games, seen from the side that the probe plays.
#[derive(Default)]
struct Tally {
    won: u64,
    drawn: u64,
    lost: u64,
    /// Games in which the probe had a won position to move in, and those of them that it won.
    had_win: u64,
    had_win_and_won: u64,
    /// Games that ended worse than the best position that the probe had to move in.
    spoilt: u64,
}

/// How a game ended.
struct Ended {
    /// For the first player.
    outcome: Outcome,
    /// The best that the positions were worth in which either player moved by the probe.
    best: [Option<Outcome>; 2],
}

impl Visitor for Random<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Random { args, out } = self;
        let database = args.db.open(game)?;
        let start = database.probe(&database.game().start());
        let start = start.context("the whole game is not in the database")?;
        let mut random = StdRng::seed_from_u64(args.seed);
        let mut tally = Tally::default();
        for number in 0..args.games {
            let begins = number % 2 == 0;
            let ended = play(&database, [begins, !begins], &mut random)?;
            let outcome = if begins {
                ended.outcome
            } else {
                -ended.outcome
            };
            tally.add(outcome, ended.best[usize::from(!begins)]);
        }
        let Tally {
            won,
            drawn,
            lost,
            had_win,
            had_win_and_won,
            spoilt,
        } = tally;
        writeln!(
            out,
            "{} against random turns: {won} won, {drawn} drawn, {lost} lost of {}; \
             {had_win} reached a won position, {had_win_and_won} of these were won",
            args.ruleset, args.games
        )?;
        let mut as_stated = 0;
        for _ in 0..args.own {
            let ended = play(&database, [true; 2], &mut random)?;
            as_stated += u64::from(ended.outcome == start.outcome());
        }
        writeln!(
            out,
            "{} against itself: {as_stated} of {} ended as the start is worth: {start}",
            args.ruleset, args.own
        )?;
        ensure!(
            spoilt == 0 && as_stated == args.own,
            "the probe does not keep its promise"
        );
        Ok(())
    }
}

impl Tally {
    fn add(&mut self, outcome: Outcome, best: Option<Outcome>) {
        match outcome {
            Outcome::Win => self.won += 1,
            Outcome::Draw => self.drawn += 1,
            Outcome::Loss => self.lost += 1,
        }
        let had_win = best == Some(Outcome::Win);
        self.spoilt += u64::from(Some(outcome) < best);
        self.had_win += u64::from(had_win);
        self.had_win_and_won += u64::from(had_win && outcome == Outcome::Win);
    }
}

/// Plays a game; `by_probe` says which players play by the probe.
fn play<G: Game>(
    database: &Database<G>,
    by_probe: [bool; 2],
    random: &mut StdRng,
) -> anyhow::Result<Ended> {
    let game = database.game();
    let mut position = game.start();
    let mut best = [None; 2];
    let mut turns = Vec::new();
    for ply in 0..MOST_PLIES {
        let player = ply % 2;
        if let Some(value) = game.finished(&position) {
            let outcome = Value::outcome(value);
            let outcome = if player == 0 { outcome } else { -outcome };
            return Ok(Ended { outcome, best });
        }
        position = if by_probe[player] {
            let (after, verdict) = any_best(database, &position, random)?;
            best[player] = best[player].max(Some(verdict.outcome()));
            after
        } else {
            game.turns(&position, &mut turns);
            game.play(&position, turns.choose(random).expect("a turn"))
        };
    }
    Ok(Ended {
        outcome: Outcome::Draw,
        best,
    })
}

/// Any of the turns that are worth as much as the best.
fn any_best<G: Game>(
    database: &Database<G>,
    position: &G::Position,
    random: &mut StdRng,
) -> anyhow::Result<(G::Position, Verdict)> {
    let moves = database.moves(position)?;
    let worth = |i: usize| moves.get(i).and_then(|ranked| ranked.value.verdict());
    let best = worth(0).context("a table is missing")?;
    let equal = (0..moves.len()).take_while(|&i| worth(i) == Some(best));
    let chosen = random.random_range(0..equal.count());
    Ok((moves[chosen].after, best))
}
