//! The rulesets of the morris family: rules as data.
//!
//! The built-in ones are [rules files](super::rules_file) in `rulesets/`, read by the same code as
//! a user's.

use std::sync::LazyLock;

use super::Morris;
use super::board::BoardSpec;
use super::rules_file;
use crate::rules_file::Mistake;
use crate::ruleset::{OwnRules, Ruleset};

/// What distinguishes one ruleset from another. All share: a side that cannot move loses, except on
/// a full board where that draws; a side with fewer than three men on the board and in hand loses;
/// endless play is a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The id for commands, and the name of the database's directory.
    pub id: String,
    /// One line for people.
    pub title: String,
    /// Points, edges and lines, [normalised](BoardSpec::normalised).
    pub board: BoardSpec,
    /// The number of men per side.
    pub men: u8,
    /// Whether a man may move to any free point when its side has three men, on the board and in
    /// hand.
    pub flying: bool,
    /// Whether a turn may move a man while men are in hand.
    pub moves_while_placing: bool,
    /// Whether a full board is a draw; otherwise the side to move has lost.
    pub full_board_draws: bool,
    /// Whether a man in a mill may always be removed; otherwise only if all men of its side on the
    /// board are in mills.
    pub takes_any: bool,
    /// Whether a turn removes a man for each mill that it closes; otherwise one.
    pub removes_for_each_mill: bool,
    /// Plies without a removal after which the game is drawn, while a side has three men and no men
    /// are in hand; 0 = no limit.
    pub quiet_limit: u8,
    /// Whether a mill that is broken to close another, with a removal, may not be closed by the
    /// next turn of its side.
    pub bans_broken_mills: bool,
}

macro_rules! built_in {
    ($($id:literal)*) => {
        /// The rules files of the built-in rulesets, by id.
        pub(super) const FILES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("rulesets/", $id, ".toml")))),*];
    };
}

built_in! {
    "nine" "nine-nofly" "twelve" "lasker" "six" "three" "nine-any" "nine-each" "eleven"
    "twelve-plain" "twelve-loss" "morabaraba" "morabaraba-nine"
}

/// The built-in rulesets of the family, in the order of listings.
pub static RULESETS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let read = |&(id, text): &(&str, &str)| match rules_file::parse(text) {
        Ok(variant) => variant,
        Err(mistakes) => unreachable!("{id}: {}", mistakes[0]),
    };
    FILES.iter().map(read).collect()
});

/// Returns their ids.
pub fn ids() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|&(id, _)| id)
}

/// Returns the game of a built-in ruleset.
pub fn find(id: &str) -> Option<Morris> {
    let rules = RULESETS.iter().find(|rules| rules.id == id);
    rules.map(Morris::new)
}

/// Returns the game of a ruleset of the family, built in or not.
pub fn of(ruleset: Ruleset) -> Option<Morris> {
    match ruleset.own_rules() {
        Some(text) => rules_file::parse(text)
            .ok()
            .map(|rules| Morris::new(&rules)),
        None => find(ruleset.id()),
    }
}

/// Reads the text of a rules file: only this family has rules files.
pub fn read_rules(text: &str) -> Option<Result<OwnRules, Vec<Mistake>>> {
    let read = rules_file::read(text);
    Some(read.map(|rules| OwnRules {
        text: rules.to_toml(),
        id: rules.id,
    }))
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident = $id:literal;)*) => {
        $($(#[$doc])*
        pub fn $name() -> Morris {
            find($id).expect("it is built in")
        })*
    };
}

constructors! {
    /// Nine men's morris.
    nine = "nine";
    /// Nine men's morris without flying.
    nine_nofly = "nine-nofly";
    /// Twelve men's morris.
    twelve = "twelve";
    /// Lasker morris: ten men, place or move.
    lasker = "lasker";
    /// Six men's morris.
    six = "six";
    /// Three men's morris.
    three = "three";
}

impl Variant {
    /// Returns a text that changes whenever a rule changes, in a form that does not depend on the
    /// code. `numbering` is the version of the numbering of positions and of their features.
    /// Options added later are omitted at their default, so that older files stay valid.
    pub fn text(&self) -> String {
        let mut text = format!(
            "morris numbering=1 men={} flying={} moves-while-placing={} full-board-draws={} lines={} spokes={}",
            self.men,
            self.flying,
            self.moves_while_placing,
            self.full_board_draws,
            self.board.line_names().join(","),
            self.board.spoke_names().join(","),
        );
        if self.takes_any {
            text += " taking=any";
        }
        if self.removes_for_each_mill {
            text += " removals=each-mill";
        }
        if self.quiet_limit > 0 {
            text += &format!(" quiet-limit={}", self.quiet_limit);
        }
        if self.bans_broken_mills {
            text += " broken-mill=banned";
        }
        text
    }

    /// Returns the value of every option, as in a rules file.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        let yes_no = |yes: bool| if yes { "yes" } else { "no" };
        let [full_board, taking, removals, broken_mill] = self.words();
        let options = [
            ("flying", yes_no(self.flying)),
            ("moves-while-placing", yes_no(self.moves_while_placing)),
            ("full-board-draws", yes_no(full_board == "draw")),
            ("taking", taking),
            ("removals", removals),
            ("broken-mill", broken_mill),
        ];
        let limit = ("quiet-limit", self.quiet_limit.to_string());
        let options = options.into_iter();
        let options = options.map(|(name, value)| (name, value.to_owned()));
        options.chain([limit]).collect()
    }

    /// Returns the values in a rules file of `full-board`, `taking`, `removals` and `broken-mill`.
    pub(super) fn words(&self) -> [&'static str; 4] {
        let one_of = |choice: [&'static str; 2], second: bool| choice[usize::from(second)];
        [
            one_of(rules_file::FULL_BOARD, self.full_board_draws),
            one_of(rules_file::TAKING, self.takes_any),
            one_of(rules_file::REMOVALS, self.removes_for_each_mill),
            one_of(rules_file::BROKEN_MILL, self.bans_broken_mills),
        ]
    }
}
