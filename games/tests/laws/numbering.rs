//! The laws of rules, numbering and features: what every game obeys, with or without notation.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use endmill_games::{Features, Numbering};

/// All laws on every position of a table.
pub fn walk<G: Features>(game: &G, table: G::Table) {
    let outside = game.outside(table);
    for index in 0..game.size(table) {
        let position = game.unrank(table, index);
        numbering(game, table, index, &position);
        turns(game, table, &outside, &position);
    }
    features_say_what_is_resolved(game, table, 0..game.size(table));
}

pub fn tables_come_after_what_they_lead_to<G: Numbering>(game: &G, tables: &[G::Table]) {
    let order: HashMap<G::Table, usize> = tables.iter().copied().zip(0..).collect();
    assert_eq!(order.len(), tables.len(), "a table is listed twice");
    for (&table, &place) in &order {
        assert_eq!(game.parse_table(&table.to_string()), Ok(table));
        let partner = game.partner(table);
        assert_eq!(game.partner(partner), table);
        let outside = game.outside(table);
        assert_eq!(distinct(&outside), outside.len(), "{table}: {outside:?}");
        for next in outside {
            assert!(order[&next] < place, "{table} comes before {next}");
            // Both tables of a group are solved at once: neither can wait for the other.
            assert_ne!(next, partner, "{table} leads outside into its group");
        }
    }
    for pieces in [3, 6] {
        let few: HashSet<G::Table> = game.tables(Some(pieces)).into_iter().collect();
        for &table in &few {
            assert!(order.contains_key(&table) && game.pieces(table).on_board <= pieces);
            let mut needed = game.outside(table);
            needed.push(game.partner(table));
            let listed = needed.iter().all(|next| few.contains(next));
            assert!(listed, "{table} needs {needed:?}");
        }
    }
}

/// What a compact database leaves out is known one turn ahead: everything that turns lead to is
/// stored with plies.
pub fn what_is_left_out_follows_from_one_turn<G: Features>(game: &G, tables: &[G::Table]) {
    for &table in tables.iter().filter(|&&table| game.leaves_plies_out(table)) {
        let inside = game.has_inside_turns(table).then(|| game.partner(table));
        for next in game.outside(table).into_iter().chain(inside) {
            let mut asked = game.resolved_from(next);
            asked.push(next);
            let stored = asked.iter().all(|&asked| !game.leaves_plies_out(asked));
            assert!(stored, "{table} leads to {next}");
        }
        assert!(game.resolved_from(table).is_empty(), "{table}");
    }
}

/// The features of a range agree with [`Features::is_resolved`].
pub fn features_say_what_is_resolved<G: Features>(game: &G, table: G::Table, range: Range<u64>) {
    let mut features = Vec::new();
    game.features(table, range.clone(), &mut features);
    assert_eq!(features.len() as u64, range.end - range.start);
    for (index, feature) in range.zip(&features) {
        let position = game.unrank(table, index);
        assert!(
            !(feature.resolved && game.stores_every_one(table)),
            "{table}"
        );
        assert_eq!(
            feature.resolved,
            game.is_resolved(&position),
            "{position:?}"
        );
    }
}

/// `rank` undoes `unrank`.
pub fn numbering<G: Numbering>(game: &G, table: G::Table, index: u64, position: &G::Position) {
    assert_eq!(game.table_of(position), Some(table), "{position:?}");
    assert_eq!(game.rank(position), index, "{position:?}");
}

/// How many different things there are in a short list.
pub fn distinct<T: Eq>(list: &[T]) -> usize {
    let first = |&i: &usize| !list[..i].contains(&list[i]);
    (0..list.len()).filter(first).count()
}

/// Turns lead where their table says, to different positions, by at least one route each; there
/// are some unless the game is finished.
pub fn turns<G: Features>(game: &G, table: G::Table, outside: &[G::Table], position: &G::Position) {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let finished = game.finished(position).is_some();
    assert_eq!(turns.is_empty(), finished, "{position:?}");
    let after: Vec<_> = turns.iter().map(|turn| game.play(position, turn)).collect();
    assert_eq!(
        distinct(&after),
        turns.len(),
        "{position:?}: two turns are one"
    );

    // Which positions are not stored is a choice of the game, but their turns must lead on.
    if game.is_resolved(position) {
        let from = game.resolved_from(table);
        let known = |next| game.table_of(next).is_none_or(|into| from.contains(&into));
        assert!(!turns.is_empty() && after.iter().all(known), "{position:?}");
    }
    let mut followed = false;
    for (turn, next) in turns.iter().zip(&after) {
        let into = game.table_of(next);
        let allowed = match into {
            _ if game.is_inside(position, turn) => into == Some(game.partner(table)),
            Some(into) => outside.contains(&into),
            None if game.finished(next).is_some() => true,
            // One is followed to the tables that decide it; there may be very many.
            None if !std::mem::replace(&mut followed, true) => resolves(game, next, outside),
            None => game.is_resolved(next),
        };
        assert!(allowed, "{position:?} to {next:?}");
        let mover = game.to_move(position);
        assert_eq!(game.to_move(next), mover.other(), "{position:?}");
    }

    routes(game, position, &turns, &after);
}

/// Whether a position without a number is over, or all its turns lead into tables that are known
/// outside, or to another such position. The first of these is followed in its turn: to follow
/// them all would take for ever where captures leave bans behind again and again.
fn resolves<G: Features>(game: &G, position: &G::Position, outside: &[G::Table]) -> bool {
    if game.finished(position).is_some() {
        return true;
    }
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let mut followed = false;
    game.is_resolved(position)
        && !turns.is_empty()
        && turns.iter().all(|turn| {
            let after = game.play(position, turn);
            match game.table_of(&after) {
                Some(table) => outside.contains(&table),
                None if std::mem::replace(&mut followed, true) => {
                    game.finished(&after).is_some() || game.is_resolved(&after)
                }
                None => resolves(game, &after, outside),
            }
        })
}

/// Every turn has a route, and routes are counted rightly.
fn routes<G: Features>(game: &G, position: &G::Position, turns: &[G::Turn], after: &[G::Position]) {
    let mut routes = vec![0; turns.len()];
    game.visit_routes(position, &mut |next| {
        let turn = after.iter().position(|known| *known == next);
        routes[turn.expect("a route is a turn")] += 1;
    });
    assert!(!routes.contains(&0), "{position:?}: a turn without a route");
    let routes = routes.iter().sum::<u64>();
    assert_eq!(game.count_routes(position), routes, "{position:?}");
}
