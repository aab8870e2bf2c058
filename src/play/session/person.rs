//! The commands of a person.

use std::io::{IsTerminal, stdin};
use std::time::Duration;

use endmill_games::{Colour, Game, Reading};
use endmill_records::Termination;

use super::{Flow, Session};
use crate::drawing::{filled, listed};
use crate::play::Player;
use crate::play::clock::now_ms;
use crate::play::command::{Command, help};
use crate::play::hints::hint;
use crate::play::input::Event;
use crate::probe::title;

/// The answer to a move or command after the end.
const OVER: &str = "The game is over; try undo, save, load, new or quit";

impl<G: Game> Session<'_, G> {
    pub(super) fn ask(&mut self) -> anyhow::Result<Flow> {
        let over = self.record.ending().is_some();
        let mover = self.record.to_move();
        let colour = title(mover);
        let prompt = match &self.open {
            _ if over => "Game over> ".to_owned(),
            _ if self.offered => format!("{}, agree? yes or no> ", title(mover.other())),
            Some(open) if !open.so_far.is_empty() => format!("{colour} {}> ", open.so_far),
            _ => format!("{colour}> "),
        };
        if !self.setup.input.edits {
            write!(self.out, "{prompt}")?;
        }
        self.out.flush()?;
        let running = self.setup.clock.filter(|_| !over);
        let patience = running.map(|clock| Duration::from_millis(clock.left(mover, now_ms())));
        match self.setup.input.next(&prompt, patience) {
            Event::Line(line) => {
                // Echo the input of a pipe.
                if !stdin().is_terminal() {
                    self.say(&line)?;
                }
                self.obey(&line)
            }
            Event::Late => {
                self.record.terminate(Termination::Late(mover));
                self.say("")?;
                self.changed()?;
                Ok(Flow::On)
            }
            Event::End => {
                // Ignores a terminal that was closed.
                let _ = self.say("");
                Ok(Flow::Leave)
            }
        }
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Flow> {
        match Command::read(line) {
            Err(complaint) => self.say(&complaint)?,
            Ok(Command::Turn(text)) => self.turn(text)?,
            Ok(Command::Help) => {
                let help = help();
                let text = match self.turns().first() {
                    Some(turn) => format!("Type a move, such as {turn}, or one of these:\n{help}"),
                    None => help,
                };
                self.say(&text)?;
            }
            Ok(Command::Board) => self.changed = true,
            Ok(Command::Flip) => {
                self.setup.style.turned ^= true;
                self.changed = true;
            }
            Ok(Command::History) => self.history()?,
            Ok(Command::Rules) => {
                for words in self.game().description().words {
                    self.say(&filled(&words, "  "))?;
                }
            }
            Ok(Command::Position) => {
                let position = self.game().format_position(self.record.position());
                self.say(&position)?;
            }
            Ok(Command::Moves) => match &self.open {
                _ if self.record.ending().is_some() => self.say(OVER)?,
                // Show the values of the completions.
                Some(open) => {
                    let question = open.question.clone();
                    self.say(&question)?;
                    return self.hint_with_tables();
                }
                None => {
                    let turns = listed("Moves:", self.grouped_turns());
                    self.say(&turns)?;
                }
            },
            Ok(Command::Hint) => return self.hint_with_tables(),
            Ok(Command::Undo) => self.undo()?,
            Ok(Command::Resign | Command::Draw) if self.record.ending().is_some() => {
                self.say(OVER)?;
            }
            Ok(Command::Resign) => {
                let mover = self.record.to_move();
                self.record.terminate(Termination::Resigned(mover));
                self.changed()?;
            }
            Ok(Command::Draw) => self.offer_draw()?,
            Ok(Command::Answer(agrees)) => self.answer(agrees)?,
            Ok(Command::Level(side, level)) => {
                self.seat(side, level.map_or(Player::Human, Player::Engine))?;
            }
            Ok(Command::Swap) => self.swap()?,
            Ok(Command::New) => self.renew()?,
            Ok(Command::Save(file)) => self.save(file.as_deref())?,
            Ok(Command::Load(file)) => self.load(&file)?,
            Ok(Command::Quit) => return Ok(Flow::Leave),
            Ok(Command::Discard) => return Ok(Flow::Discard),
        }
        Ok(Flow::On)
    }

    /// The legal turns in notation.
    fn turns(&self) -> Vec<String> {
        let (game, position) = (self.game(), self.record.position());
        let mut turns = Vec::new();
        if self.record.ending().is_none() {
            game.turns(position, &mut turns);
        }
        let names = turns.iter().map(|turn| game.format_turn(position, turn));
        names.collect()
    }

    /// The legal turns, those that differ only in their removals in one group: `g1 (xf4 xa7)`.
    fn grouped_turns(&self) -> Vec<String> {
        let (game, position) = (self.game(), self.record.position());
        let mut turns = Vec::new();
        game.turns(position, &mut turns);
        let words: Vec<_> = turns
            .iter()
            .map(|turn| game.turn_words(position, turn))
            .collect();
        let alike = words.chunk_by(|a, b| a.len() > 1 && b.len() > 1 && a[0] == b[0]);
        let written = alike.map(|alike| match alike {
            [one] => one.concat(),
            [first, ..] => {
                let taken: Vec<_> = alike.iter().map(|words| words[1..].concat()).collect();
                format!("{} ({})", first[0], taken.join(" "))
            }
            [] => String::new(),
        });
        written.collect()
    }

    /// Prints the turns of both sides, numbered as in game scores.
    fn history(&mut self) -> anyhow::Result<()> {
        let turns: Vec<String> = self.record.turns().collect();
        if turns.is_empty() {
            return self.say("No moves yet");
        }
        let first = self.game().to_move(self.record.start());
        let pairs = (1..).zip(turns.chunks(2));
        let pairs = pairs.map(|(number, pair)| format!("{number}. {}", pair.join(" ")));
        let text = listed(&format!("{} began:", title(first)), pairs);
        self.say(&text)
    }

    fn turn(&mut self, text: &str) -> anyhow::Result<()> {
        let (game, position) = (self.game(), *self.record.position());
        if self.record.ending().is_some() {
            return self.say(OVER);
        }
        let read = match &self.open {
            _ if text.is_empty() => {
                let example = self.turns().into_iter().next().unwrap_or_default();
                return self.say(&format!("Type a move, such as {example}, or help"));
            }
            Some(open) => open.complete(game, &position, text),
            None => game.read_turn(&position, text),
        };
        match read {
            Ok(Reading::Whole(turn)) => {
                let mover = title(self.record.to_move());
                self.say(&format!(
                    "{mover} plays {}",
                    game.format_turn(&position, &turn)
                ))?;
                self.play_turn(turn)?;
            }
            Ok(Reading::Partial(partial)) => {
                let answers = partial.answers.iter().map(|(answer, _)| answer.clone());
                let question = listed(&partial.question, answers);
                self.say(&question)?;
                self.open = Some(partial);
                self.offered = false;
            }
            Err(error) => self.say(&error.to_string())?,
        }
        Ok(())
    }

    /// Shows a hint, after building a missing table if the user wants that.
    fn hint_with_tables(&mut self) -> anyhow::Result<Flow> {
        if self.record.ending().is_none() && self.build_table()? {
            self.hinting = true;
            return Ok(Flow::Reopen);
        }
        self.hint()?;
        Ok(Flow::On)
    }

    pub(super) fn hint(&mut self) -> anyhow::Result<()> {
        if self.record.ending().is_some() {
            return self.say(OVER);
        }
        let stop = self.setup.input.interrupted();
        let position = self.record.position();
        let text = match hint(self.database, position, self.open.as_ref(), stop) {
            Ok(known) => known,
            Err(error) => format!("The database cannot be read: {error}"),
        };
        self.say(&text)?;
        let counts = ["win in ", "loss in ", "wins in "];
        let counts = counts.iter().any(|words| text.contains(words));
        if counts && !std::mem::replace(&mut self.explained, true) {
            self.say("(win in 3: in three plies, that is, moves of either side)")?;
        }
        Ok(())
    }

    /// Takes back the turn that has begun, or else all turns since a person's last turn.
    fn undo(&mut self) -> anyhow::Result<()> {
        if self.open.take().is_some() {
            self.changed = true;
            return Ok(());
        }
        let players = self.setup.players;
        let human = |colour: Colour| players[colour as usize] == Player::Human;
        if !self.record.undo_to(human) {
            return self.say("There is nothing to take back");
        }
        self.restart_clock();
        self.changed()
    }
}
