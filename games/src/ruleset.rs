//! The list of games and rulesets, and the step from an id or a rules file at run time to
//! monomorphic code.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::error::{RulesetError, UnknownRuleset};
use crate::game::Game;
use crate::rules_file::{self, Mistake, RulesFileError};

/// The one list of games: `each_game!(work)` is `work! { morris draughts }`.
///
/// Each name is a module of this crate with `ids()`, the ids of its built-in rulesets,
/// `of(ruleset)`, the game of a ruleset if it is one of the module's, and `read_rules(text)`, the
/// rules of a rules file if the game has such files. Code that needs more of a game than [`Game`]
/// (a layout, un-moves) builds its own [`Ruleset::visit`] from this list, so no other place lists
/// games.
#[macro_export]
macro_rules! each_game {
    ($work:ident) => {
        $work! { morris draughts }
    };
}

/// Work that can be done with any game.
pub trait Visitor {
    /// The result of the work.
    type Output;

    /// Does the work, compiled once for each game.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}

/// A ruleset chosen by its id, or read from a rules file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    id: &'static str,
    /// The text of the rules file, if the rules are not built in.
    own: Option<&'static str>,
}

/// Rules read from a file.
#[derive(Clone, Debug)]
pub struct OwnRules {
    /// Their id.
    pub id: String,
    /// The rules file in its normal form: the same for all files with the same rules.
    pub text: String,
}

/// Rulesets read from files, each once: they live as long as the program, like the built-in ones.
static READ: Mutex<Vec<Ruleset>> = Mutex::new(Vec::new());

macro_rules! define {
    ($($family:ident)*) => {
        /// Returns every built-in ruleset, in the order of listings.
        pub fn rulesets() -> impl Iterator<Item = Ruleset> {
            let ids = std::iter::empty()$(.chain(crate::$family::ids()))*;
            ids.map(|id| Ruleset { id, own: None })
        }

        /// Reads the text of a rules file.
        fn read_rules(text: &str) -> Result<OwnRules, Vec<Mistake>> {
            $(if let Some(read) = crate::$family::read_rules(text) {
                return read;
            })*
            unreachable!("no game reads rules files")
        }

        impl Ruleset {
            /// Sets up the game of this ruleset and hands it to `visitor`.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                $(if let Some(game) = crate::$family::of(self) {
                    return visitor.visit(game);
                })*
                unreachable!("{} was found among the rulesets", self.id)
            }
        }
    };
}

each_game!(define);

impl Ruleset {
    /// Finds a built-in ruleset by its id.
    pub fn find(id: &str) -> Result<Ruleset, UnknownRuleset> {
        let mut all = rulesets();
        all.find(|known| known.id == id).ok_or_else(|| {
            let known: Vec<_> = rulesets().map(|known| known.id).collect();
            UnknownRuleset {
                name: id.to_owned(),
                known: known.join(", "),
            }
        })
    }

    /// Opens a ruleset by its id, or by the name of a rules file.
    pub fn open(name: &str) -> Result<Ruleset, RulesetError> {
        let unknown = match Ruleset::find(name) {
            Ok(known) => return Ok(known),
            Err(unknown) => unknown,
        };
        let path = Path::new(name);
        let meant = name.ends_with(".toml") || path.components().count() > 1 || path.is_file();
        if !meant || name.is_empty() {
            return Err(unknown.into());
        }
        let mut bytes = Vec::new();
        let most = rules_file::LONGEST_FILE as u64 + 1;
        let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
        read.map_err(|source| RulesetError::Io {
            file: path.into(),
            source,
        })?;
        let text = rules_file::text_of(&bytes).map_err(|mistakes| RulesFileError {
            file: name.to_owned(),
            mistakes,
        })?;
        Ok(Ruleset::from_toml(name, text)?)
    }

    /// Reads the text of a rules file; `file` is its name in messages.
    pub fn from_toml(file: &str, text: &str) -> Result<Ruleset, RulesFileError> {
        let OwnRules { id, text } = read_rules(text).map_err(|mistakes| RulesFileError {
            file: file.to_owned(),
            mistakes,
        })?;
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = read.iter().copied();
        if let Some(known) = known.find(|known| known.own == Some(&text)) {
            return Ok(known);
        }
        let ruleset = Ruleset {
            id: id.leak(),
            own: Some(text.leak()),
        };
        read.push(ruleset);
        Ok(ruleset)
    }

    /// The id that commands and files use.
    pub fn id(self) -> &'static str {
        self.id
    }

    /// The rules file in its normal form, if the rules were read from a file.
    pub fn own_rules(self) -> Option<&'static str> {
        self.own
    }

    /// The rules as a rules file; `None` for games whose rules are not data.
    pub fn to_toml(self) -> Option<String> {
        struct RulesFile;

        impl Visitor for RulesFile {
            type Output = Option<String>;

            fn visit<G: Game>(self, game: G) -> Option<String> {
                game.rules_file()
            }
        }

        self.visit(RulesFile)
    }
}
