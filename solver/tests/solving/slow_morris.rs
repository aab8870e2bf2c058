//! A slow solver for morris: all placements of the men without symmetry, rules of its own.
//!
//! It takes from the library only what a board is: its points, edges and lines.

use endmill_games::morris::board::Board;
use endmill_games::morris::{Morris, Position, RULESETS, Variant};
use endmill_games::{Colour, Notation, Setup};
use rayon::prelude::*;

use crate::solution::Solution;

/// Not decided; what remains so is a draw.
pub const OPEN: u16 = u16::MAX;

/// Plies of all positions with nothing in hand, by men of the side to move, then of the other, then
/// by the numbers of their sets. Empty where there is no table.
pub type Plies = Vec<Vec<Vec<u16>>>;

pub struct Slow {
    pub board: Board,
    flying: bool,
    /// The sets of each size.
    sets: Vec<Vec<u32>>,
    /// The place of each set among those of its size.
    number: Vec<u32>,
}

pub fn members(set: u32) -> impl Iterator<Item = u32> {
    let lowest = |set: u32| (set != 0).then_some(set);
    let sets = std::iter::successors(lowest(set), move |set| lowest(set & (set - 1)));
    sets.map(|set| set & set.wrapping_neg())
}

/// The best of some turns, given the plies of where they lead.
#[derive(Clone, Copy)]
pub struct Best {
    shortest_win: u16,
    longest_loss: u16,
    all_lose: bool,
}

impl Default for Best {
    fn default() -> Best {
        Best {
            shortest_win: OPEN,
            longest_loss: 0,
            all_lose: true,
        }
    }
}

impl Best {
    pub fn add(&mut self, after: u16) {
        if after == OPEN {
            self.all_lose = false;
        } else if after.is_multiple_of(2) {
            self.shortest_win = self.shortest_win.min(after + 1);
        } else {
            self.longest_loss = self.longest_loss.max(after + 1);
        }
    }

    /// The latest ply at which these turns alone could decide.
    pub fn latest(&self) -> u16 {
        let won = if self.shortest_win == OPEN {
            0
        } else {
            self.shortest_win
        };
        won.max(self.longest_loss)
    }

    pub fn plies(&self) -> u16 {
        match (self.shortest_win, self.all_lose) {
            (OPEN, true) => self.longest_loss,
            (OPEN, false) => OPEN,
            (plies, _) => plies,
        }
    }
}

impl Slow {
    fn new(rules: &Variant) -> Slow {
        let board = Board::new(&rules.board);
        let mut sets = vec![Vec::new(); board.points() + 1];
        let mut number = Vec::new();
        for set in 0..1_u32 << board.points() {
            let same_size = &mut sets[set.count_ones() as usize];
            number.push(same_size.len() as u32);
            same_size.push(set);
        }
        Slow {
            board,
            flying: rules.flying,
            sets,
            number,
        }
    }

    fn stands_in_mill(&self, man: u32, men: u32) -> bool {
        let mut lines = self.board.lines().iter();
        lines.any(|&line| line & man != 0 && line & men == line)
    }

    /// Visits the men of both sides after a man has come to a point, once for each man that this
    /// may take: of the side that is then to move first.
    pub fn visit_arrival(&self, to: u32, after: u32, other: u32, mut visit: impl FnMut(u32, u32)) {
        if other == 0 || !self.stands_in_mill(to, after) {
            return visit(other, after);
        }
        let mut loose = other;
        for man in members(other) {
            if self.stands_in_mill(man, other) {
                loose &= !man;
            }
        }
        let takes = if loose == 0 { other } else { loose };
        for man in members(takes) {
            visit(other & !man, after);
        }
    }

    /// Visits the men of both sides after each turn: of the side that is then to move first.
    fn visit_turns(&self, own: u32, other: u32, mut visit: impl FnMut(u32, u32)) {
        let all = (1_u32 << self.board.points()) - 1;
        let flies = self.flying && own.count_ones() == 3;
        for from in members(own) {
            let near = self.board.neighbours(from.trailing_zeros() as u8);
            let reach = if flies { all } else { near };
            for to in members(reach & !own & !other) {
                self.visit_arrival(to, own ^ from ^ to, other, &mut visit);
            }
        }
    }

    /// The plies that the turns of a position give it.
    fn best_turn(&self, plies: &Plies, own: u32, other: u32) -> u16 {
        let mut best = Best::default();
        self.visit_turns(own, other, |next, waiting| {
            best.add(if next.count_ones() < 3 {
                0
            } else {
                let table = &plies[next.count_ones() as usize][waiting.count_ones() as usize];
                table[self.place(next, waiting)]
            });
        });
        best.plies()
    }

    pub fn place(&self, own: u32, other: u32) -> usize {
        let row = self.number[own as usize] as usize;
        row * self.sets[other.count_ones() as usize].len() + self.number[other as usize] as usize
    }

