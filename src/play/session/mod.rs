//! The game at the table: shows the board, and lets whoever is to move, person or level, move.

mod files;
mod person;

use std::io::Write;
use std::sync::atomic::Ordering;

use ::engine::{Engine, Level};
use ::probe::Database;
use games::{Colour, Game, Partial};

use super::Player;
use super::hints::known;
use super::input::Input;
use super::keeper::Keeper;
use super::record::{Ending, Record};
use super::style::Style;
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
}

/// What belongs to a game at the table.
pub struct Setup<'a, G: Game> {
    pub database: &'a Database<G>,
    /// White and Black.
    pub players: [Player; 2],
    pub seed: u64,
    pub record: Record<'a, G>,
    pub keeper: Keeper,
    pub style: Style,
    /// Whether to tell at every prompt what the database knows.
    pub hints: bool,
}

/// A game that is being played.
pub struct Session<'a, G: Game> {
    setup: Setup<'a, G>,
    engines: [Option<(Level, Engine<'a, G>)>; 2],
    /// A turn that has begun and of which a part was asked for.
    open: Option<Partial<G::Turn>>,
    /// Whether the board has changed since it was shown.
    changed: bool,
    input: Input,
    out: &'a mut dyn Write,
}

impl<'a, G: Game> Session<'a, G> {
    /// Sits down.
    pub fn new(setup: Setup<'a, G>, input: Input, out: &'a mut dyn Write) -> Session<'a, G> {
        let database = setup.database;
        let engines = COLOURS.map(|colour| match setup.players[colour as usize] {
            Player::Human => None,
            Player::Engine(level) => {
                // Different for the two sides: one level against itself is not one mind.
                let seed = setup.seed.wrapping_mul(2).wrapping_add(colour as u64);
                let engine = Engine::new(database.game(), Some(database), level, seed);
                Some((level, engine))
            }
        });
        Session {
            setup,
            engines,
            open: None,
            changed: true,
            input,
            out,
        }
    }

    /// Plays until somebody leaves, or the game is over and nobody is there to say what next.
    /// Whatever happens, the game is kept unless it was to be discarded.
    pub fn run(&mut self) -> anyhow::Result<()> {
        let ended = self.play();
        if matches!(ended, Ok(Flow::Discard)) {
            return Ok(());
        }
        let people = self.setup.players.contains(&Player::Human);
        let over = self.setup.record.ending().is_some();
        if over && !people && !self.setup.keeper.has_file() {
            // Two levels play as many games as one likes: nothing is lost.
            return ended.map(|_| ());
        }
        let kept = self.keep();
        ended.and(kept)
    }

    fn play(&mut self) -> anyhow::Result<Flow> {
        self.introduce()?;
        let people = self.setup.players.contains(&Player::Human);
        loop {
            if self.changed {
                self.show()?;
                self.changed = false;
            }
            let over = self.setup.record.ending().is_some();
            let to_move = self.setup.record.to_move();
            let flow = match &self.engines[to_move as usize] {
                Some(_) if !over => self.engine_turn(to_move)?,
                // Levels that have played to the end leave; people may take back or save.
                _ if over && !people => Flow::Leave,
                _ => self.ask()?,
            };
            if flow != Flow::On {
                return Ok(flow);
            }
        }
    }

    fn game(&self) -> &'a G {
        self.setup.database.game()
    }

    // What is seen

    fn say(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.out, "{text}")?;
        Ok(())
    }

    /// The board, and what is to be said about it.
    fn show(&mut self) -> anyhow::Result<()> {
        let (game, position) = (self.game(), *self.setup.record.position());
        let board = self.setup.style.board(&game.diagram(&position));
        write!(self.out, "\n{board}\n")?;
        let hands = COLOURS.map(|colour| game.in_hand(&position, colour));
        if hands != [0, 0] {
            self.say(&format!("In hand: White {}, Black {}", hands[0], hands[1]))?;
        }
        if let Some(ending) = self.setup.record.ending() {
            return self.say(&in_words(ending));
        }
        let human = self.engines[self.setup.record.to_move() as usize].is_none();
        if self.setup.hints && human {
            match known(self.setup.database, &position) {
                Ok(known) => self.say(&known)?,
                Err(error) if error.is_missing() => {}
                Err(error) => self.say(&format!("The database cannot be read: {error}"))?,
            }
        }
        Ok(())
    }

    /// Who plays with which men; and that the database is not there, if somebody counts on it.
    fn introduce(&mut self) -> anyhow::Result<()> {
        let side = |colour: Colour| {
            let man = self.setup.style.man(colour);
            let player = self.setup.players[colour as usize];
            format!("{} {man} {player}", title(colour))
        };
        let [white, black] = COLOURS.map(side);
        self.say(&format!("{white}, {black}"))?;
        let perfect = Player::Engine(Level::Perfect);
        let wanted = self.setup.hints || self.setup.players.contains(&perfect);
        if !wanted {
            return Ok(());
        }
        let coverage = self.setup.database.coverage();
        if coverage.tables.is_empty() {
            let text = self.no_database();
            self.say(&text)?;
        } else if !coverage.whole_game {
            let (id, pieces) = (self.game().description().id, coverage.complete_to);
            self.say(&format!(
                "The database of {id} is complete up to {pieces} pieces with none in hand: elsewhere\n\
                 there may be no hints, and perfect searches like the other levels"
            ))?;
        }
        Ok(())
    }

    fn no_database(&self) -> String {
        let id = self.game().description().id;
        format!("There is no database of {id}: endmill build {id} makes one, --db says where it is")
    }

    // Levels

    fn engine_turn(&mut self, colour: Colour) -> anyhow::Result<Flow> {
        let Session {
            setup,
            engines,
            input,
            out,
            ..
        } = self;
        let Some((level, engine)) = &mut engines[colour as usize] else {
            return Ok(Flow::On);
        };
        write!(out, "{} ({level}) plays ", title(colour))?;
        out.flush()?;
        let (position, history) = (*setup.record.position(), setup.record.history());
        let limits = level.limits();
        let choice = engine.choose(
            &position,
            history,
            &limits,
            input.interrupted(),
            &mut |_| {},
        );
        let trouble = engine.take_trouble().filter(|error| !error.is_missing());
        if input.interrupted().load(Ordering::Relaxed) {
            writeln!(out)?;
            return Ok(Flow::Leave);
        }
        let choice = choice.ok_or_else(|| anyhow::anyhow!("{level} finds no turn"))?;
        let name = setup.database.game().format_turn(&position, &choice.turn);
        writeln!(out, "{name}")?;
        if let Some(error) = trouble {
            writeln!(out, "The database cannot be read: {error}")?;
        }
        setup.record.play(choice.turn);
        self.changed = true;
        Ok(Flow::On)
    }
}

fn in_words(ending: Ending) -> String {
    match ending {
        Ending::ByRules { winner: Some(side) } => format!("Game over: {} wins", title(side)),
        Ending::ByRules { winner: None } => "Game over: draw".to_owned(),
        Ending::Repetition => {
            "Game over: draw, the position has occurred three times and play would be endless"
                .to_owned()
        }
        Ending::Resigned(side) => {
            let (loser, winner) = (title(side), title(side.other()));
            format!("Game over: {loser} resigns, {winner} wins")
        }
    }
}
