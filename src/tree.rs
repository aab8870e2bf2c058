//! `endmill tree`: the turns of a position and the replies to them, up to symmetry.

use std::io::Write;

use endmill_games::Charset;
use endmill_probe::AnyDatabase;
use endmill_probe::answers::Branch;

use crate::drawing;
use crate::probe::{Ask, Question, Reply, STATUS, heading, worth};

/// More than anybody reads.
const MOST_DEPTH: u8 = 6;

/// Show the turns of a position, the replies to them, and so on, each with what it is worth.
///
/// Turns that lead to symmetric positions are shown once, with the number of those they stand for.
/// Best turns come first.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Turns in a row: 1 = the turns of the position, 2 = the replies too
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_DEPTH)))]
    depth: u8,
}

impl Args {
    /// Answers.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let tree = Tree { depth: self.depth };
        self.question.ask(&tree, out)
    }
}

struct Tree {
    depth: u8,
}

impl Ask for Tree {
    fn reply(
        &self,
        database: &dyn AnyDatabase,
        position: &str,
        json: bool,
    ) -> anyhow::Result<Reply> {
        let tree = database.tree(position.into(), self.depth)?;
        let text = if json {
            serde_json::to_string(&tree)?
        } else {
            let mut text = heading(database, &tree.head, &tree.value)? + "\n";
            write_branches(&tree.moves, 1, &mut text);
            text
        };
        Ok(Reply {
            text,
            unknown: None,
        })
    }
}

fn write_branches(branches: &[Branch], level: usize, text: &mut String) {
    let wide = branches.iter().map(|branch| branch.text.len()).max();
    let wide = wide.unwrap_or(0);
    for branch in branches {
        let indent = "  ".repeat(level);
        let worth = worth(&branch.value, branch.missing.as_deref());
        let times = match branch.alike {
            1 => String::new(),
            count => match drawing::charset() {
                Charset::Unicode => format!("  ×{count}"),
                Charset::Ascii => format!("  x{count}"),
            },
        };
        *text += &format!("\n{indent}{:<wide$}  {worth}{times}", branch.text);
        write_branches(&branch.replies, level + 1, text);
    }
}
