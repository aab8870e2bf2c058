//! A search that probes at its leaves: outcomes inside the tree, plies at the root.
//!
//! `cargo run -p endmill-probe --example search -- data/db 'W:Wd1,b2,d2:Ba1,f2,a4,e4'`

use std::error::Error;
use std::path::Path;

use endmill_games::prelude::*;
use endmill_games::{Outcome, morris};
use endmill_probe::{Database, Options};

const WON: i32 = 1_000;

/// Negamax. Positions with a known value are not searched.
fn search<G: Game>(database: &Database<G>, position: &G::Position, depth: u32) -> i32 {
    let game = database.game();
    if let Some(value) = game.finished(position) {
        return if value.plies().is_some() { -WON } else { 0 };
    }
    // This costs one hash look-up if the table is missing.
    if database.covers(position) {
        match database.probe_outcome(position) {
            Ok(Some(Outcome::Win)) => return WON,
            Ok(Some(Outcome::Loss)) => return -WON,
            Ok(Some(Outcome::Draw)) => return 0,
            Ok(None) => {}                                // not known: search on
            Err(error) => eprintln!("not used: {error}"), // a damaged file: search on
        }
    }
    if depth == 0 {
        return game.evaluate(position).clamp(1 - WON, WON - 1);
    }
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let values = turns.iter().map(|turn| {
        let after = game.play(position, turn);
        -search(database, &after, depth - 1)
    });
    values.max().unwrap_or(-WON)
}

/// The turn to make in a position of nine men's morris.
pub fn run(directory: &Path, text: &str) -> Result<String, Box<dyn Error>> {
    let options = Options {
        cache_bytes: 16 << 20,
        ..Options::default()
    };
    let database = Database::open_with(directory, morris::nine(), &options)?;
    let game = database.game();
    let position = game.parse_position(text)?;
    // At the root, use plies if they are known, so that a won game is actually won.
    if let Ok(Some(best)) = database.best(&position) {
        return Ok(game.format_turn(&position, &best.turn));
    }
    let mut turns = Vec::new();
    game.turns(&position, &mut turns);
    let best = turns.iter().max_by_key(|turn| {
        let after = game.play(&position, turn);
        -search(&database, &after, 2)
    });
    let best = best.ok_or("the game is over")?;
    Ok(game.format_turn(&position, best))
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("which database?")?;
    let text = arguments.next().ok_or("which position?")?;
    println!("{}", run(Path::new(&directory), &text)?);
    Ok(())
}
