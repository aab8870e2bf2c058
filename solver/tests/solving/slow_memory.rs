//! A slow solver for morris with all its rules: a state holds everything that the rules look at,
//! there is no symmetry, and what a turn does is written here once more.
//!
//! It takes from the library only what a board is (points, edges, lines) and the numbers of the
//! rules. Tables without bans are arrays of all placements; a state with bans is worked out from its
//! turns each time it is met.

use std::collections::{BTreeMap, BTreeSet};

use endmill_games::morris::board::Board;
use endmill_games::morris::{self, Morris, Table, Variant};
use endmill_games::prelude::*;
use endmill_games::{Colour, Setup};
use rayon::prelude::*;

use crate::slow_morris::{Best, OPEN, members};
use crate::solution::Solution;

/// Everything that the rules look at; the side to move comes first.
#[derive(Clone, PartialEq, Eq)]
struct State {
    men: [u32; 2],
    hand: [u8; 2],
    quiet: u8,
    /// Lines that a side may not complete with its next turn.
    bans: [BTreeSet<u32>; 2],
}

/// Men on the board and in hand of both sides, and the count.
type Key = ([u8; 2], [u8; 2], u8);

struct SlowMemory<'a> {
    rules: &'a Variant,
    board: Board,
    /// The place of each set among those of its size, in increasing order.
    number: Vec<u32>,
    tables: BTreeMap<Key, Vec<u16>>,
}

/// What a state is worth before its own level is known.
struct Begun {
    place: usize,
    /// Of turns into other levels.
    outside: Best,
    /// Turns within the level.
    inside: Vec<(Key, usize)>,
}

