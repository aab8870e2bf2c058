//! The laws of [`Game`], written once and held by every ruleset.
//!
//! Small tables are walked position by position; of every table some positions, and of the
//! largest ones a few thousand, are drawn at random and examined in more depth. All draws are
//! seeded: a failure comes back, and names its position in notation that the program reads.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use games::{Game, Reading, Ruleset, Visitor};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// A table of at most so many positions is small.
const SMALL: u64 = 1_000_000;
/// How many positions of small tables to walk for each ruleset, beside the tables named below.
const WALK: u64 = 3_200_000;
/// Random positions of every table, and of those named below.
const SAMPLE: u64 = 10;
const LARGE_SAMPLE: u64 = 2_000;

/// One test for each ruleset, with the tables that deserve the most attention: few men and many,
/// a side that flies, men in hand.
macro_rules! laws {
    ($($test:ident($id:literal): $tables:expr;)*) => {$(
        #[test]
        fn $test() {
            let ruleset = Ruleset::find($id).expect("a ruleset");
            ruleset.visit(Laws { named: &$tables });
        }
    )*};
}

laws! {
    nine_holds_the_laws("nine"):
        ["3v3", "3v4", "4v3", "9v9", "8v8", "8v7", "3v9", "9v3", "8+1v8+1", "6+2v5+2", "3+3v6+2"];
    nine_nofly_holds_the_laws("nine-nofly"):
        ["3v3", "3v4", "9v9", "7v8", "3v9", "9v3", "8+1v8+1", "3+3v6+2"];
    twelve_holds_the_laws("twelve"):
        ["3v3", "12v12", "12v11", "11v12", "12v3", "3v12", "10v10", "9+1v8+0", "6+4v7+4"];
    lasker_holds_the_laws("lasker"):
        ["3v3", "10v10", "9v10", "9+1v9+1", "9+1v10+0", "10+0v9+1", "5+4v7+1", "2+1v3+2"];
    six_holds_the_laws("six"): ["3v3", "6v6", "5v6", "5+1v5+1", "3+3v3+3"];
    three_holds_the_laws("three"): ["3v3", "2+1v2+1"];
    draughts_holds_the_laws("draughts"):
        ["11v11", "40v40", "31v22", "13v31", "04v04", "22v22", "11v60", "02v06", "50v03"];
}

struct Laws {
    named: &'static [&'static str],
}

impl Visitor for Laws {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut tables = game.tables(None);
        tables_come_after_what_they_lead_to(&game, &tables);

        let mut rng = StdRng::seed_from_u64(2025);
        for &table in &tables {
            sample(&game, table, SAMPLE, &mut rng);
        }
        let mut walks = Vec::new();
        for name in self.named {
            let table = game.parse_table(name).expect(name);
            sample(&game, table, LARGE_SAMPLE, &mut rng);
            walks.extend((game.size(table) <= SMALL).then_some(table));
        }
        tables.shuffle(&mut rng);
        let mut budget = WALK;
        for table in tables {
            let size = game.size(table);
            if size <= SMALL.min(budget) && !walks.contains(&table) {
                budget -= size;
                walks.push(table);
            }
        }
        for table in walks {
            walk(&game, table, &mut rng);
        }
    }
}

/// Names a position for the message of a broken law; nothing is formatted while the laws hold.
struct Name<'a, G: Game>(&'a G, &'a G::Position);

impl<G: Game> fmt::Display for Name<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.format_position(self.1))
    }
}

fn tables_come_after_what_they_lead_to<G: Game>(game: &G, tables: &[G::Table]) {
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
            assert!(order.contains_key(&table) && game.pieces(table) <= pieces);
            let mut needed = game.outside(table);
            needed.push(game.partner(table));
            let listed = needed.iter().all(|next| few.contains(next));
            assert!(listed, "{table} needs {needed:?}");
        }
    }
}

/// Examines every position of a table, and the edges between it and its partner in bulk.
fn walk<G: Game>(game: &G, table: G::Table, rng: &mut StdRng) {
    for index in 0..game.size(table) {
        let position = game.unrank(table, index);
        numbering(game, table, index, &position);
        turns(game, table, &position);
    }
    clues_say_what_is_resolved(game, table, 0..game.size(table));
    edges_balance_in_bulk(game, table, rng);
}

