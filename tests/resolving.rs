//! Positions that are not stored are resolved by their turns, to exactly the solved values.

mod program;
mod solved;

use std::collections::BTreeMap;

use endmill_games::Value;
use endmill_games::draughts::{Draughts, Table};
use endmill_games::prelude::*;
use endmill_probe::Database;
use endmill_solver::{Budget, Plan, Sample, VerifyLevel, prove, verify};
use endmill_testkit::{build, plies};
use tempfile::TempDir;

/// The values of all tables with up to three pieces, straight from the solver.
fn solved(game: &Draughts) -> BTreeMap<Table, Vec<Value>> {
    let codes = solved::solved(game, &game.tables(Some(3))).into_iter();
    codes
        .map(|(table, codes)| (table, codes.iter().map(|code| code.value()).collect()))
        .collect()
}

#[test]
fn every_probe_up_to_3_pieces_equals_the_solver() {
    let game = Draughts::new();
    let solved = solved(&game);
    for stored in [true, false] {
        let db = TempDir::new().unwrap();
        build(db.path(), &game, 3, &plies(stored));
        let database = Database::open(db.path(), Draughts::new()).unwrap();
        let mut resolved = 0;
        for (&table, values) in &solved {
            let mut shown = values.iter();
            database
                .for_each(table, |position, verdict| {
                    let value = *shown.next().unwrap();
                    let name = game.format_position(position);
                    let outcome = database.probe_outcome(position).unwrap();
                    assert_eq!(outcome, Some(value.outcome()), "{name}");
                    let probed = database.probe(position).unwrap();
                    assert_eq!(probed, verdict, "{name}");
                    assert_eq!(probed.outcome(), value.outcome(), "{name}");
                    // A capture of all pieces wins at once, whatever else is known.
                    let exact = stored || value == Value::Draw;
                    if exact || probed.value().is_some() {
                        assert_eq!(probed.value(), Some(value), "{name}");
                    }
                    resolved += u64::from(game.is_resolved(position));
                    std::ops::ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!(shown.len(), 0, "{table}");
        }
        assert!(resolved > 10_000, "{resolved}");
    }
}

#[test]
fn a_position_that_is_not_stored_needs_the_tables_its_captures_lead_to() {
    let game = Draughts::new();
    let db = TempDir::new().unwrap();
    let store = build(db.path(), &game, 3, &plies(true));
    for kind in endmill_dbformat::Kind::VALUES {
        std::fs::remove_file(store.path("01v01", kind)).unwrap();
    }
    let database = Database::open(db.path(), Draughts::new()).unwrap();
    // White has a capture that leaves one king each.
    let position = game.parse_position("W:WK18:BK14,K1").unwrap();
    assert!(database.covers(&position));
    let error = database.probe(&position).unwrap_err();
    assert_eq!(error.missing_table(), Some("01v01"));
    assert_eq!(database.probe_outcome(&position).unwrap(), None);
    // A capture that wins proves the win without the other tables.
    let position = game.parse_position("W:WK18:BK14").unwrap();
    assert_eq!(database.probe(&position).unwrap(), Value::Win(1).into());
}

#[test]
fn tables_with_resolved_positions_are_verified_by_rows_and_by_turns() {
    let game = Draughts::new();
    let db = TempDir::new().unwrap();
    let store = build(db.path(), &game, 3, &plies(true));
    let plan = Plan::new(&game, &game.tables(Some(3)));
    // Without memory for tables, everything is read repeatedly.
    for memory in [u64::MAX, 0] {
        let budget = Budget::new(memory, db.path().into());
        let sample = Sample::default();
        let swept = verify(&game, &store, &plan, &budget, sample, &()).unwrap();
        let proved = prove(&game, &store, &plan, &budget, sample, &()).unwrap();
        for verified in [&swept, &proved] {
            assert_eq!(verified.level, VerifyLevel::Right);
            assert_eq!(u128::from(verified.positions), plan.positions());
            assert!(verified.left_out.is_empty());
        }
        assert_eq!(swept.known, proved.known);
    }
}
