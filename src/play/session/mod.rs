//! A game in progress: shows the board, and lets people and levels move in turn.

mod files;
mod levels;
mod person;
mod tables;

pub(super) use self::files::{first_of, not_ours};

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use endmill_engine::{GameClock, Level};
use endmill_games::{Clock, Colour, Diagram, Game, Partial};
use endmill_probe::Database;
use endmill_records::{GameRecord, Termination};

use super::Player;
use super::clock::{format_time, now_ms};
use super::input::Input;
use super::keeper::Keeper;
use super::record::{Ending, Record};
use super::style::Style;
use crate::drawing::{filled, fitted};
use crate::missing::BuildPolicy;
use crate::probe::title;

const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    /// Save the game and leave.
    Leave,
    /// Leave without saving.
    Discard,
    /// Tables have been built: open the database again.
    Reopen,
}

/// The state of a session apart from the turns.
pub struct Setup {
    /// White and Black.
    pub players: [Player; 2],
    pub seed: u64,
    pub clock: Option<GameClock>,
    pub keeper: Keeper,
    pub style: Style,
    /// Whether to show the values of all moves at every prompt.
    pub hints: bool,
    /// The pause between the turns of two levels.
    pub pause: Duration,
    /// The database directory.
    pub directory: PathBuf,
    /// Whether to build missing tables.
    pub build: BuildPolicy,
    /// The ruleset as in the command: an id or a file.
    pub ruleset: String,
    /// The options with which to resume the game.
    pub again: String,
    /// Tables not to build: the user declined, or they take too long.
    pub declined: BTreeSet<String>,
    pub input: Input,
}

/// A game in progress.
pub struct Session<'a, G: Game> {
    database: &'a Database<G>,
    record: Record<'a, G>,
    setup: Setup,
    /// A turn whose first part was entered.
    open: Option<Partial<G::Turn>>,
    /// Whether a draw offer awaits an answer.
    offered: bool,
    /// Whether the board has changed since it was shown.
    changed: bool,
    /// Whether plies were explained.
    explained: bool,
    /// Whether a failure to save automatically was reported.
    warned: bool,
    /// Whether to show a hint after the database was opened again.
    hinting: bool,
    out: &'a mut dyn Write,
}

/// A game that waits for the database to be opened again.
pub struct Waiting<G: Game> {
    setup: Setup,
    written: GameRecord<G>,
    open: Option<Partial<G::Turn>>,
    changed: bool,
    hinting: bool,
}

