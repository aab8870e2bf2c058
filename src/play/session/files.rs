//! Games that are saved, loaded, and kept when they are left.

use std::path::Path;

use games::Game;

use super::Session;
use crate::play::keeper::Keeper;
use crate::play::saved;

impl<G: Game> Session<'_, G> {
    fn text(&self) -> String {
        saved::write(self.game(), &self.setup.record)
    }

    pub(super) fn save(&mut self, file: Option<&Path>) -> anyhow::Result<()> {
        let (id, text) = (self.game().description().id, self.text());
        let said = match self.setup.keeper.save(file, &id, text) {
            Ok(file) => format!("Saved to {}", file.display()),
            Err(error) => format!("{error:#}"),
        };
        self.say(&said)
    }

    /// Changes to another game, if it can be read; the one at hand is kept before.
    pub(super) fn load(&mut self, file: &Path) -> anyhow::Result<()> {
        if let Err(error) = self.change(file) {
            return self.say(&format!("{error:#}"));
        }
        Ok(())
    }

    fn change(&mut self, file: &Path) -> anyhow::Result<()> {
        saved::load(self.game(), file)?;
        self.keep()?;
        // Only now for good: it may be the very file in which the game at hand was kept.
        self.setup.record = saved::load(self.game(), file)?;
        self.setup.keeper = Keeper::new(file, Some(self.text()));
        self.open = None;
        self.changed = true;
        Ok(())
    }

    /// Puts the game where it can be found again; if that fails, shows it.
    pub(super) fn keep(&mut self) -> anyhow::Result<()> {
        if self.setup.record.is_empty() {
            return Ok(());
        }
        let (id, text) = (self.game().description().id, self.text());
        match self.setup.keeper.keep(&id, text.clone()) {
            Ok(file) => {
                let file = file.display().to_string();
                let quoted = quoted(&file);
                self.say(&format!(
                    "The game is in {file}: endmill play {id} --load {quoted}"
                ))
            }
            Err(error) => {
                write!(self.out, "{text}")?;
                Err(error)
            }
        }
    }
}

/// A file's name as a shell takes it.
fn quoted(file: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if file.chars().all(plain) {
        return file.to_owned();
    }
    format!("'{}'", file.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("games/nine-1.game"), "games/nine-1.game");
        assert_eq!(quoted("my game"), "'my game'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
