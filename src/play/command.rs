//! Parses a typed line: a command, or a move.

use std::path::PathBuf;

use endmill_engine::Level;
use endmill_games::Colour;

use crate::drawing::filled;

/// The commands, for `help`.
const COMMANDS: [(&str, &str); 20] = [
    (
        "hint",
        "show all moves with their values, best first; estimates where the database has none",
    ),
    ("moves", "list all moves"),
    ("board", "show the board again"),
    ("flip", "show the board from the other side"),
    ("history", "list the moves so far"),
    ("position", "print the position, for endmill probe"),
    ("rules", "print the rules"),
    (
        "undo",
        "take back your last move, or the one you have begun",
    ),
    ("resign", "resign the game"),
    ("draw", "offer a draw"),
    (
        "level LEVEL",
        "let low, medium, high, perfect or human play the other side; level white LEVEL names the side",
    ),
    ("swap", "change sides with the other player"),
    ("new", "start a new game, and keep this one"),
    (
        "save [FILE]",
        "save the game to its file or a new one; as PDN if the name ends in .pdn",
    ),
    ("load FILE", "resume a saved game, and keep this one"),
    (
        "quit",
        "save the game in a file and leave, as does the end of the input",
    ),
    ("discard", "leave without saving the game"),
    ("help", "print this list"),
    ("Up, Down", "earlier lines, at a terminal"),
    ("Ctrl-D, Ctrl-C", "like quit"),
];

/// The list of commands.
pub fn help() -> String {
    let entry = |(name, text): &(&str, &str)| {
        let indent = " ".repeat(17);
        filled(&format!("  {name:<15}{text}"), &indent)
    };
    COMMANDS.iter().map(entry).collect::<Vec<_>>().join("\n")
}

/// A typed line.
#[derive(Debug, PartialEq, Eq)]
pub enum Command<'a> {
    Hint,
    Moves,
    Board,
    Flip,
    History,
    Position,
    Rules,
    Undo,
    Resign,
    Draw,
    /// The player of a side, or of the other side; `None` is a person.
    Level(Option<Colour>, Option<Level>),
    Swap,
    New,
    Save(Option<PathBuf>),
    Load(PathBuf),
    Quit,
    Discard,
    Help,
    /// The answer to a question.
    Answer(bool),
    /// A move, or a part of one.
    Turn(&'a str),
}

impl<'a> Command<'a> {
    /// Parses a line; the error is a message for the user. A word of three or more letters is a
    /// command or a mistake: no move has that many letters in a row.
    pub fn read(line: &'a str) -> Result<Command<'a>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = || (!rest.is_empty()).then(|| PathBuf::from(rest));
        let command = match word.to_ascii_lowercase().as_str() {
            "save" => return Ok(Command::Save(file())),
            "load" => {
                return file()
                    .map(Command::Load)
                    .ok_or_else(|| "expected a file: load FILE".to_owned());
            }
            "level" => return level(rest),
            "hint" | "hints" => Command::Hint,
            "moves" | "turns" => Command::Moves,
            "board" => Command::Board,
            "flip" => Command::Flip,
            "history" => Command::History,
            "position" => Command::Position,
            "rules" => Command::Rules,
            "undo" => Command::Undo,
            "resign" => Command::Resign,
            "draw" => Command::Draw,
            "swap" => Command::Swap,
            "new" => Command::New,
            "quit" | "exit" | "q" => Command::Quit,
            "discard" => Command::Discard,
            "help" | "?" => Command::Help,
            "yes" | "y" => Command::Answer(true),
            "no" | "n" => Command::Answer(false),
            _ if word.chars().take_while(|c| c.is_alphabetic()).count() > 2 => {
                return Err(format!("unknown command {word:?}: try help"));
            }
            _ => return Ok(Command::Turn(line)),
        };
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(format!("{word} takes no argument, found {rest:?}"))
        }
    }
}

/// Parses `[white|black] low|…|human`.
fn level<'a>(rest: &str) -> Result<Command<'a>, String> {
    let mut words = rest.split_whitespace().peekable();
    let colours = [Colour::White, Colour::Black];
    let named = |word: &&str| {
        colours
            .into_iter()
            .find(|side| side.name() == word.to_lowercase())
    };
    let side = words.peek().and_then(named);
    if side.is_some() {
        words.next();
    }
    let who = match (words.next(), words.next()) {
        (Some(who), None) => who,
        _ => return Err("expected a level: low, medium, high, perfect or human".to_owned()),
    };
    if who.eq_ignore_ascii_case("human") {
        return Ok(Command::Level(side, None));
    }
    let level = who.parse().map_err(|unknown| format!("{unknown}"))?;
    Ok(Command::Level(side, Some(level)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_moves_or_mistakes() {
        assert_eq!(Command::read(" Undo \r\n"), Ok(Command::Undo));
        assert_eq!(Command::read("A1-a4 X g7"), Ok(Command::Turn("A1-a4 X g7")));
        assert_eq!(Command::read(""), Ok(Command::Turn("")));
        let file = Some("my game.txt".into());
        assert_eq!(Command::read("save  my game.txt "), Ok(Command::Save(file)));
        assert_eq!(Command::read("save"), Ok(Command::Save(None)));
        let high = Command::Level(Some(Colour::Black), Some(Level::High));
        assert_eq!(Command::read("level Black HIGH"), Ok(high));
        assert_eq!(Command::read("level human"), Ok(Command::Level(None, None)));
        for line in ["load", "undo 3", "castle", "hint!", "level", "level best"] {
            assert!(Command::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn every_line_of_help_is_indented_alike() {
        let help = help();
        assert!(
            help.starts_with("  hint           show all moves"),
            "{help}"
        );
        assert!(help.lines().all(|line| line.starts_with("  ")), "{help}");
    }
}
