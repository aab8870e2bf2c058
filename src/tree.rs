//! `endmill tree`: the moves of a position and the replies to them, up to symmetry.

use std::io::Write;

use endmill_games::Charset;
use endmill_probe::AnyDatabase;
use endmill_probe::answers::Branch;

use crate::drawing;
use crate::probe::{Question, Reply, STATUS, heading, worth};

/// Larger trees are unreadable.
const MOST_DEPTH: u8 = 6;

/// Print the moves of a position, the replies to them, and so on, with their values.
///
/// Moves that lead to symmetric positions are shown once, with their number. The best moves come
/// first.
#[derive(clap::Args)]
#[command(after_help = STATUS)]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// The depth: 1 for the moves of the position, 2 for the replies too
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=i64::from(MOST_DEPTH)))]
    depth: u8,
}

impl Args {
    /// Prints the tree.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let depth = self.depth;
        let ask = |database: &dyn AnyDatabase, position: &str, json| {
            reply(database, position, json, depth)
        };
        self.question.ask(&ask, out)
    }
}

fn reply(
    database: &dyn AnyDatabase,
    position: &str,
    json: bool,
    depth: u8,
) -> anyhow::Result<Reply> {
    let tree = database.tree(position.into(), depth)?;
    if json {
        return Ok(serde_json::to_string(&tree)?.into());
    }
    let mut text = heading(
        database,
        &tree.head,
        &tree.value,
        tree.draw_rank.as_ref().and_then(Option::as_ref),
    )? + "\n";
    write_branches(&tree.moves, 1, &mut text);
    Ok(text.into())
}

fn write_branches(branches: &[Branch], level: usize, text: &mut String) {
    let wide = branches.iter().map(|branch| branch.text.len()).max();
    let wide = wide.unwrap_or(0);
    for branch in branches {
        let indent = "  ".repeat(level);
        let worth = worth(&branch.value, &branch.draw_rank, branch.missing.as_deref());
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
