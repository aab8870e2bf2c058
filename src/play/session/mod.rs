//! The game at the table: shows the board, and lets whoever is to move, person or level, move.

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

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    On,
    /// Leave, and keep the game.
    Leave,
    /// Leave without keeping it.
    Discard,
    /// Tables have been built: go on with the database opened again.
    Reopen,
}

/// What belongs to a game at the table, but for its turns.
pub struct Setup {
    /// White and Black.
    pub players: [Player; 2],
    pub seed: u64,
    pub clock: Option<GameClock>,
    pub keeper: Keeper,
    pub style: Style,
    /// Whether to tell at every prompt what the turns are worth.
    pub hints: bool,
    /// Between the turns of two levels.
    pub pause: Duration,
    /// Where the database is.
    pub directory: PathBuf,
    /// Whether tables are built on the way.
    pub build: BuildPolicy,
    /// The ruleset as the command named it: by its id, or by its file.
    pub ruleset: String,
    /// The options with which to go on with a saved game.
    pub again: String,
    /// Tables that are not to be built: somebody said no, or they take long.
    pub declined: BTreeSet<String>,
    pub input: Input,
}

/// A game that is being played.
pub struct Session<'a, G: Game> {
    database: &'a Database<G>,
    record: Record<'a, G>,
    setup: Setup,
    /// A turn that has begun and of which a part was asked for.
    open: Option<Partial<G::Turn>>,
    /// Whether a draw has been offered and the other person not answered.
    offered: bool,
    /// Whether the board has changed since it was shown.
    changed: bool,
    /// Whether it has been said what a ply is.
    explained: bool,
    /// Whether it has been said that the game cannot be written down.
    warned: bool,
    /// Whether a hint was asked for before the database was opened again.
    hinting: bool,
    out: &'a mut dyn Write,
}

/// A game that waits for the database to be opened again, with what has been built.
pub struct Waiting<G: Game> {
    setup: Setup,
    written: GameRecord<G>,
    open: Option<Partial<G::Turn>>,
    changed: bool,
    hinting: bool,
}

impl<'a, G: Game> Session<'a, G> {
    /// Sits down.
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

    /// Sits down again.
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

    /// Plays until somebody leaves, or the game is over and nobody is there to say what next; or
    /// until the database is to be opened again. Whatever happens, the game is kept unless it was
    /// to be discarded.
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
            // Two levels play as many games as one likes: nothing is lost.
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
                // Levels that have played to the end leave; people may take back or save.
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

    /// Whether the board has changed, and whoever is to move wants to know what only tables tell.
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

    /// Something has happened that is to be seen and not to be lost.
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

    // What is seen

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

    /// The board, and what is to be said about it.
    fn show(&mut self) -> anyhow::Result<()> {
        let (game, position) = (self.game(), *self.record.position());
        let drawn = |position: &G::Position| game.diagram(position);
        let before: Option<Diagram> = self.record.history().last().map(drawn);
        let board = match &self.open {
            Some(open) => self.setup.style.board(&open.board, Some(&drawn(&position))),
            None => self.setup.style.board(&drawn(&position), before.as_ref()),
        };
        write!(self.out, "\n{board}\n")?;
        // A man that closes a mill is out of the hand already.
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

    /// What the rules remember: quiet plies, and mills that may not be closed at once.
    fn show_memory(&mut self, position: &G::Position) -> anyhow::Result<()> {
        let game = self.game();
        let memory = game.memory(position);
        if let Some(Clock { plies, limit }) = memory.clock {
            self.say(&format!("{plies} of {limit} quiet plies"))?;
        }
        for (side, mill) in memory.forbidden {
            let text = match side == game.to_move(position) {
                true => format!("{}: mill {mill} banned until your next turn", title(side)),
                false => format!("{} may not close {mill} with the next turn", title(side)),
            };
            self.say(&text)?;
        }
        Ok(())
    }

    /// Who plays with which men.
    fn players(&self) -> String {
        let side = |colour: Colour| {
            let man = self.setup.style.man(colour);
            let player = self.setup.players[colour as usize];
            format!("{} {man} {player}", title(colour))
        };
        let [white, black] = COLOURS.map(side);
        format!("{white}, {black}")
    }

    /// Who plays, where to find out what can be said; and that the database is not there, if
    /// somebody counts on it.
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
                "There is no database of {id} in {}: endmill build {} makes one, --db says where",
                self.setup.directory.display(),
                self.setup.ruleset
            )
        } else {
            format!(
                "The database of {id} is complete up to {} pieces with none in hand: elsewhere \
                 hints are estimates, and perfect searches like the other levels",
                coverage.complete_to
            )
        };
        self.say(&filled(&text, ""))
    }

    /// How the game ended, and why.
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
            Ending::Repetition => {
                "Game over: draw, the position has occurred three times and play would be endless"
                    .to_owned()
            }
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

/// Why a side has lost by the rules.
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
