//! What a line says: a command, or a turn.

use std::path::PathBuf;

/// The commands, for `help`.
pub const HELP: &str = "\
  hint         all turns with their outcomes, best first, from the database
  moves        all turns
  board        the board again
  position     the position as text, for endmill probe
  undo         take back: your last turn, or the one you have begun
  resign       give the game up
  save [FILE]  save the game, to its file or to a new one
  load FILE    go on with a saved game
  quit         keep the game in a file and leave; so does the end of the input
  discard      leave, and do not keep the game
  help         this";

/// A line that was typed.
#[derive(Debug, PartialEq, Eq)]
pub enum Command<'a> {
    Hint,
    Moves,
    Board,
    Position,
    Undo,
    Resign,
    Save(Option<PathBuf>),
    Load(PathBuf),
    Quit,
    Discard,
    Help,
    /// No command: a turn, or a part of one.
    Turn(&'a str),
}

impl<'a> Command<'a> {
    /// Reads a line; the error is what to say about it. A word of three letters or more is a
    /// command or a mistake: no turn has so many letters in a row.
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
                    .ok_or_else(|| "load which file? load FILE".to_owned());
            }
            "hint" | "hints" => Command::Hint,
            "moves" | "turns" => Command::Moves,
            "board" => Command::Board,
            "position" => Command::Position,
            "undo" => Command::Undo,
            "resign" => Command::Resign,
            "quit" | "exit" | "q" => Command::Quit,
            "discard" => Command::Discard,
            "help" | "?" => Command::Help,
            _ if word.chars().take_while(|c| c.is_alphabetic()).count() > 2 => {
                return Err(format!("there is no command {word:?}: try help"));
            }
            _ => return Ok(Command::Turn(line)),
        };
        if rest.is_empty() {
            Ok(command)
        } else {
            Err(format!("{word} takes nothing after it, found {rest:?}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands_turns_or_mistakes() {
        assert_eq!(Command::read(" Undo \r\n"), Ok(Command::Undo));
        assert_eq!(Command::read("A1-a4 X g7"), Ok(Command::Turn("A1-a4 X g7")));
        assert_eq!(Command::read(""), Ok(Command::Turn("")));
        let file = Some("my game.txt".into());
        assert_eq!(Command::read("save  my game.txt "), Ok(Command::Save(file)));
        assert_eq!(Command::read("save"), Ok(Command::Save(None)));
        for line in ["load", "undo 3", "castle", "hint!"] {
            assert!(Command::read(line).is_err(), "{line}");
        }
    }
}
