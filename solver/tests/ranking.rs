//! Ranks of draws, against a slow solver that has only the definition.

use endmill_games::draughts::Draughts;
use endmill_games::morris::Table;
use endmill_games::prelude::*;
use endmill_layout::Layout;
use endmill_testkit::{Built, example, morris, plies};

/// Ranks the draws of tables and compares them with the slow ranks.
fn agree<G: Layout>(game: G, tables: &[G::Table], stays: impl Fn(G::Table) -> bool) {
    let built = Built::ranked(game, tables, &plies(true));
    example::draws_are_ranked_by_their_definition(&built, tables, stays);
}

fn no_hands(table: Table) -> bool {
    table.in_hand() == 0
}

#[test]
fn ranks_of_three_follow_from_their_definition() {
    let game = morris("three");
    let tables = game.tables(None);
    agree(game, &tables, no_hands);
}

#[test]
fn ranks_of_six_without_men_in_hand_follow_from_their_definition() {
    let game = morris("six");
    let tables = game.tables(Some(8));
    agree(game, &tables, no_hands);
}

#[test]
fn ranks_of_nine_follow_from_their_definition() {
    let game = morris("nine");
    let tables = game.tables(Some(7));
    agree(game, &tables, no_hands);
}

/// Men move while others are in hand.
#[test]
fn ranks_of_lasker_follow_from_their_definition() {
    let game = morris("lasker");
    let men = |table: &Table| game.pieces(*table).in_hand + game.pieces(*table).on_board;
    let mut tables = game.tables(None);
    tables.retain(|table| men(table) <= 6);
    assert!(tables.iter().any(|table| table.in_hand() > 0));
    agree(game, &tables, |table| {
        table.mover().men() > 0 && table.opponent().men() > 0
    });
}

#[test]
fn ranks_of_draughts_follow_from_their_definition() {
    let game = Draughts::new();
    let tables = game.tables(Some(3));
    agree(game, &tables, |table| {
        let name = table.to_string();
        name.split('v').all(|side| !side.ends_with('0'))
    });
}

/// Every placement of six men's morris too.
#[cfg(feature = "long-tests")]
#[test]
fn ranks_of_all_of_six_follow_from_their_definition() {
    let game = morris("six");
    let tables = game.tables(None);
    agree(game, &tables, no_hands);
}
