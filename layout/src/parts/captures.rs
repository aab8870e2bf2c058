//! Looks captures up in bulk: the best score, for many positions of a row.
//!
//! A capture leads to a slice of another table. A row, and a whole slice, uses the same few slices
//! again and again, since men seldom change: they are cached by men and number of kings, and only
//! the kings are ranked each time. Only the end of a route matters for the value of a capture, so
//! routes are not kept.

use endmill_games::bits::Bits;
use endmill_games::combinadics::binomial;
use endmill_games::draughts::board::{Direction, LAST_ROW, Side, singles};
use endmill_games::draughts::moves::{Jumper, Route};
use endmill_games::draughts::{Draughts, Material, Table};
use endmill_games::value::TableValues;

use super::view::{Men, king_column, king_row};
use crate::{Solved, TurnScore};

/// The number of cached slices; a power of two.
const KEPT: usize = 32;
/// The number of cached tables; a power of two. Captures and steps from one table lead to few
/// others.
const KEPT_TABLES: usize = 16;

/// The slice that a turn leads to.
#[derive(Clone, Copy)]
pub(super) struct Slice<'s> {
    /// Seen by the side to move there.
    men: Men,
    /// The kings of the side to move, and of the other.
    kings: [u32; 2],
    /// The values of the table, and the first node of the slice.
    values: TableValues<'s>,
    start: usize,
    columns: usize,
}

impl Slice<'_> {
    /// Returns the score of leading to these kings, seen by the side to move there.
    #[inline(always)]
    pub(super) fn score(&self, bits: Bits, own: u32, opponent: u32) -> TurnScore {
        self.score_in(bits, self.row(bits, own), own, opponent)
    }

    /// Replaces `scores` with the scores of leading to each position of a row.
    pub(super) fn row_scores(&self, row: usize, scores: &mut Vec<TurnScore>) {
        let first = self.start + row * self.columns;
        self.values.scores(first..first + self.columns, scores);
    }

    /// Returns the first node of the row with these kings of the side to move.
    #[inline(always)]
    pub(super) fn row(&self, bits: Bits, own: u32) -> usize {
        self.start + king_row(bits, self.men.free(), own) * self.columns
    }

    /// Like [`Slice::score`], in a known row.
    #[inline(always)]
    pub(super) fn score_in(&self, bits: Bits, row: usize, own: u32, opponent: u32) -> TurnScore {
        let column = king_column(bits, self.men.free(), own, opponent);
        self.values.score(row + column)
    }
}

/// A table that turns lead to.
#[derive(Clone, Copy)]
struct Destination<'s> {
    /// The pieces of the side to move, and of the other.
    sides: [Material; 2],
    values: TableValues<'s>,
    /// Nodes of a slice, and of each of its rows.
    slice: usize,
    columns: usize,
}

/// A capture without its path.
#[derive(Clone, Copy)]
struct Landing {
    at: u32,
    captured: u32,
}

impl Route for Landing {
    #[inline(always)]
    fn at(&self) -> u32 {
        self.at
    }

    #[inline(always)]
    fn captured(&self) -> u32 {
        self.captured
    }

    #[inline(always)]
    fn then(self, to: u32, over: u32, _: bool) -> Landing {
        Landing {
            at: to,
            captured: self.captured | over,
        }
    }
}

