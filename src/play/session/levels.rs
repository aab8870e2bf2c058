//! The moves of levels, their answers to draw offers, and changes of players.

use std::sync::atomic::Ordering;
use std::time::Duration;

use endmill_engine::{Engine, Level, Limits, Score};
use endmill_games::{Colour, Game};
use endmill_records::Termination;

use super::{COLOURS, Flow, Session};
use crate::play::Player;
use crate::play::clock::now_ms;
use crate::probe::title;

/// A level accepts a draw unless it is ahead by more than this, in hundredths of a man.
const AHEAD: i32 = 25;

impl<'a, G: Game> Session<'a, G> {
    /// The engine of a level for one turn. Its choice depends only on the seed and the game so far, so
    /// that a resumed game continues as if it had not been interrupted.
    fn level(&self, level: Level, colour: Colour) -> Engine<'a, G> {
        // Different seeds for the two sides of a level that plays itself.
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
        let trouble = engine.take_error().filter(|error| !error.is_missing());
        if self.setup.input.interrupted().load(Ordering::Relaxed) {
            // Ignores a terminal that was closed.
            let _ = writeln!(self.out);
            return Ok(Flow::Leave);
        }
        let choice = choice.ok_or_else(|| anyhow::anyhow!("{level} finds no move"))?;
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

    /// The side to move offers a draw: a level answers by its evaluation, a person is asked.
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
        // The score is that of the side to move, not of the level.
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
        self.say(&format!("{} ({level}) declines the draw", title(other)))
    }

    /// The answer to a draw offer.
    pub(super) fn answer(&mut self, agrees: bool) -> anyhow::Result<()> {
        if !std::mem::take(&mut self.offered) {
            return self.say("There is no question to answer: try help");
        }
        if agrees {
            self.record.terminate(Termination::Agreed);
            return self.changed();
        }
        self.say("The game continues")
    }

    /// Changes the player of the named side, or of the level, or of the side not to move.
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
