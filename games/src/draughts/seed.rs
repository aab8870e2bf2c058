//! Seeds of a draughts group, row by row.
//!
//! In a row the pieces of the side to move and the opponent's men stand still, only the
//! opponent's kings differ from column to column. So what can be captured where, how many steps
//! the kings have, and where the men can step is worked out once for the row, as if there were no
//! opposing kings; a column then only asks which of it they prevent or add.
//!
//! - A capture is mandatory: the node has no inside turns, all its captures are looked up.
//! - Otherwise the steps of kings are counted: these are the inside turns.
//! - The steps of men lead to other slices, of the partner table or, with a crowning, of another
//!   one. All columns of the row are looked up in one slice before the next one.

use super::board::{Direction, LAST_ROW, Position, Side, singles};
use super::group::{DraughtsPart, Place, Scratch};
use super::moves::{jumpers, play, visit_jumps};
use super::table::{Material, Table};
use super::view::{Men, king_node};
use crate::combinadics::binomial;
use crate::game::Colour;
use crate::group::{Appeal, Code, Part, Seed, Solved};

/// Tables that a row has asked for. There are few, and to search them is faster than to ask again.
struct Known<'s, S> {
    solved: &'s S,
    tables: Vec<(Table, &'s [Code])>,
}

impl<'s, S: Solved<Table>> Known<'s, S> {
    fn nodes(&mut self, table: Table) -> &'s [Code] {
        if let Some(&(_, nodes)) = self.tables.iter().find(|(known, _)| *known == table) {
            return nodes;
        }
        let nodes = self.solved.nodes(table);
        self.tables.push((table, nodes));
        nodes
    }
}

/// A man's step, as far as it is the same in all columns of a row.
struct ManStep<'s> {
    /// Where it goes: it needs that no opposing king is there.
    to: u32,
    /// The slice that it leads to.
    slice: &'s [Code],
    columns: usize,
    /// In that slice, seen by its side to move: the squares without men, and the kings of the
    /// side that made the step.
    free: u32,
    waiting: u32,
}

/// Where opposing pieces can be jumped in each direction, if only pieces other than opposing
/// kings are in the way.
struct Targets([u32; 4]);

impl Targets {
    fn new(own: Side, left: u32) -> Targets {
        let target = |way: Direction| way.step(own.going(way)) & way.reverse().step(left);
        Targets(Direction::ALL.map(target))
    }

    /// The opposing pieces that can be jumped.
    #[inline(always)]
    fn jumped(&self, men: u32, kings: u32) -> u32 {
        let mut jumped = 0;
        for (target, way) in self.0.iter().zip(Direction::ALL) {
            jumped |= target & !way.reverse().step(kings);
        }
        jumped & (men | kings)
    }
}

impl DraughtsPart<'_> {
    /// Replaces `seeds` by those of a row.
    pub(super) fn seed_row(
        &self,
        row: usize,
        solved: &impl Solved<Table>,
        scratch: &mut Scratch,
        seeds: &mut Vec<Seed>,
    ) {
        let bits = self.group.game.bits;
        let place = self.place(row);
        let men = self.men(&place);
        let view = &self.group.views[place.phase];
        let own = Side {
            men: men.own,
            kings: bits.pdep(view.rows.sets()[place.row], men.free()),
        };
        let left = men.free() & !own.kings;
        let targets = Targets::new(own, left);
        let mut known = Known {
            solved,
            tables: Vec::new(),
        };

        // How many steps of kings lead to each square.
        let mut steps_to = [0_u16; 32];
        let mut steps = 0;
        for way in Direction::ALL {
            for to in singles(way.step(own.kings) & left) {
                steps_to[to.trailing_zeros() as usize] += 1;
                steps += 1;
            }
        }

        seeds.clear();
        scratch.quiet.clear();
        scratch.kings.clear();
        let sets = view.columns.sets().iter();
        scratch.kings.extend(sets.map(|&set| bits.pdep(set, left)));
        for (column, &kings) in scratch.kings.iter().enumerate() {
            if targets.jumped(men.opponent, kings) != 0 {
                let opponent = Side {
                    men: men.opponent,
                    kings,
                };
                seeds.push(Seed {
                    inside: 0,
                    outside: self.best_capture(own, opponent, &mut known),
                });
                continue;
            }
            let blocked = singles(kings).map(|king| steps_to[king.trailing_zeros() as usize]);
            seeds.push(Seed {
                inside: steps - blocked.sum::<u16>(),
                outside: Appeal::NONE,
            });
            scratch.quiet.push(column as u32);
        }

        if own.men == 0 || scratch.quiet.is_empty() {
            return;
        }
        let turned_left = left.reverse_bits();
        let turned = view.columns.turned();
        self.visit_man_steps(&place, own, &mut known, |step| {
            for &column in &scratch.quiet {
                if scratch.kings[column as usize] & step.to != 0 {
                    continue;
                }
                let kings = bits.pdep(turned[column as usize], turned_left);
                let node = king_node(bits, step.free, kings, step.waiting, step.columns);
                let seed = &mut seeds[column as usize];
                seed.outside = seed.outside.max(step.slice[node].appeal());
            }
        });
    }

    /// Visits the steps of men that no man and no king of their own blocks.
    fn visit_man_steps<'s, S: Solved<Table>>(
        &self,
        place: &Place,
        own: Side,
        known: &mut Known<'s, S>,
        mut visit: impl FnMut(ManStep<'s>),
    ) {
        let group = self.group;
        let opponent = self.men(place).opponent;
        let table = group.views[place.phase].table;
        for way in Direction::FORWARD {
            let empty = !(own.pieces() | opponent);
            for from in singles(own.men & way.reverse().step(empty)) {
                let to = way.step(from);
                let mut after = Side {
                    men: own.men ^ from,
                    ..own
                };
                let crowned = to & LAST_ROW != 0;
                if crowned {
                    after.kings |= to;
                } else {
                    after.men |= to;
                }
                let (next, columns) = if crowned {
                    table_after_crowning(table)
                } else {
                    (table.partner(), self.width(1 - place.phase))
                };
                let men = Men {
                    own: after.men,
                    opponent,
                };
                let men = men.turned();
                let slice = group.game.slice_size(next) as usize;
                let start = group.men_number(men) as usize * slice;
                visit(ManStep {
                    to,
                    slice: &known.nodes(next)[start..start + slice],
                    columns,
                    free: men.free(),
                    waiting: after.kings.reverse_bits(),
                });
            }
        }
    }

    /// How good the best capture is.
    fn best_capture<S: Solved<Table>>(
        &self,
        own: Side,
        opponent: Side,
        known: &mut Known<'_, S>,
    ) -> Appeal {
        let position = Position {
            own,
            opponent,
            colour: Colour::Black,
        };
        let mut best = Appeal::NONE;
        visit_jumps(&position, jumpers(&position), &mut |turn| {
            let next = play(&position, &turn);
            let appeal = match Table::of(&next) {
                Some(table) => {
                    let index = self.group.game.rank_position(&next);
                    known.nodes(table)[index as usize].appeal()
                }
                None => Appeal::WINS_AT_ONCE,
            };
            best = best.max(appeal);
        });
        best
    }
}

/// The table in which the opponent is to move after a man was crowned, and the columns of its
/// slices.
fn table_after_crowning(table: Table) -> (Table, usize) {
    let own = Material {
        men: table.own().men - 1,
        kings: table.own().kings + 1,
    };
    let next = Table::new(table.opponent(), own).expect("as many pieces as before");
    let left = 32 - next.men() - next.own().kings;
    (next, binomial(left, own.kings) as usize)
}
