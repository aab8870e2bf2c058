//! The morris family: boards and rules as data, one implementation of
//! [`Game`](crate::Game) for all of them.
//!
//! [`board`] has points, edges and lines, and [`symmetry`] the symmetries that follow. [`rules`]
//! lists the rulesets, [`rules_file`] reads rules files. [`moves`] has turns and un-moves, `memory`
//! counts and bans; `tables` lists the material that can arise; [`rows`], [`columns`], [`index`]
//! and `numbering` number the positions of a table, [`planes`] are columns as bits; `features` are
//! for the codecs, `estimate` is the evaluation; `notation`, `position_text`, `turn_text`, `fen`,
//! `foreign` and `diagram` are the texts. Everything public beyond the traits serves the layout for
//! solving.

pub mod board;
pub mod columns;
mod diagram;
mod estimate;
mod features;
mod fen;
mod foreign;
pub mod index;
mod memory;
pub mod moves;
mod notation;
mod numbering;
mod pending;
pub mod planes;
mod position;
mod position_text;
pub mod rows;
pub mod rules;
pub mod rules_file;
pub mod symmetry;
mod tables;
mod transform;
mod turn_text;
mod words;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use self::board::Board;
use self::index::TableNumbering;
pub use self::numbering::Located;
pub use self::position::{Force, Position, Table, Turn};
pub use self::position_text::memory_text;
use self::rows::Rows;
pub use self::rules::{
    RULESETS, Variant, find, ids, lasker, nine, nine_nofly, of, read_rules, six, three, twelve,
};
use crate::bits::Bits;
use crate::colour::Colour;
use crate::description::Description;
use crate::ending::Ending;
use crate::rules::Rules;
use crate::value::Value;

/// The number of the quiet plies in [`Setup::memory`](crate::Setup::memory).
pub const QUIET: usize = 0;
/// The number of the banned lines in [`Setup::memory`](crate::Setup::memory): as bits, in the order
/// of [`Geometry::lines`](crate::Geometry::lines).
pub const BANNED: usize = 1;

/// One more than the most men of a side in any ruleset.
const SIZES: usize = 13;

/// A morris game with its rules. Tables for the numbering are computed on first use.
#[derive(Debug)]
pub struct Morris {
    rules: Arc<Variant>,
    board: Board,
    bits: Bits,
    /// By men.
    rows: [OnceLock<Rows>; SIZES],
    /// By men on the row side, then by men on the column side.
    numberings: [[OnceLock<TableNumbering>; SIZES]; SIZES],
    reached: OnceLock<BTreeSet<Table>>,
    /// The fewest men with which a side can cause a ban, if that is possible.
    fewest_to_ban: Option<u32>,
}

impl Morris {
    /// Sets up a ruleset.
    pub fn new(rules: &Variant) -> Morris {
        let mut game = Morris {
            rules: Arc::new(rules.clone()),
            board: Board::new(&rules.board),
            bits: Bits::detect(),
            rows: Default::default(),
            numberings: Default::default(),
            reached: OnceLock::new(),
            fewest_to_ban: None,
        };
        game.fewest_to_ban = game.fewest_to_ban();
        game
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The instructions of this processor.
    #[inline]
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> &Variant {
        &self.rules
    }
}

impl Rules for Morris {
    type Position = Position;
    type Turn = Turn;

    fn description(&self) -> Description {
        Description {
            id: self.rules.id.clone(),
            game: "morris",
            title: self.rules.title.clone(),
            points: self.board.points() as u32,
            edges: self.board.edges(),
            symmetries: self.board.symmetries().len() as u32,
            men: u32::from(self.rules.men),
            counts: vec![("lines", self.board.lines().len() as u32)],
            options: self.rules.options(),
            words: self.rules.in_words(),
        }
    }

    fn rules_text(&self) -> String {
        self.rules.text()
    }

    fn rules_file(&self) -> Option<String> {
        Some(self.rules.to_toml())
    }

    fn start(&self) -> Position {
        Position {
            men: [0; 2],
            hand: [self.rules.men; 2],
            turn: Colour::White,
            quiet: 0,
            banned: 0,
        }
    }

    /// Where the rules look back, published counts are of whole sequences.
    fn counts_ended_games(&self) -> bool {
        self.rules.quiet_limit == 0 && !self.rules.bans_broken_mills
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.turn
    }

    fn finished(&self, position: &Position) -> Option<Value> {
        if self.can_turn(position) {
            return self.at_quiet_limit(position).then_some(Value::Draw);
        }
        let full = self.free(position) == 0;
        if full && self.rules.full_board_draws && position.total(0) >= 3 {
            return Some(Value::Draw);
        }
        Some(Value::LOST)
    }

    fn ending(&self, position: &Position) -> Option<Ending> {
        let value = self.finished(position)?;
        let decided = value.plies().is_some();
        Some(Ending {
            winner: decided.then(|| position.turn.other()),
            reason: match () {
                () if position.total(0) < 3 => "too few men",
                () if self.free(position) == 0 => "full board",
                () if self.can_turn(position) => "quiet limit",
                () => "no turn",
            },
        })
    }

    fn turns(&self, position: &Position, turns: &mut Vec<Turn>) {
        turns.clear();
        self.visit_turns(position, |turn| turns.push(turn));
    }

    #[inline]
    fn play(&self, position: &Position, turn: &Turn) -> Position {
        let lifted = turn.from.map_or(0, |from| 1 << from);
        let placed = u8::from(turn.from.is_none());
        let men = [
            position.men[1] & !turn.removed,
            position.men[0] & !lifted | 1 << turn.to,
        ];
        Position {
            men,
            hand: [position.hand[1], position.hand[0] - placed],
            turn: position.turn.other(),
            quiet: self.quiet_after(position, turn),
            banned: self.banned_after(position, turn, men),
        }
    }

    fn visit_routes(&self, position: &Position, visit: &mut dyn FnMut(Position)) {
        self.visit_turns(position, |turn| visit(self.play(position, &turn)));
    }

    fn count_routes(&self, position: &Position) -> u64 {
        if self.at_quiet_limit(position) {
            return 0;
        }
        let theirs = position.men[1];
        let removals = self.removable(theirs).count_ones().max(1);
        let mut count = 0;
        let _ = self.visit_steps(position, |_, _, mills| {
            match self.taken_by(theirs, mills) {
                0 => count += 1,
                1 => count += u64::from(removals),
                _ => self.visit_removals(theirs, mills, |_| count += 1),
            }
            ControlFlow::Continue(())
        });
        count
    }
}
