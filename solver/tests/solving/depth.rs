//! Plies that do not fit a node: the error names the tables and the limit.

use std::collections::BTreeMap;

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::value::TableValues;
use endmill_games::{Value, morris};
use endmill_layout::{Group, Layout, NodeValue, Solved};
use endmill_solver::{Budget, Misfit, SolveError, solve};

/// Tables in which every position has the same value.
struct Same<G: Game + Layout>(BTreeMap<G::Table, Vec<NodeValue>>);

impl<G: Game + Layout> Same<G> {
    fn new(game: &G, pieces: u32, value: Value) -> Same<G> {
        let tables = game.tables(Some(pieces)).into_iter();
        let nodes = tables.map(|table| {
            let group = game.group(table);
            let rows = group.tables().into_iter().find(|(own, _)| *own == table);
            let nodes = rows.expect("its own").1.len() * group.width();
            (table, vec![NodeValue::new(value); nodes])
        });
        Same(nodes.collect())
    }
}

impl<G: Game + Layout> Solved<G::Table> for Same<G> {
    fn values(&self, table: G::Table) -> TableValues<'_> {
        TableValues::Nodes(&self.0[&table])
    }
}

/// Solves the group of a table, all of whose outside turns lead to this value.
fn solved<G: Game + Layout>(
    game: &G,
    table: &str,
    outside: Value,
    budget: &Budget,
) -> Result<(), SolveError> {
    let table = game.parse_table(table).unwrap();
    let others = Same::new(game, game.pieces(table).on_board, outside);
    solve(&game.group(table), &others, budget, &()).map(drop)
}

/// What solving ends with where outside turns lose just too late.
fn refused<G: Game + Layout>(game: &G, table: &str, budget: &Budget) -> (String, Misfit, String) {
    let error = solved(game, table, Value::Win(511), budget).expect_err("one of 512 does not");
    let text = error.to_string();
    match error {
        SolveError::Misfit { group, misfit } => (group, misfit, text),
        other => panic!("{other}"),
    }
}

#[test]
fn an_outside_loss_that_is_too_long_is_refused_by_name() {
    let scratch = tempfile::tempdir().unwrap();
    for budget in [
        Budget::unlimited(),
        Budget::new(1 << 10, scratch.path().into()),
    ] {
        solved(&morris::six(), "3v4", Value::Win(509), &budget).expect("a loss of 510 plies fits");
        let (group, misfit, text) = refused(&morris::six(), "3v4", &budget);
        assert_eq!((group.as_str(), misfit), ("4v3 & 3v4", Misfit::OutsideLoss));
        assert_eq!(
            text,
            "4v3 & 3v4 cannot be solved: in a position every move that changes material loses, but \
             takes more than 510 plies"
        );
        // Parts of a group lead to each other, so that losses get longer.
        solved(&Draughts::new(), "11v01", Value::Win(401), &budget).expect("all fit");
        let (group, misfit, _) = refused(&Draughts::new(), "11v01", &budget);
        assert_eq!(
            (group.as_str(), misfit),
            ("01v11 & 11v01", Misfit::OutsideLoss)
        );
    }
}

/// Where there are no inside turns, more fits: all plies that a node has bits for.
#[test]
fn plies_that_no_node_has_bits_for_are_refused_by_name() {
    let six = morris::six();
    let solve = |value| {
        let table = six.parse_table("2+1v3+0").unwrap();
        let others = Same::new(&six, 6, value);
        endmill_solver::solve(&six.group(table), &others, &Budget::unlimited(), &()).map(drop)
    };
    solve(Value::Win(16_381)).unwrap();
    let error = solve(Value::Win(16_383)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2+1v3+0 cannot be solved: a position is decided after more than 16383 plies"
    );
}
