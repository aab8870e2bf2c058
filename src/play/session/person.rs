//! What a person at the table says, and what comes of it.

use std::io::{IsTerminal, stdin};

use games::{Colour, Game, Reading};

use super::{Flow, Session};
use crate::play::command::{Command, HELP};
use crate::play::hints::{known, wrapped};
use crate::play::input::Event;
use crate::probe::title;

/// The answer to whoever wants to play on.
const OVER: &str = "The game is over: undo, save, load or quit";

impl<G: Game> Session<'_, G> {
    pub(super) fn ask(&mut self) -> anyhow::Result<Flow> {
        let over = self.setup.record.ending().is_some();
        let colour = title(self.setup.record.to_move());
        match &self.open {
            _ if over => write!(self.out, "Game over> ")?,
            Some(open) if !open.so_far.is_empty() => {
                write!(self.out, "{colour} {}> ", open.so_far)?
            }
            _ => write!(self.out, "{colour}> ")?,
        }
        self.out.flush()?;
        match self.input.next() {
            Event::Line(line) => {
                // What comes by a pipe is not seen otherwise.
                if !stdin().is_terminal() {
                    self.say(&line)?;
                }
                self.obey(&line)
            }
            Event::End => {
                self.say("")?;
                Ok(Flow::Leave)
            }
        }
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Flow> {
        match Command::read(line) {
            Err(complaint) => self.say(&complaint)?,
            Ok(Command::Turn(text)) => self.turn(text)?,
            Ok(Command::Help) => {
                let text = match self.turns().first() {
                    Some(turn) => format!("Type a turn, such as {turn}, or one of these:\n{HELP}"),
                    None => HELP.to_owned(),
                };
                self.say(&text)?;
            }
            Ok(Command::Board) => self.changed = true,
            Ok(Command::Position) => {
                let position = self.game().format_position(self.setup.record.position());
                self.say(&position)?;
            }
            Ok(Command::Moves) => {
                let text = match &self.turns()[..] {
                    [] => OVER.to_owned(),
                    turns => wrapped("Turns:", turns.iter().cloned()),
                };
                self.say(&text)?;
            }
            Ok(Command::Hint) => self.hint()?,
            Ok(Command::Undo) => self.undo()?,
            Ok(Command::Resign) => self.resign()?,
            Ok(Command::Save(file)) => self.save(file.as_deref())?,
            Ok(Command::Load(file)) => self.load(&file)?,
            Ok(Command::Quit) => return Ok(Flow::Leave),
            Ok(Command::Discard) => return Ok(Flow::Discard),
        }
        Ok(Flow::On)
    }

    /// The legal turns as they are written.
    fn turns(&self) -> Vec<String> {
        let (game, position) = (self.game(), self.setup.record.position());
        let mut turns = Vec::new();
        if self.setup.record.ending().is_none() {
            game.turns(position, &mut turns);
        }
        let names = turns.iter().map(|turn| game.format_turn(position, turn));
        names.collect()
    }

    fn turn(&mut self, text: &str) -> anyhow::Result<()> {
        let (game, position) = (self.game(), *self.setup.record.position());
        if self.setup.record.ending().is_some() {
            return self.say(OVER);
        }
        let read = match &self.open {
            _ if text.is_empty() => {
                let example = self.turns().into_iter().next().unwrap_or_default();
                return self.say(&format!("Type a turn, such as {example}, or help"));
            }
            Some(open) => open.complete(game, &position, text),
            None => game.read_turn(&position, text),
        };
        match read {
            Ok(Reading::Whole(turn)) => {
                let mover = title(self.setup.record.to_move());
                self.say(&format!(
                    "{mover} plays {}",
                    game.format_turn(&position, &turn)
                ))?;
                self.setup.record.play(turn);
                self.open = None;
                self.changed = true;
            }
            Ok(Reading::Partial(partial)) => {
                let answers = partial.answers.iter().map(|(answer, _)| answer.clone());
                let question = wrapped(&partial.question, answers);
                self.say(&question)?;
                self.open = Some(partial);
            }
            Err(error) => self.say(&error.to_string())?,
        }
        Ok(())
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.setup.record.ending().is_some() {
            return self.say(OVER);
        }
        let position = *self.setup.record.position();
        let text = match known(self.setup.database, &position) {
            Ok(known) => known,
            Err(error) if error.is_missing() => {
                if self.setup.database.coverage().tables.is_empty() {
                    self.no_database()
                } else {
                    format!("The database does not know: {error}")
                }
            }
            Err(error) => format!("The database cannot be read: {error}"),
        };
        self.say(&text)
    }

    /// Takes back the turn that has begun; or all until a person's last turn.
    fn undo(&mut self) -> anyhow::Result<()> {
        if self.open.take().is_some() {
            self.changed = true;
            return Ok(());
        }
        let engines = &self.engines;
        let human = |colour: Colour| engines[colour as usize].is_none();
        if !self.setup.record.undo_to(human) {
            return self.say("There is nothing to take back");
        }
        self.changed = true;
        Ok(())
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        if self.setup.record.ending().is_some() {
            return self.say(OVER);
        }
        self.open = None;
        self.setup.record.resign();
        self.changed = true;
        Ok(())
    }
}
