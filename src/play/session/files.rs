//! Saving and loading games, on request, after every turn and in the end.

use std::path::Path;

use endmill_engine::GameClock;
use endmill_games::Game;

use super::{COLOURS, Session};
use crate::errors::chain;
use crate::play::clock::now_ms;
use crate::play::keeper::Keeper;
use crate::play::record::Record;
use crate::play::saved::{self, Terms, Text};
use crate::repair::quoted;

/// The message about a file that must not be overwritten.
pub(in crate::play) fn not_ours(file: &Path) -> String {
    format!("{} exists and is not a saved game", file.display())
}

/// The message about a file with several games.
pub(in crate::play) fn first_of(file: &Path, games: usize) -> String {
    format!("{} has {games} games; loading the first", file.display())
}

impl<G: Game> Session<'_, G> {
    fn text(&self) -> Text {
        let record = &self.record;
        let left_ms = |clock: GameClock| COLOURS.map(|side| clock.left(side, now_ms()));
        let terms = Terms {
            players: self.setup.players.map(Some),
            seed: Some(self.setup.seed),
            control: self.setup.clock.map(|clock| clock.control()),
            left_ms: self.setup.clock.map(left_ms),
        };
        saved::write(self.game(), record, &terms)
    }

    pub(super) fn save(&mut self, file: Option<&Path>) -> anyhow::Result<()> {
        let (id, text) = (self.game().description().id, self.text());
        let other = file.filter(|file| !saved::may_replace(self.game(), file));
        if let Some(file) = other {
            return self.say(&not_ours(file));
        }
        let said = match self.setup.keeper.save(file, &id, text) {
            Ok(file) => format!("Saved to {}", file.display()),
            Err(error) => chain(&error),
        };
        self.say(&said)
    }

    /// Saves the game automatically, so that it survives any interruption. The first failure is
    /// reported, and the game continues.
    pub(super) fn journal(&mut self) -> anyhow::Result<()> {
        let written = if self.record.is_empty() {
            self.setup.keeper.forget()
        } else {
            let (id, text) = (self.game().description().id, self.text());
            self.setup.keeper.keep(&id, &text).map(|_| ())
        };
        match written {
            Err(error) if !std::mem::replace(&mut self.warned, true) => {
                let why = chain(&error);
                self.say(&format!("The game cannot be saved automatically: {why}"))
            }
            _ => Ok(()),
        }
    }

    /// Changes to another game if it can be loaded, after saving the current one.
    pub(super) fn load(&mut self, file: &Path) -> anyhow::Result<()> {
        if let Err(error) = self.change(file) {
            return self.say(&chain(&error));
        }
        Ok(())
    }

    fn change(&mut self, file: &Path) -> anyhow::Result<()> {
        saved::load(self.game(), file)?;
        self.keep()?;
        // Load again: it may be the file in which the current game was just saved.
        let loaded = saved::load(self.game(), file)?;
        let terms = loaded.terms;
        self.record = loaded.record;
        for (player, saved) in self.setup.players.iter_mut().zip(terms.players) {
            *player = saved.unwrap_or(*player);
        }
        self.setup.seed = terms.seed.unwrap_or(self.setup.seed);
        self.setup.clock = terms.clock();
        self.setup.keeper = match loaded.own {
            Some(_) => Keeper::new(file, Some(self.text())),
            None => Keeper::default(),
        };
        if loaded.games > 1 {
            self.say(&first_of(file, loaded.games))?;
        }
        self.begin()
    }

    /// Starts a new game with the same players, after saving the current one.
    pub(super) fn renew(&mut self) -> anyhow::Result<()> {
        self.keep()?;
        let start = *self.record.start();
        self.record = Record::new(self.game(), start);
        self.setup.seed = self.setup.seed.wrapping_add(1);
        self.setup.clock = (self.setup.clock).map(|clock| GameClock::new(clock.control()));
        self.setup.keeper = Keeper::default();
        self.begin()
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        (self.open, self.offered, self.warned) = (None, false, false);
        self.changed = true;
        self.restart_clock();
        let players = self.players();
        self.say(&players)
    }

    /// Saves the game, and prints the command to resume it. If that fails, prints the game.
    pub(super) fn keep(&mut self) -> anyhow::Result<()> {
        if self.record.is_empty() {
            return self.setup.keeper.forget();
        }
        let (id, text) = (self.game().description().id, self.text());
        match self.setup.keeper.keep(&id, &text) {
            Ok(file) => {
                let file = file.display().to_string();
                let name = quoted(&self.setup.ruleset);
                let mut command = format!("endmill play {name} --load {}", quoted(&file));
                command += &self.setup.again;
                // On one line, however long, so that it can be copied.
                writeln!(self.out, "The game is in {file}: {command}")?;
                Ok(())
            }
            Err(error) => {
                write!(self.out, "{}", text.saved())?;
                Err(error)
            }
        }
    }

    /// Removes what the user has not saved.
    pub(super) fn discard(&mut self) -> anyhow::Result<()> {
        self.setup.keeper.forget()
    }
}
