//! Probes a ruleset that is known only at run time: text in, JSON out.
//!
//! `cargo run -p endmill-probe --example any_ruleset -- data/db draughts 'B:W18,K31:B12,K5'`

use std::error::Error;
use std::path::Path;

use endmill_probe::{Options, open_any};

/// The answer as JSON.
pub fn run(directory: &Path, ruleset: &str, text: &str) -> Result<String, Box<dyn Error>> {
    let database = open_any(directory, ruleset, &Options::default())?;
    let answer = database.probe(text.into(), true)?;
    Ok(serde_json::to_string(&answer)?)
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("which database?")?;
    let ruleset = arguments.next().ok_or("which ruleset?")?;
    let text = arguments.next().ok_or("which position?")?;
    println!("{}", run(Path::new(&directory), &ruleset, &text)?);
    Ok(())
}
