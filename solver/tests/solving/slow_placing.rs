//! The placing phase by the slow solver: every placement of the men, layer by layer of men in hand.

use std::collections::{BTreeMap, BTreeSet};

use crate::slow_morris::{Best, OPEN, Plies, Slow, all_of_six, members, position, setup};
use crate::solution::Solution;

/// Men on the board and in hand, of the side to move and of the other.
type Forces = [(u32, u32); 2];

/// What is known of the tables with as many men in hand.
type Layer = BTreeMap<Forces, Vec<u16>>;

/// Where a placement leads: without a removal and with one.
fn after([own, other]: Forces) -> [Forces; 2] {
    let placed = (own.0 + 1, own.1 - 1);
    let reduced = (other.0.wrapping_sub(1), other.1);
    [[other, placed], [reduced, placed]]
}

fn is_lost(forces: Forces) -> bool {
    forces[0].0 + forces[0].1 < 3
}

/// Every table from the start on, by men in hand, as if every placement could take a man.
fn reached(men: u32) -> BTreeMap<u32, BTreeSet<Forces>> {
    let mut reached: BTreeMap<u32, BTreeSet<Forces>> = BTreeMap::new();
    reached.insert(2 * men, BTreeSet::from([[(0, men); 2]]));
    for hand in (1..=2 * men).rev() {
        for forces in reached[&hand].clone() {
            let ways = if forces[1].0 > 0 { 2 } else { 1 };
            let next = after(forces).into_iter().take(ways);
            let next = next.filter(|&next| !is_lost(next));
            reached.entry(hand - 1).or_default().extend(next);
        }
    }
    reached
}

/// The plies of a table, given those with a man less in hand.
fn solve(slow: &Slow, forces: Forces, below: &Layer) -> Vec<u16> {
    let [own_force, other_force] = forces;
    let [quiet, taken] = after(forces);
    let all = (1_u32 << slow.board.points()) - 1;
    slow.fill((own_force.0, other_force.0), |_, own, other| {
        let mut best = Best::default();
        for to in members(all & !own & !other) {
            slow.visit_arrival(to, own | to, other, |next, waiting| {
                let table = if next == other { quiet } else { taken };
                best.add(if is_lost(table) {
                    0
                } else {
                    below[&table][slow.place(next, waiting)]
                });
            });
        }
        best.plies()
    })
}

/// Compares every value with men in hand, given those without.
fn agrees_from_the_empty_board(id: &str, men: u32, moving: impl Fn(&Slow) -> Plies) {
    let (game, slow) = setup(id);
    let fast = Solution::new(&game, None);
    let mut plies = moving(&slow);
    let mut below = Layer::new();
    let mut compared = 0;
    for (hand, tables) in reached(men) {
        let mut layer = Layer::new();
        for forces in tables {
            let [own, other] = forces;
            if hand == 0 {
                let plies = &mut plies[own.0 as usize][other.0 as usize];
                layer.insert(forces, std::mem::take(plies));
                continue;
            }
            let plies = solve(&slow, forces, &below);
            let by_rows = slow.fill((own.0, other.0), |_, men, others| {
                let position = position(&game, [men, others], [own.1, other.1]);
                fast.value(&position).plies().unwrap_or(OPEN)
            });
            assert!(plies == by_rows, "{id}: {forces:?}");
            layer.insert(forces, plies);
            compared += 1;
        }
        below = layer;
    }
    let placing = fast.tables().filter(|table| table.in_hand() > 0);
    assert_eq!(compared, placing.count());
}

#[test]
fn a_slow_solver_agrees_on_all_of_three() {
    agrees_from_the_empty_board("three", 3, |slow| slow.solve(&[(3, 3)]));
}

/// The values without men in hand are checked by tests of their own.
#[test]
fn a_slow_solver_agrees_on_six_from_the_empty_board() {
    agrees_from_the_empty_board("six", 6, |slow| {
        let (game, _) = setup("six");
        slow.spread(&Solution::new(&game, 12), &all_of_six())
    });
}