/// A cache of slices of solved tables, and of the tables.
pub(super) struct Slices<'s, S> {
    game: &'s Draughts,
    solved: &'s S,
    kept: [Option<Slice<'s>>; KEPT],
    tables: [Option<Destination<'s>>; KEPT_TABLES],
}

impl<'s, S: Solved<Table>> Slices<'s, S> {
    pub(super) fn new(game: &'s Draughts, solved: &'s S) -> Slices<'s, S> {
        Slices {
            game,
            solved,
            kept: [None; KEPT],
            tables: [None; KEPT_TABLES],
        }
    }

    /// Returns the slice with these men, seen by its side to move, and these numbers of kings of
    /// either side.
    #[inline(always)]
    pub(super) fn slice(&mut self, men: Men, kings: [u32; 2]) -> &Slice<'s> {
        let mixed = (men.own ^ men.opponent.rotate_left(13) ^ kings[0] ^ kings[1] << 4)
            .wrapping_mul(0x9E37_79B9);
        let place = (mixed >> 24) as usize % KEPT;
        let known = |slice: &Slice<'_>| slice.men == men && slice.kings == kings;
        if !self.kept[place].as_ref().is_some_and(known) {
            self.kept[place] = Some(self.find(men, kings));
        }
        self.kept[place].as_ref().expect("it was just put there")
    }

    #[inline(never)]
    fn find(&mut self, men: Men, kings: [u32; 2]) -> Slice<'s> {
        let material = |men: u32, kings| Material {
            men: men.count_ones(),
            kings,
        };
        let destination = self.destination([
            material(men.own, kings[0]),
            material(men.opponent, kings[1]),
        ]);
        let number = self.game.rank_men(men.own, men.opponent) as usize;
        Slice {
            men,
            kings,
            values: destination.values,
            start: number * destination.slice,
            columns: destination.columns,
        }
    }

    #[inline(always)]
    fn destination(&mut self, sides: [Material; 2]) -> Destination<'s> {
        let [own, opponent] = sides;
        let mixed = own.men ^ own.kings << 1 ^ opponent.men << 2 ^ opponent.kings << 3;
        let place = mixed as usize % KEPT_TABLES;
        match self.tables[place] {
            Some(table) if table.sides == sides => table,
            _ => {
                let table = Table::new(own, opponent).expect("no more pieces than before");
                let destination = Destination {
                    sides,
                    values: self.solved.values(table),
                    slice: self.game.slice_size(table) as usize,
                    columns: binomial(32 - table.men() - own.kings, opponent.kings) as usize,
                };
                self.tables[place] = Some(destination);
                destination
            }
        }
    }

    /// Returns the score of the best capture; [`TurnScore::NONE`] if there is none.
    #[inline(always)]
    pub(super) fn best_capture(&mut self, bits: Bits, own: Side, opponent: Side) -> TurnScore {
        let mut best = TurnScore::NONE;
        let victims = opponent.pieces();
        let empty = !(own.pieces() | victims);
        for way in Direction::ALL {
            for from in singles(own.jumpers(way, victims, empty)) {
                let over = way.step(from);
                let route = Landing {
                    at: way.step(over),
                    captured: over,
                };
                let jumper = Jumper::new(own, from, victims, empty);
                let mut end = |Landing { at, captured }| {
                    let score = self.after(bits, own, opponent, [from, at, captured]);
                    best = best.max(score);
                };
                if jumper.ends(route.at, route.captured) {
                    end(route);
                } else {
                    jumper.visit_ends(route, &mut end);
                }
            }
        }
        best
    }

    /// Returns the score of moving from one square to another and capturing some pieces.
    #[inline(always)]
    fn after(
        &mut self,
        bits: Bits,
        own: Side,
        opponent: Side,
        [from, to, captured]: [u32; 3],
    ) -> TurnScore {
        let left = Side::new(opponent.men() & !captured, opponent.kings() & !captured);
        if left.pieces() == 0 {
            return TurnScore::WINS_AT_ONCE;
        }
        let mut men = own.men() & !from;
        let mut kings = own.kings() & !from;
        if own.kings() & from != 0 || to & LAST_ROW != 0 {
            kings |= to;
        } else {
            men |= to;
        }
        let after = Men {
            own: left.men().reverse_bits(),
            opponent: men.reverse_bits(),
        };
        let counts = [left.kings().count_ones(), kings.count_ones()];
        let slice = self.slice(after, counts);
        slice.score(bits, left.kings().reverse_bits(), kings.reverse_bits())
    }
}
