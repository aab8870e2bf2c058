//! The levels at the table: their turns, their answers, and who sits where.

use std::sync::atomic::Ordering;
use std::time::Duration;

use endmill_engine::{Engine, Level, Limits, Score};
use endmill_games::{Colour, Game};
use endmill_records::Termination;

use super::{COLOURS, Flow, Session};
use crate::play::Player;
use crate::play::clock::now_ms;
use crate::probe::title;

/// A level agrees to a draw unless it expects to be ahead by more, in hundredths of a man.
const AHEAD: i32 = 25;

impl<'a, G: Game> Session<'a, G> {
    /// A level as it sits down for one turn. What it plays depends on the seed and on the game so
    /// far, and on nothing else: a game that was left and goes on goes on as if it had not been.
    fn level(&self, level: Level, colour: Colour) -> Engine<'a, G> {
        // Different for the two sides: one level against itself is not one mind.
        let seed = self.setup.seed.wrapping_mul(2).wrapping_add(colour as u64);
        let turn = self.record.turns_made() as u64;
        let seed = seed ^ turn.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let database = self.database;
        Engine::new(database.game(), Some(database), level, seed)
    }

    pub(super) fn engine_turn(&mut self, colour: Colour, level: Level) -> anyhow::Result<Flow> {
        write!(self.out, "{} ({level}) plays ", title(colour))?;
        self.out.flush()?;
        let mut engine = self.level(level, colour);
        let time = (self.setup.clock).map(|clock| clock.time_for_move(colour, now_ms()));
        let limits = Limits {
            time,
            ..level.limits()
        };
        let record = &self.record;
        let position = *record.position();
        let (history, stop) = (record.history(), self.setup.input.interrupted());
        let choice = engine.choose(&position, history, &limits, stop, &mut |_| {});
        let trouble = engine.take_trouble().filter(|error| !error.is_missing());
        if self.setup.input.interrupted().load(Ordering::Relaxed) {
            // A terminal that is gone shows nothing.
            let _ = writeln!(self.out);
            return Ok(Flow::Leave);
        }
        let choice = choice.ok_or_else(|| anyhow::anyhow!("{level} finds no turn"))?;
        let name = self.game().format_turn(&position, &choice.turn);
        self.say(&name)?;
        if let Some(error) = trouble {
            self.say(&format!("The database cannot be read: {error}"))?;
        }
        self.play_turn(choice.turn)?;
        if !self.has_people() && self.setup.pause > Duration::ZERO {
            self.show_if_changed()?;
            self.out.flush()?;
            if !self.setup.input.pause(self.setup.pause) {
                return Ok(Flow::Leave);
            }
        }
        Ok(Flow::On)
    }

    /// A draw is offered by the side to move: a level answers by what it expects, a person is asked.
    pub(super) fn offer_draw(&mut self) -> anyhow::Result<()> {
        let (mover, other) = {
            let mover = self.record.to_move();
            (mover, mover.other())
        };
        let Player::Engine(level) = self.setup.players[other as usize] else {
            self.offered = true;
            return self.say(&format!(
                "{} offers a draw. {}, do you agree? yes or no",
                title(mover),
                title(other)
            ));
        };
        let mut engine = self.level(level, other);
        let record = &self.record;
        let (history, stop) = (record.history(), self.setup.input.interrupted());
        let limits = level.limits();
        let expected = engine.choose(record.position(), history, &limits, stop, &mut |_| {});
        // What the side to move expects is what the level fears.
        let agrees = match expected.map(|choice| choice.score) {
            Some(Score::Points(points)) => points >= -AHEAD,
            Some(Score::WinIn(_) | Score::Win | Score::Draw) => true,
            Some(Score::LossIn(_) | Score::Loss) | None => false,
        };
        if agrees {
            self.record.terminate(Termination::Agreed);
            self.say(&format!("{} ({level}) agrees", title(other)))?;
            return self.changed();
        }
        self.say(&format!("{} ({level}) plays on", title(other)))
    }

    /// The answer to an offer.
    pub(super) fn answer(&mut self, agrees: bool) -> anyhow::Result<()> {
        if !std::mem::take(&mut self.offered) {
            return self.say("Nothing was asked: try help");
        }
        if agrees {
            self.record.terminate(Termination::Agreed);
            return self.changed();
        }
        self.say("The game goes on")
    }

    /// Lets somebody else play: the side named, or the level there is, or the side not to move.
    pub(super) fn seat(&mut self, side: Option<Colour>, who: Player) -> anyhow::Result<()> {
        let players = self.setup.players;
        let level = |side: &Colour| players[*side as usize] != Player::Human;
        let mover = self.record.to_move();
        let other = COLOURS.into_iter().find(level).unwrap_or(mover.other());
        let side = side.unwrap_or(other);
        self.setup.players[side as usize] = who;
        self.seated()
    }

    /// The players change sides.
    pub(super) fn swap(&mut self) -> anyhow::Result<()> {
        self.setup.players.swap(0, 1);
        self.seated()
    }

    fn seated(&mut self) -> anyhow::Result<()> {
        self.open = None;
        self.journal()?;
        let players = self.players();
        self.say(&players)
    }
}
