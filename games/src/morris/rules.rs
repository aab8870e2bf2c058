//! The rulesets of the morris family: rules as data.
//!
//! The ones that are built in are written as [rules files](super::rules_file), in `rulesets/`, and
//! read by the same code as those of a user.

use std::sync::LazyLock;

use super::Morris;
use super::board::BoardSpec;
use super::rules_file;
use crate::rules_file::Mistake;
use crate::ruleset::{OwnRules, Ruleset};

/// What distinguishes one ruleset from another. All share: who must move and cannot, loses, but
/// for a full board where that draws; who has fewer than three men on the board and in hand,
/// loses; endless play is a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The id that commands take, and the name of the database's directory.
    pub id: String,
    /// One line for people.
    pub title: String,
    /// Points, edges and lines, [normalised](BoardSpec::normalised).
    pub board: BoardSpec,
    /// Men of each side.
    pub men: u8,
    /// With three men left, on the board and in hand, a man may move to any free point.
    pub flying: bool,
    /// A turn may move a man while there are still men in hand.
    pub moves_while_placing: bool,
    /// A full board is a draw; otherwise the side that must move there has lost.
    pub full_board_draws: bool,
    /// A man in a mill may be taken at any time; otherwise only if all men of its side on the board
    /// are in mills.
    pub takes_any: bool,
    /// A turn removes a man for each mill that it closes; otherwise one.
    pub removes_for_each_mill: bool,
    /// Plies without a removal after which the game is drawn, while a side has three men and nobody
    /// has men in hand; 0 = no limit.
    pub quiet_limit: u8,
    /// A mill that is broken to close another, with a removal, may not be closed by the next turn
    /// of its side.
    pub bans_broken_mills: bool,
}

macro_rules! built_in {
    ($($id:literal)*) => {
        /// The rules files of the rulesets that are built in, by id.
        pub(super) const FILES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("rulesets/", $id, ".toml")))),*];
    };
}

built_in! {
    "nine" "nine-nofly" "twelve" "lasker" "six" "three" "nine-any" "nine-each" "eleven"
    "twelve-plain" "twelve-loss" "morabaraba" "morabaraba-nine"
}

/// Every ruleset of the family that is built in, in the order in which they are listed.
pub static RULESETS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
    let read = |&(id, text): &(&str, &str)| match rules_file::parse(text) {
        Ok(variant) => variant,
        Err(mistakes) => unreachable!("{id}: {}", mistakes[0]),
    };
    FILES.iter().map(read).collect()
});

/// The ids of all of them.
pub fn ids() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|&(id, _)| id)
}

/// The game of a ruleset that is built in.
pub fn find(id: &str) -> Option<Morris> {
    let rules = RULESETS.iter().find(|rules| rules.id == id);
    rules.map(Morris::new)
}

/// The game of a ruleset of the family, built in or not.
pub fn of(ruleset: Ruleset) -> Option<Morris> {
    match ruleset.own_rules() {
        Some(text) => rules_file::parse(text)
            .ok()
            .map(|rules| Morris::new(&rules)),
        None => find(ruleset.id()),
    }
}

/// Reads the text of a rules file: every rules file is one of this family.
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
    /// A text that changes whenever a rule changes, in a form that does not depend on the code.
    /// `numbering` is the version of the numbering of positions and of their features. What is as
    /// in nine men's morris, and was not always a choice, is not written: files that were made
    /// before it was one stay valid.
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

    /// The value of every switch, as a rules file writes it.
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

    /// The words of a rules file for `full-board`, `taking`, `removals` and `broken-mill`.
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
