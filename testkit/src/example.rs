//! What every example game must show: rules and a numbering are enough to be solved, stored,
//! verified and probed.

use endmill_dbformat::{Rules, Store};
use endmill_layout::Layout;
use endmill_probe::Database;
use endmill_solver::{Budget, Plan, Sample, VerifyLevel};
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use crate::{Built, SlowRanks, build, plies, table_bytes};

/// Verifies the whole database, swept by rows and proved by turns.
pub fn is_verified_by_rows_and_by_turns<G: Layout>(built: &Built<G>) {
    let game = built.database.game();
    let store = Store::new(built.directory.path(), Rules::of(game));
    let plan = Plan::new(game, &game.tables(None));
    let (budget, all) = (
        Budget::unlimited(),
        Sample {
            positions: u64::MAX,
            seed: 0,
        },
    );
    let swept = endmill_solver::verify(game, &store, &plan, &budget, all, &()).unwrap();
    let proved = endmill_solver::prove(game, &store, &plan, &budget, all, &()).unwrap();
    for verified in [swept, proved] {
        assert_eq!(verified.level, VerifyLevel::Right);
        assert_eq!(u128::from(verified.positions), plan.positions());
        assert!(verified.left_out.is_empty());
    }
}

/// Probes every position: its value follows from the values of its turns, by the rules alone.
pub fn every_answer_follows_from_its_turns<G: Layout>(database: &Database<G>) {
    let game = database.game();
    let value_of = |position: &G::Position| database.probe(position).unwrap().value().unwrap();
    for table in game.tables(None) {
        for position in (0..game.size(table)).map(|index| game.unrank(table, index)) {
            let mut best = None;
            game.visit_routes(&position, &mut |after| {
                best = best.max(Some(value_of(&after).one_turn_earlier()));
            });
            let derived = best.or_else(|| game.finished(&position)).unwrap();
            assert_eq!(value_of(&position), derived, "{position:?}");
        }
    }
}

/// Verifies the ranks of all draws, swept by rows and proved by turns.
pub fn draws_are_verified_by_rows_and_by_turns<G: Layout>(built: &Built<G>, tables: &[G::Table]) {
    let game = built.database.game();
    let store = Store::new(built.directory.path(), Rules::of(game));
    let plan = Plan::new(game, tables);
    for sample in [Some(Sample::default()), None] {
        let budget = Budget::unlimited();
        let verified = endmill_solver::verify_draws(game, &store, &plan, sample, &budget, &());
        let verified = verified.unwrap().expect("ranks are stored");
        assert!(verified.left_out.is_empty(), "{:?}", verified.left_out);
        let mut draws = 0;
        for (table, size) in plan.groups.iter().flat_map(|group| &group.tables) {
            draws += store
                .open(&table.to_string(), *size)
                .unwrap()
                .statistics()
                .draws;
        }
        assert_eq!(verified.draws, draws);
    }
}

/// Compares every rank of a database, and how soon a draw converts, with the slow ones.
pub fn draws_are_ranked_by_their_definition<G: Layout>(
    built: &Built<G>,
    tables: &[G::Table],
    stays: impl Fn(G::Table) -> bool,
) {
    let database = &built.database;
    let game = database.game();
    let outcome = |position: &G::Position| database.probe_outcome(position).unwrap().unwrap();
    let slow = SlowRanks::new(game, tables, outcome, stays);
    for (&table, ranks) in &slow.ranks {
        for (index, expected) in ranks.iter().enumerate() {
            let position = game.unrank(table, index as u64);
            let found = database.draw_rank(&position).unwrap();
            let found = found.map(|rank| (rank.score, rank.conversion_plies));
            assert_eq!(found, *expected, "{table} {position:?}");
        }
    }
}

/// Builds with one thread and with three: the files are the same.
pub fn threads_do_not_change_the_files<G: Layout>(game: &G) {
    let [one, three] = [1, 3].map(|threads| {
        let directory = TempDir::new().unwrap();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let options = plies(true);
        pool.unwrap()
            .install(|| build(directory.path(), game, None, &options));
        table_bytes(directory.path(), &game.description().id)
    });
    assert!(one.len() >= 2 && one == three);
}