    /// Works out something for every placement; what is no placement stays open.
    pub fn fill(&self, men: (u32, u32), plies: impl Fn(usize, u32, u32) -> u16 + Sync) -> Vec<u16> {
        let [rows, columns] = [men.0, men.1].map(|men| &self.sets[men as usize]);
        let rows = rows.par_iter().enumerate().flat_map_iter(|(row, &own)| {
            let plies = &plies;
            let nodes = columns.iter().enumerate();
            nodes.map(move |(column, &other)| {
                if own & other == 0 {
                    plies(row * columns.len() + column, own, other)
                } else {
                    OPEN
                }
            })
        });
        rows.collect()
    }

    /// One sweep over some tables.
    fn sweep(
        &self,
        tables: &[(u32, u32)],
        plies: impl Fn((u32, u32), usize, u32, u32) -> u16 + Sync,
    ) -> Plies {
        let mut swept = vec![vec![Vec::new(); 8]; 8];
        for &men in tables {
            swept[men.0 as usize][men.1 as usize] =
                self.fill(men, |place, own, other| plies(men, place, own, other));
        }
        swept
    }

    /// Solves the tables ply after ply, all together: a value hangs on one a ply before.
    pub fn solve(&self, tables: &[(u32, u32)]) -> Plies {
        let mut plies = self.sweep(tables, |_, _, _, _| OPEN);
        for ply in 0.. {
            let next = self.sweep(tables, |men, place, own, other| {
                let known = plies[men.0 as usize][men.1 as usize][place];
                if known != OPEN {
                    return known;
                }
                let found = self.best_turn(&plies, own, other);
                if found == ply { found } else { OPEN }
            });
            // A table may have no finished game, so the first ply may be empty.
            if next == plies && ply > 0 {
                return plies;
            }
            plies = next;
        }
        unreachable!("plies end")
    }

    /// What the fast solver found, without symmetry.
    pub fn spread(&self, solution: &Solution<'_, Morris>, tables: &[(u32, u32)]) -> Plies {
        self.sweep(tables, |_, _, own, other| {
            let position = position(solution.game(), [own, other], [0, 0]);
            solution.value(&position).plies().unwrap_or(OPEN)
        })
    }
}

/// The position with these men on the board and in hand, the side to move first. The side to move
/// is the one that has placed fewer men.
pub fn position(game: &Morris, men: [u32; 2], hand: [u32; 2]) -> Position {
    let to_move = if hand[0] > hand[1] {
        Colour::Black
    } else {
        Colour::White
    };
    let mut setup = Setup::empty(to_move);
    for (side, colour) in [to_move, to_move.other()].into_iter().enumerate() {
        setup.pieces[0][colour as usize] = men[side].into();
        setup.hand[0][colour as usize] = hand[side];
    }
    game.legal(&setup).expect("a position of the game")
}

pub fn setup(id: &str) -> (Morris, Slow) {
    let rules = RULESETS.iter().find(|rules| rules.id == id).unwrap();
    (Morris::new(rules), Slow::new(rules))
}

/// Compares every value of some tables that need no others.
fn agree(id: &str, pieces: u32, tables: &[(u32, u32)]) {
    let (game, slow) = setup(id);
    let fast = slow.spread(&Solution::new(&game, pieces), tables);
    assert!(slow.solve(tables) == fast, "{id}");
}

pub fn all_of_six() -> Vec<(u32, u32)> {
    let sides = 3..=6;
    let tables = sides
        .clone()
        .flat_map(|own| sides.clone().map(move |other| (own, other)));
    tables.collect()
}

#[test]
fn a_slow_solver_agrees_on_every_placement_of_three_men_each() {
    for id in ["three", "six", "nine"] {
        agree(id, 6, &[(3, 3)]);
    }
}

/// Ply after ply it takes minutes: `cargo test --release -p endmill-solver --features long-tests`.
#[cfg(feature = "long-tests")]
#[test]
fn a_slow_solver_agrees_on_four_men_against_three() {
    agree("nine", 7, &[(3, 3), (3, 4), (4, 3)]);
}

#[cfg(feature = "long-tests")]
#[test]
fn a_slow_solver_agrees_on_all_of_six() {
    agree("six", 12, &all_of_six());
}

/// Values that follow from each other by the forward rules are right: wins and losses because
/// their plies decrease, draws because the side to move can stay among them for ever.
#[test]
fn every_value_of_six_follows_from_its_turns() {
    let (game, slow) = setup("six");
    let tables = all_of_six();
    let plies = slow.spread(&Solution::new(&game, 12), &tables);
    let derived = slow.sweep(&tables, |_, _, own, other| {
        slow.best_turn(&plies, own, other)
    });
    assert!(derived == plies);
}
