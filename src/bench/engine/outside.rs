//! `endmill bench engine outside`: does the database help where it does not reach?

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use endmill_engine::{Engine, Level, Limits, Score};
use endmill_games::{Game, Outcome, Ruleset, Visitor};
use endmill_probe::Database;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::bench::draw::Draw;
use crate::db::Db;

/// Search random positions that are not in a database, with it and without it.
///
/// Positions are drawn from the tables of another, larger database, which knows their outcomes: as
/// many won as drawn and lost ones. An outcome is announced by an exact score, or by points beyond
/// a threshold; of some thresholds the one that is right most often is reported, for each search
/// apart.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`, or a rules file
    ruleset: String,
    /// Where the larger database is
    #[arg(long, value_name = "DIR")]
    truth: PathBuf,
    /// Draw positions with N pieces
    #[arg(long, value_name = "N")]
    pieces: u32,
    #[command(flatten)]
    db: Db,
    /// Positions to search
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
    /// Another draw of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const THRESHOLDS: [i32; 8] = [25, 50, 75, 100, 150, 200, 300, 500];

impl Args {
    /// Searches, and reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let ruleset = Ruleset::open(&self.ruleset)?;
        let lines = ruleset.visit(DrawTruth { args: &self })?;
        ruleset.visit(Outside {
            args: &self,
            lines,
            out,
        })
    }
}

/// Positions with their outcomes, in words: the two databases have a game each.
struct DrawTruth<'a> {
    args: &'a Args,
}

impl Visitor for DrawTruth<'_> {
    type Output = anyhow::Result<Vec<(String, Outcome)>>;

    fn visit<G: Game>(self, game: G) -> Self::Output {
        let database = self.args.db.read.open(&self.args.truth, game)?;
        let draw = Draw::new(&database, |table| {
            database.game().pieces(table) == self.args.pieces
        })?;
        let mut random = StdRng::seed_from_u64(self.args.seed);
        let kinds = [Outcome::Win, Outcome::Draw, Outcome::Loss];
        let mut drawn = Vec::new();
        for &wanted in kinds.iter().cycle().take(self.args.positions) {
            let position = loop {
                let position = draw.position(&mut random);
                let over = database.game().finished(&position).is_some();
                if !over && database.probe(&position)?.outcome() == wanted {
                    break position;
                }
            };
            drawn.push((database.game().format_position(&position), wanted));
        }
        Ok(drawn)
    }
}

struct Outside<'a> {
    args: &'a Args,
    lines: Vec<(String, Outcome)>,
    out: &'a mut dyn Write,
}

/// How the searches of one kind did.
struct Tally {
    /// Right by an exact win or loss.
    proved: usize,
    /// The best threshold, and how often it is right.
    threshold: i32,
    right: usize,
}

impl Visitor for Outside<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let Outside { args, lines, out } = self;
        let database = args.db.open(game)?;
        let game = database.game();
        let mut positions = Vec::new();
        for (text, truth) in &lines {
            let position = game.parse_position(text)?;
            anyhow::ensure!(!database.covers(&position), "{text} is in the database");
            positions.push((position, *truth));
        }
        for &nodes in &args.nodes {
            for (name, database) in [("alone", None), ("with the database", Some(&database))] {
                let Tally {
                    proved,
                    threshold,
                    right,
                } = tally(game, database, &positions, nodes);
                let all = positions.len();
                writeln!(
                    out,
                    "{} {} pieces, {nodes} nodes, search {name}: {right} of {all} right \
                     (beyond {threshold} points), {proved} of them proved wins and losses",
                    args.ruleset, args.pieces,
                )?;
            }
        }
        Ok(())
    }
}

fn tally<G: Game>(
    game: &G,
    database: Option<&Database<G>>,
    positions: &[(G::Position, Outcome)],
    nodes: u64,
) -> Tally {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let search = |position: &G::Position| {
        let mut engine =
            Engine::new(game, database, Level::Perfect, 1).with_memory(nodes as usize * 64);
        let never = AtomicBool::new(false);
        let choice = engine.choose(position, &[], &limits, &never, &mut |_| {});
        choice.map_or(Score::LossIn(0), |choice| choice.score)
    };
    let found = positions.iter();
    let found: Vec<(Score, Outcome)> = found
        .map(|(position, truth)| (search(position), *truth))
        .collect();
    let right = |threshold: i32| {
        let right = found.iter();
        right
            .filter(|(score, truth)| announced(*score, threshold) == *truth)
            .count()
    };
    let best = THRESHOLDS
        .into_iter()
        .max_by_key(|&threshold| right(threshold));
    let threshold = best.unwrap_or_default();
    let exact = found
        .iter()
        .filter(|(score, truth)| *truth != Outcome::Draw && score.outcome() == Some(*truth));
    Tally {
        proved: exact.count(),
        threshold,
        right: right(threshold),
    }
}

fn announced(score: Score, threshold: i32) -> Outcome {
    match (score, score.outcome()) {
        (_, Some(outcome)) => outcome,
        (Score::Points(points), _) if points >= threshold => Outcome::Win,
        (Score::Points(points), _) if points <= -threshold => Outcome::Loss,
        _ => Outcome::Draw,
    }
}
