//! `endmill rules`: lists the rulesets.

use std::io::{self, Write};

use endmill_games::{Description, Game, Ruleset, Visitor, rulesets};
use endmill_probe::answers::RulesetAnswer;

use crate::columns::{Column, columns, write_columns};
use crate::drawing;
use crate::repair::quoted;

/// List the rulesets, or print the rules of one in words
///
/// Define a morris ruleset of your own in a rules file. Write one to begin with, change its id and its
/// rules, check it, and use it wherever a command takes the id of a ruleset:
///
///   endmill rules six --toml > my-rules.toml
///   endmill rules my-rules.toml
///   endmill build my-rules.toml
///
/// Errors in a file are reported with their line, field and expected value. docs/rules-file.md
/// describes each field.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The id of a ruleset, or a rules file: print its rules in words and its board
    ruleset: Option<String>,
    /// Print a rules file
    #[arg(long, requires = "ruleset", conflicts_with = "json")]
    toml: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Prints the rulesets.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let one = self.ruleset.as_deref().map(Ruleset::open).transpose()?;
        if let Some(one) = one {
            if self.toml {
                let text = one.to_toml().ok_or_else(|| NoRulesFile(one.id()))?;
                write!(out, "{text}")?;
            } else if self.json {
                writeln!(out, "{}", serde_json::to_string_pretty(&one.visit(Answer))?)?;
            } else {
                let name = self.ruleset.as_deref().unwrap_or_default();
                write!(out, "{}", one.visit(Explain { name }))?;
            }
        } else if self.json {
            let all: Vec<RulesetAnswer> = rulesets().map(|known| known.visit(Answer)).collect();
            writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        } else {
            let all: Vec<Description> = rulesets().map(|known| known.visit(Describe)).collect();
            write_table(&all, out)?;
        }
        Ok(())
    }
}

/// The rules of a game are not data.
#[derive(Debug, thiserror::Error)]
#[error("{0} has no rules file: only morris rules are data")]
pub struct NoRulesFile(&'static str);

struct Answer;

impl Visitor for Answer {
    type Output = RulesetAnswer;

    fn visit<G: Game>(self, game: G) -> RulesetAnswer {
        RulesetAnswer::new(&game)
    }
}

/// The rules in words, with the board at the start.
struct Explain<'a> {
    /// The ruleset as in the command.
    name: &'a str,
}

impl Visitor for Explain<'_> {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let Description { title, words, .. } = game.description();
        let start = game.start();
        let drawn = game.diagram(&start).written(drawing::charset());
        let mut text = format!("{title}\n\n{drawn}\n");
        for paragraph in words {
            text += &drawing::filled(&format!("- {paragraph}\n"), "  ");
        }
        let mut turns = Vec::new();
        game.turns(&start, &mut turns);
        if let Some(first) = turns.first() {
            let first = game.format_turn(&start, first);
            let name = quoted(self.name);
            let last =
                format!("For example, {first} is a legal first move. To play: endmill play {name}");
            text += &format!("\n{}\n", drawing::fitted(&last));
        }
        text
    }
}

struct Describe;

impl Visitor for Describe {
    type Output = Description;

    fn visit<G: Game>(self, game: G) -> Description {
        game.description()
    }
}

/// Prints the numbers of all rulesets in a table, then the options, which differ too much for columns.
fn write_table(all: &[Description], out: &mut dyn Write) -> io::Result<()> {
    let mut numbers = columns(&[
        Column::Left("ruleset"),
        Column::Right("points"),
        Column::Right("edges"),
        Column::Right("lines"),
        Column::Right("symmetries"),
        Column::Right("men"),
        Column::Left("title"),
    ]);
    numbers.add_rows(all.iter().map(|of| {
        let lines = of.count("lines").unwrap_or(0);
        let counts = [of.points, of.edges, lines, of.symmetries, of.men];
        let counts = counts.map(|count| count.to_string());
        std::iter::once(of.id.clone())
            .chain(counts)
            .chain([of.title.clone()])
    }));
    write_columns(&numbers, out)?;
    writeln!(out)?;
    for of in all {
        let mut id = of.id.as_str();
        for (name, value) in &of.options {
            writeln!(out, "{id:<15}  {name}: {value}")?;
            id = "";
        }
    }
    Ok(())
}