/// Examines `count` random positions of a table, with their neighbours and their notation.
fn sample<G: Game>(game: &G, table: G::Table, count: u64, rng: &mut StdRng) {
    for _ in 0..count.min(game.size(table)) {
        let index = rng.random_range(0..game.size(table));
        let position = game.unrank(table, index);
        numbering(game, table, index, &position);
        turns(game, table, &position);
        edges_balance(game, &position);
        notation(game, &position);
        estimate(game, &position);
        let end = game.size(table).min(index + 7);
        clues_say_what_is_resolved(game, table, index.saturating_sub(5)..end);
    }
}

/// The clues of a range tell of each position whether it is resolved.
fn clues_say_what_is_resolved<G: Game>(game: &G, table: G::Table, range: Range<u64>) {
    let mut clues = Vec::new();
    game.clues(table, range.clone(), &mut clues);
    assert_eq!(clues.len() as u64, range.end - range.start);
    for (index, clue) in range.zip(&clues) {
        let position = game.unrank(table, index);
        let name = Name(game, &position);
        assert_eq!(clue.resolved, game.is_resolved(&position), "{name}");
    }
}

/// `rank` undoes `unrank`, and all images of a position share its number. (So they all unrank to
/// this one position: it is canonical.)
fn numbering<G: Game>(game: &G, table: G::Table, index: u64, position: &G::Position) {
    let images = game.images(position);
    for image in &images {
        let name = Name(game, image);
        assert_eq!(game.table_of(image), Some(table), "{name}");
        assert_eq!(game.rank(image), index, "{name}");
    }
    let name = Name(game, position);
    assert!(images.contains(position), "{name}");
    let stabiliser = game.stabiliser(position) as usize;
    assert_eq!(distinct(&images) * stabiliser, images.len(), "{name}");
}

/// How many different things there are in a short list.
fn distinct<T: Eq>(list: &[T]) -> usize {
    let first = |&i: &usize| !list[..i].contains(&list[i]);
    (0..list.len()).filter(first).count()
}

/// Turns lead where their table says, to different positions, by at least one route each; there
/// are some unless the game is finished.
fn turns<G: Game>(game: &G, table: G::Table, position: &G::Position) {
    let name = Name(game, position);
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let finished = game.finished(position).is_some();
    assert_eq!(turns.is_empty(), finished, "{name}");
    let after: Vec<_> = turns.iter().map(|turn| game.play(position, turn)).collect();
    assert_eq!(distinct(&after), turns.len(), "{name}: two turns are one");

    // Which positions are not stored is a choice of the game, but their turns must lead on.
    if game.is_resolved(position) {
        let from = game.resolved_from(table);
        let known = |next| game.table_of(next).is_none_or(|into| from.contains(&into));
        assert!(!turns.is_empty() && after.iter().all(known), "{name}");
    }
    let outside = game.outside(table);
    for (turn, next) in turns.iter().zip(&after) {
        let into = game.table_of(next);
        let allowed = match into {
            _ if game.is_inside(position, turn) => into == Some(game.partner(table)),
            Some(into) => outside.contains(&into),
            None => game.finished(next).is_some(),
        };
        assert!(allowed, "{name} to {}", Name(game, next));
        let mover = game.to_move(position);
        assert_eq!(game.to_move(next), mover.other(), "{name}");
    }

    let mut routes = vec![0; turns.len()];
    game.visit_routes(position, &mut |next| {
        let turn = after.iter().position(|known| *known == next);
        routes[turn.expect("a route is a turn")] += 1;
    });
    assert!(!routes.contains(&0), "{name}: a turn without a route");
    let routes = routes.iter().sum::<u64>();
    assert_eq!(game.count_routes(position), routes, "{name}");
}

/// Where the inside turns of a position lead.
fn inside_successors<G: Game>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    turns.retain(|turn| game.is_inside(position, turn));
    turns.iter().map(|turn| game.play(position, turn)).collect()
}

fn predecessors<G: Game>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut positions = Vec::new();
    game.unmoves(position, &mut positions);
    positions
}

/// The third law on every inside edge from and to a position.
fn edges_balance<G: Game>(game: &G, position: &G::Position) {
    for next in inside_successors(game, position) {
        edge_balances(game, position, &next);
    }
    for previous in predecessors(game, position) {
        edge_balances(game, &previous, position);
    }
}

