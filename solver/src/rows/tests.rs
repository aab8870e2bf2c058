//! Tables as if they had been read, with wrong values in them.

use endmill_games::draughts::Draughts;
use endmill_games::{Features, Numbering};

use super::*;
use crate::solving::solve_again;

/// Sweeps a table as if it had been read, with some nodes changed by `lie`.
fn sweep_read(lie: impl Fn(u64, bool, &mut NodeValue)) -> Option<Mismatch> {
    let (game, budget) = (Draughts::new(), Budget::unlimited());
    let mut resident = Resident::new();
    for table in game.tables(Some(2)) {
        if resident.get(table).is_none() {
            solve_again(&game, table, &mut resident, &budget, &()).unwrap();
        }
    }
    let table = game.parse_table("10v10").unwrap();
    let mut read = budget.nodes(game.size(table) as usize).unwrap();
    for (index, value) in (0..).zip(read.iter_mut()) {
        let mut node = resident.get(table).unwrap()[index as usize];
        let resolved = game.is_resolved(&game.unrank(table, index));
        node.0 |= NodeValue::RESOLVED * u16::from(resolved);
        lie(index, resolved, &mut node);
        *value = node;
    }
    resident.put(table, read);
    let group = game.group(table);
    let rows = group.tables()[0].1.clone();
    let sweep = Sweep {
        game: &game,
        group: &group,
        tables: &[(table, Numbered::new(&group, rows, game.size(table)))],
        read: &BTreeSet::from([table]),
        resident: &resident,
        budget: &budget,
        compare_plies: true,
        sample: Sample {
            positions: 0,
            seed: 0,
        },
        progress: &(),
    };
    sweep.first_mismatch().unwrap()
}

#[test]
fn reading_that_resolves_the_wrong_positions_is_found() {
    assert_eq!(sweep_read(|_, _, _| ()), None);
    for was_resolved in [true, false] {
        // All of them: which comes first depends on the order of the parts.
        let found = sweep_read(|_, resolved, node| {
            if resolved == was_resolved {
                node.0 ^= NodeValue::RESOLVED;
            }
        });
        let Some(Mismatch::Resolved { resolved, .. }) = found else {
            panic!("{found:?}");
        };
        assert_eq!(resolved, !was_resolved);
    }
    let one = 100;
    let found = sweep_read(|index, _, node| {
        node.0 ^= NodeValue::RESOLVED * u16::from(index == one);
    });
    assert!(matches!(found, Some(Mismatch::Resolved { index, .. }) if index == one));
}

#[test]
fn a_wrong_value_of_a_stored_position_is_found_beside_resolved_ones() {
    let found = sweep_read(|_, resolved, node| {
        if !resolved && node.value() == Value::Draw {
            *node = NodeValue::new(Value::Win(3));
        }
    });
    assert!(matches!(found, Some(Mismatch::Value { .. })));
}
