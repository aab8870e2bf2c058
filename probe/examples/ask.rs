//! Who wins here, in how many plies, and by which turn?
//!
//! `cargo run -p endmill-probe --example ask -- data/db 'W:Wd1,b2,d2:Ba1,f2,a4,e4'`

use std::error::Error;
use std::path::Path;

use endmill_games::prelude::*;
use endmill_games::{Outcome, morris};
use endmill_probe::Database;

/// Answers for a position of nine men's morris.
pub fn run(directory: &Path, text: &str) -> Result<String, Box<dyn Error>> {
    let database = Database::open(directory, morris::nine())?;
    let game = database.game();
    let position = game.parse_position(text)?;
    let verdict = database.probe(&position)?;
    let mut answer = format!("{verdict}");
    for ranked in database.moves(&position)? {
        let turn = game.format_turn(&position, &ranked.turn);
        if let Some(verdict) = ranked.value.verdict() {
            answer += &format!("\n{turn}: {verdict}");
        }
    }
    if verdict.outcome() != Outcome::Draw {
        let line = database.line(&position)?;
        answer += &format!("\nover after {} plies of best play", line.steps.len());
    }
    Ok(answer)
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("which database?")?;
    let text = arguments.next().ok_or("which position?")?;
    println!("{}", run(Path::new(&directory), &text)?);
    Ok(())
}