impl<'a, G: Game> Session<'a, G> {
    /// Starts a session.
    pub fn new(
        database: &'a Database<G>,
        record: Record<'a, G>,
        setup: Setup,
        out: &'a mut dyn Write,
    ) -> Session<'a, G> {
        Session {
            database,
            record,
            setup,
            open: None,
            offered: false,
            changed: true,
            explained: false,
            warned: false,
            hinting: false,
            out,
        }
    }

    /// Resumes a session.
    pub fn resumed(
        database: &'a Database<G>,
        waiting: Waiting<G>,
        out: &'a mut dyn Write,
    ) -> Session<'a, G> {
        let record = Record::of(database.game(), &waiting.written);
        let session = Session::new(database, record, waiting.setup, out);
        Session {
            open: waiting.open,
            changed: waiting.changed,
            hinting: waiting.hinting,
            ..session
        }
    }

    /// Plays until the user leaves, a game of two levels is over, or the database is to be opened
    /// again. The game is saved in any case unless it is discarded.
    pub fn run(mut self) -> anyhow::Result<Option<Waiting<G>>> {
        match self.play() {
            Ok(Flow::Reopen) => Ok(Some(Waiting {
                written: self.record.as_played(),
                setup: self.setup,
                open: self.open,
                changed: self.changed,
                hinting: self.hinting,
            })),
            ended => self.leave(ended).map(|()| None),
        }
    }

    fn leave(&mut self, ended: anyhow::Result<Flow>) -> anyhow::Result<()> {
        if matches!(ended, Ok(Flow::Discard)) {
            return self.discard();
        }
        let over = self.record.ending().is_some();
        if over && !self.has_people() && !self.setup.keeper.has_file() {
            // A finished game of two levels is not saved.
            self.discard()?;
            return ended.map(|_| ());
        }
        let kept = self.keep();
        ended.and(kept)
    }

    fn play(&mut self) -> anyhow::Result<Flow> {
        self.restart_clock();
        if std::mem::take(&mut self.hinting) {
            self.hint()?;
        }
        loop {
            if self.counts_on_tables() && self.build_table()? {
                return Ok(Flow::Reopen);
            }
            self.show_if_changed()?;
            let over = self.record.ending().is_some();
            let to_move = self.record.to_move();
            let flow = match self.setup.players[to_move as usize] {
                Player::Engine(level) if !over => self.engine_turn(to_move, level)?,
                // After the end people may take back or save; levels leave.
                _ if over && !self.has_people() => Flow::Leave,
                _ => self.ask()?,
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
    }

    fn game(&self) -> &'a G {
        self.database.game()
    }

    /// Whether the board has changed, and the side to move uses tables.
    fn counts_on_tables(&self) -> bool {
        let mover = self.setup.players[self.record.to_move() as usize];
        self.changed
            && self.record.ending().is_none()
            && match mover {
                Player::Human => self.setup.hints,
                Player::Engine(level) => level == Level::Perfect,
            }
    }

    fn has_people(&self) -> bool {
        self.setup.players.contains(&Player::Human)
    }

    /// Makes a legal turn.
    fn play_turn(&mut self, turn: G::Turn) -> anyhow::Result<()> {
        let mover = self.record.to_move();
        self.record.play(turn);
        if let Some(clock) = &mut self.setup.clock {
            clock.press(mover, now_ms());
        }
        self.changed()
    }

    /// The game has changed: show and save it.
    fn changed(&mut self) -> anyhow::Result<()> {
        (self.open, self.offered, self.changed) = (None, false, true);
        if self.record.ending().is_some() {
            self.restart_clock();
        }
        self.journal()
    }

    /// Gives back the time since the last turn. The time of the side to move runs unless the game is
    /// over.
    fn restart_clock(&mut self) {
        let over = self.record.ending().is_some();
        let running = (!over).then(|| self.record.to_move());
        if let Some(clock) = &mut self.setup.clock {
            clock.restart(running, now_ms());
        }
    }

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{}", fitted(text))?;
        Ok(())
    }

    fn show_if_changed(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.changed) {
            self.show()?;
        }
        Ok(())
    }

    /// Shows the board and the state of the game.
    fn show(&mut self) -> anyhow::Result<()> {
        let (game, position) = (self.game(), *self.record.position());
        let drawn = |position: &G::Position| game.diagram(position);
        let before: Option<Diagram> = self.record.history().last().map(drawn);
        let board = match &self.open {
            Some(open) => self.setup.style.board(&open.board, Some(&drawn(&position))),
            None => self.setup.style.board(&drawn(&position), before.as_ref()),
        };
        write!(self.out, "\n{board}\n")?;
        // A man that closes a mill has left the hand already.
        let begun = self.open.as_ref().and_then(|open| open.answers.first());
        let later = begun.map_or(position, |(_, turn)| game.play(&position, turn));
        let hands = COLOURS.map(|colour| game.setup(&later).in_hand(colour));
        if hands != [0, 0] {
            self.say(&format!("In hand: White {}, Black {}", hands[0], hands[1]))?;
        }
        self.show_memory(&position)?;
        let ending = self.record.ending();
        if let Some(clock) = self.setup.clock {
            let [white, black] = COLOURS.map(|side| format_time(clock.left(side, now_ms())));
            self.say(&format!("Clocks: White {white}, Black {black}"))?;
        }
        if let Some(ending) = ending {
            let words = self.in_words(ending);
            return self.say(&filled(&words, ""));
        }
        let mover = self.record.to_move();
        if self.setup.hints && self.setup.players[mover as usize] == Player::Human {
            self.hint()?;
        }
        Ok(())
    }

    /// Shows quiet plies, and mills that may not be closed.
    fn show_memory(&mut self, position: &G::Position) -> anyhow::Result<()> {
        let game = self.game();
        let memory = game.memory(position);
        if let Some(Clock { plies, limit }) = memory.clock {
            self.say(&format!("{plies} of {limit} plies without a removal"))?;
        }
        for (side, mill) in memory.forbidden {
            let text = match side == game.to_move(position) {
                true => format!("{} may not close {mill} this turn", title(side)),
                false => format!("{} may not close {mill} next turn", title(side)),
            };
            self.say(&text)?;
        }
        Ok(())
    }

    /// The players and the symbols of their men.
    fn players(&self) -> String {
        let side = |colour: Colour| {
            let man = self.setup.style.man(colour);
            let player = self.setup.players[colour as usize];
            format!("{} {man} {player}", title(colour))
        };
        let [white, black] = COLOURS.map(side);
        format!("{white}, {black}")
    }

    /// Shows the players, how to get help, and a note if tables are needed and missing.
    pub fn introduce(&mut self) -> anyhow::Result<()> {
        let mut text = self.players();
        if self.has_people() {
            text += "; type help for the commands";
        }
        self.say(&filled(&text, ""))?;
        let perfect = Player::Engine(Level::Perfect);
        let wanted = self.setup.hints || self.setup.players.contains(&perfect);
        let coverage = self.database.coverage();
        if !wanted || coverage.whole_game {
            return Ok(());
        }
        let id = self.game().description().id;
        let text = if coverage.tables.is_empty() {
            format!(
                "There is no database of {id} in {}; build one with: endmill build {}",
                self.setup.directory.display(),
                self.setup.ruleset
            )
        } else {
            format!(
                "The database of {id} is complete up to {} pieces with none in hand; beyond that, \
                 hints are estimates, and perfect searches like the other levels",
                coverage.complete_to
            )
        };
        self.say(&filled(&text, ""))
    }

    /// The end of the game, with the reason.
    fn in_words(&self, ending: Ending) -> String {
        let position = self.record.position();
        match ending {
            Ending::ByRules { winner: Some(side) } => {
                let loser = side.other();
                format!(
                    "Game over: {} wins, {} {}",
                    title(side),
                    title(loser),
                    why_lost(self.game(), position, loser)
                )
            }
            Ending::ByRules { winner: None } => match self.game().memory(position).clock {
                Some(Clock { plies, limit }) if plies >= limit => {
                    format!("Game over: draw, {limit} plies without a removal")
                }
                _ => "Game over: draw, the board is full".to_owned(),
            },
            Ending::Repetition => "Game over: draw by threefold repetition".to_owned(),
            Ending::Terminated(Termination::Resigned(side)) => {
                let (loser, winner) = (title(side), title(side.other()));
                format!("Game over: {loser} resigns, {winner} wins")
            }
            Ending::Terminated(Termination::Late(side)) => {
                let (loser, winner) = (title(side), title(side.other()));
                format!("Game over: {loser} has no time left, {winner} wins")
            }
            Ending::Terminated(Termination::Agreed) => {
                "Game over: draw, both sides agree".to_owned()
            }
        }
    }
}

/// The reason for which a side has lost by the rules.
fn why_lost<G: Game>(game: &G, position: &G::Position, loser: Colour) -> String {
    match game.ending(position).map(|ending| ending.reason) {
        Some("too few men") => {}
        Some("full board") => return "must move on a full board".to_owned(),
        Some("no pieces") => return "has no pieces left".to_owned(),
        _ => return "cannot move".to_owned(),
    }
    let setup = game.setup(position);
    let men = setup.occupied(loser).count_ones() + setup.in_hand(loser);
    match men {
        0 => "has no men left".to_owned(),
        1 => "has one man left".to_owned(),
        2 => "has two men left".to_owned(),
        men => format!("has {men} men left"),
    }
}