impl<'a> SlowMemory<'a> {
    fn new(rules: &'a Variant) -> SlowMemory<'a> {
        let board = Board::new(&rules.board);
        let mut counts = [0; 25];
        let number = (0..1_u32 << board.points()).map(|set| {
            let count: &mut u32 = &mut counts[set.count_ones() as usize];
            *count += 1;
            *count - 1
        });
        SlowMemory {
            rules,
            number: number.collect(),
            board,
            tables: BTreeMap::new(),
        }
    }

    fn all(&self) -> u32 {
        (1 << self.board.points()) - 1
    }

    fn counts(&self, state: &State) -> bool {
        let three = state.men.iter().any(|men| men.count_ones() == 3);
        self.rules.quiet_limit > 0 && three && state.hand == [0, 0]
    }

    /// The sets that remain of some men after a number of removals, one after the other.
    fn left_over(&self, men: u32, removals: usize, left: &mut BTreeSet<u32>) {
        if removals == 0 || men == 0 {
            left.insert(men);
            return;
        }
        let in_mill = |man: u32| {
            let mut lines = self.board.lines().iter();
            lines.any(|&line| line & man != 0 && line & men == line)
        };
        let some_outside = members(men).any(|man| !in_mill(man));
        for man in members(men) {
            if self.rules.takes_any || !some_outside || !in_mill(man) {
                self.left_over(men & !man, removals - 1, left);
            }
        }
    }

    /// The states after every turn, as if there were no limit of quiet plies.
    fn turns(&self, state: &State) -> Vec<State> {
        let [own, other] = state.men;
        let free = self.all() & !own & !other;
        let mut next = Vec::new();
        if state.hand[0] > 0 {
            for to in members(free) {
                self.arrivals(state, 0, to, &mut next);
            }
        }
        if state.hand[0] == 0 || self.rules.moves_while_placing {
            let total = own.count_ones() + u32::from(state.hand[0]);
            for from in members(own) {
                let near = self.board.neighbours(from.trailing_zeros() as u8);
                let flies = self.rules.flying && total == 3;
                for to in members(free & if flies { free } else { near }) {
                    self.arrivals(state, from, to, &mut next);
                }
            }
        }
        next
    }

    /// The turns that bring a man to a point; `from` is empty if it comes from the hand.
    fn arrivals(&self, state: &State, from: u32, to: u32, next: &mut Vec<State>) {
        let [before, other] = state.men;
        let after = before & !from | to;
        let stands = |line: &u32, men: u32| line & men == *line;
        if state.bans[0].iter().any(|line| stands(line, after)) {
            return;
        }
        let lines = self.board.lines();
        let closed = lines
            .iter()
            .filter(|line| *line & to != 0 && stands(line, after))
            .count();
        let removals = match self.rules.removes_for_each_mill {
            true => closed,
            false => closed.min(1),
        };
        let mut left = BTreeSet::new();
        self.left_over(other, removals, &mut left);
        for left in left {
            let took = left != other;
            let mut own_bans = BTreeSet::new();
            if from != 0 && took && self.rules.bans_broken_mills {
                let broken = lines
                    .iter()
                    .filter(|line| *line & from != 0 && stands(line, before));
                own_bans.extend(broken);
            }
            let mut bans = [state.bans[1].clone(), own_bans];
            bans[0].retain(|line| (line & left).count_ones() == 2 && line & after == 0);
            let mut hand = [state.hand[1], state.hand[0]];
            hand[1] -= u8::from(from == 0);
            let quiet = match self.counts(state) && !took {
                true => state.quiet + 1,
                false => 0,
            };
            next.push(State {
                men: [left, after],
                hand,
                quiet,
                bans,
            });
        }
    }

    /// The value of a state in which the game is over, given its turns.
    fn over(&self, state: &State, turns: &[State]) -> Option<u16> {
        let [own, other] = state.men;
        if own.count_ones() + u32::from(state.hand[0]) < 3 {
            return Some(0);
        }
        if turns.is_empty() {
            let full = own | other == self.all();
            return Some(if full && self.rules.full_board_draws {
                OPEN
            } else {
                0
            });
        }
        let limit = self.counts(state) && state.quiet == self.rules.quiet_limit;
        limit.then_some(OPEN)
    }

    /// The value of a state of an earlier level, or with bans.
    fn value(&self, state: &State) -> u16 {
        if state.bans.iter().all(BTreeSet::is_empty)
            && let Some(table) = self.tables.get(&key(state))
        {
            return table[self.place(state.men)];
        }
        let turns = self.turns(state);
        self.over(state, &turns).unwrap_or_else(|| {
            assert!(
                state.bans.iter().any(|bans| !bans.is_empty()),
                "a table is missing"
            );
            let mut best = Best::default();
            turns.iter().for_each(|next| best.add(self.value(next)));
            best.plies()
        })
    }

    /// The number of a placement: of the own men, then of the others among the points left free.
    fn place(&self, [own, other]: [u32; 2]) -> usize {
        let free = self.board.points() as u32 - own.count_ones();
        let mut squeezed = 0;
        for (i, point) in members(self.all() & !own).enumerate() {
            squeezed |= u32::from(other & point != 0) << i;
        }
        let width = choose(free, other.count_ones());
        self.number[own as usize] as usize * width + self.number[squeezed as usize] as usize
    }

    /// All states of a table, in the order of their places.
    fn states(&self, (men, hand, quiet): Key) -> Vec<State> {
        let of_size = |within: u32, size: u8| {
            let sets = 0..=within;
            sets.filter(move |set| set & !within == 0 && set.count_ones() == u32::from(size))
        };
        let mut states = Vec::new();
        for own in of_size(self.all(), men[0]) {
            for other in of_size(self.all() & !own, men[1]) {
                states.push(State {
                    men: [own, other],
                    hand,
                    quiet,
                    bans: Default::default(),
                });
            }
        }
        states
    }

    /// Solves tables that reach each other without a change of material, ply after ply.
    fn solve_level(&mut self, keys: &[Key]) {
        let mut begun = Vec::new();
        let mut values = BTreeMap::new();
        for &key in keys {
            let states = self.states(key);
            let first: Vec<Result<u16, Begun>> = states
                .par_iter()
                .enumerate()
                .map(|(place, state)| self.begin(keys, place, state))
                .collect();
            let table = first.iter().map(|first| *first.as_ref().unwrap_or(&OPEN));
            values.insert(key, table.collect::<Vec<u16>>());
            let open = first.into_iter().filter_map(Result::err);
            begun.extend(open.map(|begun| (key, begun)));
        }
        let latest = begun.iter().map(|(_, begun)| begun.outside.latest()).max();
        let mut ply = 0;
        loop {
            let found: Vec<(Key, usize)> = begun
                .par_iter()
                .filter(|(key, begun)| {
                    let mut best = begun.outside;
                    let inside = begun.inside.iter();
                    inside.for_each(|(key, place)| best.add(values[key][*place]));
                    values[key][begun.place] == OPEN && best.plies() == ply
                })
                .map(|(key, begun)| (*key, begun.place))
                .collect();
            for &(key, place) in &found {
                values.get_mut(&key).unwrap()[place] = ply;
            }
            if found.is_empty() && ply > latest.unwrap_or(0) + 1 {
                break;
            }
            ply += 1;
        }
        self.tables.extend(values);
    }

    fn begin(&self, level: &[Key], place: usize, state: &State) -> Result<u16, Begun> {
        assert_eq!(self.place(state.men), place);
        let turns = self.turns(state);
        if let Some(value) = self.over(state, &turns) {
            return Ok(value);
        }
        let mut begun = Begun {
            place,
            outside: Best::default(),
            inside: Vec::new(),
        };
        for next in &turns {
            if level.contains(&key(next)) && next.bans.iter().all(BTreeSet::is_empty) {
                begun.inside.push((key(next), self.place(next.men)));
            } else {
                begun.outside.add(self.value(next));
            }
        }
        match begun.inside.is_empty() {
            true => Ok(begun.outside.plies()),
            false => Err(begun),
        }
    }
}

fn key(state: &State) -> Key {
    (
        state.men.map(|men| men.count_ones() as u8),
        state.hand,
        state.quiet,
    )
}

fn choose(n: u32, k: u32) -> usize {
    (0..k).fold(1, |ways, i| ways * (n - i) as usize / (i as usize + 1))
}

/// Compares every placement of every table of a game, or of those without men in hand.
pub fn agree(game: &Morris, moving: bool) {
    let pieces = moving.then_some(2 * u32::from(game.rules().men));
    let solution = Solution::new(game, pieces);
    let mut slow = SlowMemory::new(game.rules());
    let mut levels: BTreeMap<(u8, u8, u8), Vec<Key>> = BTreeMap::new();
    for table in solution.tables() {
        let forces = [table.mover(), table.opponent()];
        let (men, hand) = (
            forces.map(|force| force.men()),
            forces.map(|force| force.hand()),
        );
        let quiet = table.quiet().unwrap_or(0);
        let total = men.iter().chain(&hand).sum();
        let left = game.rules().quiet_limit - quiet;
        let counted = if table.quiet().is_some() { left + 1 } else { 0 };
        let level = (hand[0] + hand[1], total, counted);
        levels.entry(level).or_default().push((men, hand, quiet));
    }
    for keys in levels.values() {
        slow.solve_level(keys);
    }
    for table in solution.tables() {
        compare(&solution, &slow, table);
    }
}

fn compare(solution: &Solution<'_, Morris>, slow: &SlowMemory<'_>, table: Table) {
    let game = solution.game();
    let forces = [table.mover(), table.opponent()];
    let (men, hand) = (
        forces.map(|force| force.men()),
        forces.map(|force| force.hand()),
    );
    let key = (men, hand, table.quiet().unwrap_or(0));
    let values = &slow.tables[&key];
    let states = slow.states(key);
    states.par_iter().zip(values).for_each(|(state, &plies)| {
        let black = !game.rules().moves_while_placing && hand[0] > hand[1];
        let to_move = if black { Colour::Black } else { Colour::White };
        let mut setup = Setup::empty(to_move);
        setup.memory[morris::QUIET] = state.quiet.into();
        for (side, colour) in [to_move, to_move.other()].into_iter().enumerate() {
            setup.pieces[0][colour as usize] = state.men[side].into();
            setup.hand[0][colour as usize] = hand[side].into();
        }
        let position = game.legal(&setup).expect("a position of the game");
        let fast = solution.value(&position).plies().unwrap_or(OPEN);
        let text = || format!("{}: {}", game.rules().id, game.format_position(&position));
        assert_eq!(plies, fast, "{}", text());
    });
}

/// A game by its rules file.
pub fn game(fields: &str) -> Morris {
    let text = format!("id = \"test\"\n{fields}");
    let ruleset = endmill_games::Ruleset::from_toml("test", &text);
    let ruleset = ruleset.unwrap_or_else(|error| panic!("{error}"));
    endmill_games::morris::of(ruleset).expect("a morris game")
}

#[path = "../../../games/tests/laws/random.rs"]
mod random;

#[test]
fn random_rules_files() {
    for number in 0..random::FILES {
        let text = random::rules_file(number);
        let ruleset = endmill_games::Ruleset::from_toml("random", &text).expect(&text);
        agree(&endmill_games::morris::of(ruleset).unwrap(), false);
    }
}

/// Every value of the whole game, or without men in hand.
macro_rules! agreements {
    ($($(#[$attribute:meta])* $test:ident($moving:literal): $fields:expr;)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $test() {
            agree(&game($fields), $moving);
        }
    )*};
}

agreements! {
    three_with_four_men_and_bans(false):
        "board = 'three'\nmen = 4\nflying = false\nfull-board = 'draw'\nbroken-mill = 'banned'";
    three_with_four_men_that_fly_a_limit_and_bans(false):
        "board = 'three'\nmen = 4\nfull-board = 'draw'\nquiet-limit = 6\nbroken-mill = 'banned'";
    three_with_three_men_and_a_limit(false): "board = 'three'\nmen = 3\nquiet-limit = 4";
    three_with_four_men_that_move_while_others_are_in_hand(false):
        "board = 'three'\nmen = 4\nmoves-while-placing = true\nquiet-limit = 3\n\
         broken-mill = 'banned'\nremovals = 'each-mill'";
    three_where_any_man_is_taken_for_each_mill(false):
        "board = 'three'\nmen = 4\ntaking = 'any'\nremovals = 'each-mill'\nfull-board = 'loss'";
}

#[cfg(feature = "long-tests")]
agreements! {
    six_with_four_men_and_a_limit(false):
        "board = 'six'\nmen = 4\nfull-board = 'draw'\nquiet-limit = 20";
    six_with_six_men_and_bans(true): "board = 'six'\nmen = 6\nbroken-mill = 'banned'";
    six_with_six_men_a_limit_and_bans(true):
        "board = 'six'\nmen = 6\nquiet-limit = 6\nbroken-mill = 'banned'";
    six_with_six_men_that_take_for_each_mill_and_bans(true):
        "board = 'six'\nmen = 6\nremovals = 'each-mill'\nbroken-mill = 'banned'";
    six_without_flying_a_limit_and_bans(true):
        "board = 'six'\nmen = 6\nflying = false\nquiet-limit = 6\nbroken-mill = 'banned'";
    six_with_eight_men_where_a_full_board_draws(true): "board = 'six'\nmen = 8\nfull-board = 'draw'";
    six_with_eight_men_where_a_full_board_loses(true): "board = 'six'\nmen = 8\nfull-board = 'loss'";
}
