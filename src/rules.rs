//! `endmill rules`: lists the rulesets, for people and for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use games::{Description, Game, Visitor, rulesets};
use serde::Serialize;

/// List the rulesets with their boards, men and options.
#[derive(clap::Args)]
pub struct Args {
    /// Write a JSON array instead of a table
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Writes every ruleset there is.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let all: Vec<Description> = rulesets().map(|ruleset| ruleset.visit(Describe)).collect();
        if self.json {
            let all: Vec<Entry> = all.iter().map(Entry::from).collect();
            writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        } else {
            write_table(&all, out)?;
        }
        Ok(())
    }
}

struct Describe;

impl Visitor for Describe {
    type Output = Description;

    fn visit<G: Game>(self, game: G) -> Description {
        game.description()
    }
}

/// The numbers of every ruleset in one table, then the options, which are too different for
/// columns.
fn write_table(all: &[Description], out: &mut dyn Write) -> io::Result<()> {
    let heads = "points  edges  lines  symmetries  men  title";
    writeln!(out, "ruleset     {heads}")?;
    for of in all {
        write!(out, "{:<10}  {:>6}  {:>5}", of.id, of.points, of.edges)?;
        write!(out, "  {:>5}  {:>10}", of.lines, of.symmetries)?;
        writeln!(out, "  {:>3}  {}", of.men, of.title)?;
    }
    writeln!(out)?;
    for of in all {
        let mut id = of.id.as_str();
        for (name, value) in &of.options {
            writeln!(out, "{id:<10}  {name}: {value}")?;
            id = "";
        }
    }
    Ok(())
}

/// A description as programs read it.
#[derive(Serialize)]
struct Entry<'a> {
    id: &'a str,
    game: &'a str,
    title: &'a str,
    board: Board,
    men: u32,
    options: BTreeMap<&'a str, &'a str>,
}

#[derive(Serialize)]
struct Board {
    points: u32,
    edges: u32,
    lines: u32,
    symmetries: u32,
}

impl<'a> From<&'a Description> for Entry<'a> {
    fn from(of: &'a Description) -> Entry<'a> {
        let options = of.options.iter();
        Entry {
            id: &of.id,
            game: of.game,
            title: &of.title,
            board: Board {
                points: of.points,
                edges: of.edges,
                lines: of.lines,
                symmetries: of.symmetries,
            },
            men: of.men,
            options: options
                .map(|(name, value)| (*name, value.as_str()))
                .collect(),
        }
    }
}