/// Turns from P into the orbit of Q · |S(Q)| = un-moves from Q into the orbit of P · |S(P)|. Here
/// Q is known to follow P, so each must also list the other itself, by one turn.
fn edge_balances<G: Game>(game: &G, p: &G::Position, q: &G::Position) {
    let (from, to) = (Name(game, p), Name(game, q));
    let (turns, unmoves) = (inside_successors(game, p), predecessors(game, q));
    let (once, back) = (count(&turns, |x| x == q), count(&unmoves, |x| x == p));
    assert_eq!((once, back), (1, 1), "{from} to {to}");
    let table = game.table_of(p);
    let strangers = count(&unmoves, |x| game.table_of(x) != table);
    assert_eq!(strangers, 0, "{from} to {to}");

    let (rank_p, rank_q) = (game.rank(p), game.rank(q));
    let forwards = count(&turns, |x| game.rank(x) == rank_q) * game.stabiliser(q);
    let backwards = count(&unmoves, |x| game.rank(x) == rank_p) * game.stabiliser(p);
    assert_eq!(forwards, backwards, "{from} to {to}");
}

fn count<T>(list: &[T], wanted: impl Fn(&T) -> bool) -> u32 {
    list.iter().filter(|x| wanted(x)).count() as u32
}

/// The third law on all edges from a table to its partner, in one pass over each.
///
/// Give every Q a random weight of 64 bits. For each P the sum over all Q of
/// weight(Q) · (turns(P→Q)·|S(Q)| − unmoves(Q→P)·|S(P)|) is 0 if the law holds; if it is broken for
/// any Q, chance makes the sum 0 about once in 2⁶⁰ times.
fn edges_balance_in_bulk<G: Game>(game: &G, table: G::Table, rng: &mut StdRng) {
    let partner = game.partner(table);
    let weights: Vec<u64> = (0..game.size(partner)).map(|_| rng.random()).collect();
    let stabilisers = |table| -> Vec<u64> {
        let positions = (0..game.size(table)).map(|index| game.unrank(table, index));
        positions
            .map(|position| game.stabiliser(&position).into())
            .collect()
    };
    let (of_p, of_q) = (stabilisers(table), stabilisers(partner));

    let mut sums = vec![0u64; of_p.len()];
    for (p, sum) in sums.iter_mut().enumerate() {
        for next in inside_successors(game, &game.unrank(table, p as u64)) {
            let q = game.rank(&next) as usize;
            *sum = sum.wrapping_add(weights[q].wrapping_mul(of_q[q]));
        }
    }
    for (q, weight) in weights.iter().enumerate() {
        for previous in predecessors(game, &game.unrank(partner, q as u64)) {
            let p = game.rank(&previous) as usize;
            sums[p] = sums[p].wrapping_sub(weight.wrapping_mul(of_p[p]));
        }
    }
    let broken = sums.iter().position(|&sum| sum != 0);
    let broken = broken.map(|p| game.format_position(&game.unrank(table, p as u64)));
    assert_eq!(broken, None, "turns and un-moves of {table} do not balance");
}

/// What is printed is read back as the same thing, and so are setups; both colours, as the sides
/// alternate.
fn notation<G: Game>(game: &G, position: &G::Position) {
    let read = |position: &G::Position| {
        assert_eq!(game.legal(&game.setup(position)), Ok(*position));
        game.parse_position(&game.format_position(position))
    };
    assert_eq!(read(position), Ok(*position));
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    for turn in &turns {
        let text = game.format_turn(position, turn);
        assert_eq!(game.turn_words(position, turn).concat(), text);
        assert_eq!(game.parse_turn(position, &text), Ok(*turn), "{text}");
        let typed = game.read_turn(position, &text);
        assert_eq!(typed, Ok(Reading::Whole(*turn)), "{text}");
        let next = game.play(position, turn);
        assert_eq!(read(&next), Ok(next), "after {text}");
    }
}

/// An estimate is the same for all images, and modest; taking a man is not a quiet turn.
fn estimate<G: Game>(game: &G, position: &G::Position) {
    let name = Name(game, position);
    let estimate = game.evaluate(position);
    let images = game.images(position);
    let same = images.iter().all(|image| game.evaluate(image) == estimate);
    assert!(same && estimate.abs() < 10_000, "{name}: {estimate}");
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let both = |turn: &G::Turn| game.is_inside(position, turn) && game.is_capture(position, turn);
    assert!(!turns.iter().any(both), "{name}");
}
