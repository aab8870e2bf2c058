//! Ranks of draws, against a slow solver that has only the definition.

use std::sync::atomic::{AtomicUsize, Ordering};

use endmill_dbformat::{
    DecodeContext, DrawEntry, Kind, Rules, Store, TableReader, TableSpec, TableWriter,
};
use endmill_games::draughts::Draughts;
use endmill_games::morris::Table;
use endmill_games::prelude::*;
use endmill_games::value::Score;
use endmill_games::{Outcome, Ruleset};
use endmill_layout::Layout;
use endmill_solver::{
    Budget, BuildOptions, ChosenScores, DatabaseForm, Plan, Progress, Sample, ScoreError,
    SolveError, build_draws, convert, verify_draws,
};
use endmill_testkit::{Built, example, morris, plies, table_bytes};
use rayon::ThreadPoolBuilder;

/// Ranks the draws of tables and compares them with the slow ranks.
fn agree<G: Layout>(game: G, tables: &[G::Table], stays: impl Fn(G::Table) -> bool) {
    let built = Built::ranked(game, tables, &plies(true));
    example::draws_are_ranked_by_their_definition(&built, tables, stays);
    example::draws_are_verified_by_rows_and_by_turns(&built, tables);
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

/// A small board, on which either side may leave a table at the same ply.
#[test]
fn ranks_of_own_rules_follow_from_their_definition() {
    let rules = "id = \"small\"\nmen = 5\nflying = true\nmoves-while-placing = true\n[board]\n\
                 lines = [\"a1 b1 c1\", \"a2 b2 c2\", \"a3 b3 c3\", \"a4 b4 c4\", \"a1 a2 a3\", \
                 \"b2 b3 b4\", \"c1 c2 c3\"]\nspokes = [\"a3 a4\"]\n";
    let ruleset = Ruleset::from_toml("small", rules).unwrap();
    let game = endmill_games::morris::of(ruleset).unwrap();
    let men = |table: &Table| game.pieces(*table).in_hand + game.pieces(*table).on_board;
    let mut tables = game.tables(None);
    tables.retain(|table| men(table) <= 7);
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

/// Rewrites the ranks of a table with those of `change`, given the number of a position.
fn forge<G: Layout>(
    built: &Built<G>,
    table: G::Table,
    change: impl Fn(u64, DrawEntry) -> DrawEntry,
) {
    let game = built.database.game();
    let store = Store::new(built.directory.path(), Rules::of(game));
    let name = table.to_string();
    let opened = store.open(&name, game.size(table)).unwrap();
    store.open_draws(&opened).unwrap();
    let file = opened.draw_file().unwrap();
    let header = opened.outcome_file().header();
    let spec = TableSpec {
        rules: header.rules.clone(),
        table: name.clone(),
        positions: header.positions,
        positions_per_block: header.positions_per_block,
    };
    let path = store.path(&name, Kind::Draws);
    let mut writer = TableWriter::create(&path, spec, file.codec()).unwrap();
    let reader = TableReader::new(game, table, &opened);
    let (mut context, mut features) = (DecodeContext::default(), Vec::new());
    for block in 0..opened.blocks() {
        let range = opened.outcome_cut().block(block);
        let (outcomes, entries) = reader.draws(&range, &mut context).unwrap();
        let draws = range.clone().zip(outcomes.iter().zip(entries));
        let entries = draws.map(|(index, (outcome, entry))| {
            (*outcome == Outcome::Draw).then(|| change(index, *entry))
        });
        let entries: Vec<_> = entries.collect();
        game.features(table, range, &mut features);
        writer
            .push_block(&file.codec().encode(&entries, &features))
            .unwrap();
    }
    let counts = opened.statistics().clone().without_plies();
    let scores = file.header().draw_scores;
    let finished = writer.finish_draws(&counts, opened.pair(), scores).unwrap();
    store.add_draws(&name, finished).unwrap();
}

#[test]
fn a_wrong_rank_or_conversion_is_found() {
    let game = morris("nine");
    let tables = game.tables(Some(8));
    let (own, victim) = (
        game.parse_table("4v4").unwrap(),
        game.parse_table("5v3").unwrap(),
    );
    let built = Built::ranked(game, &tables, &plies(true));
    let game = built.database.game();
    let store = Store::new(built.directory.path(), Rules::of(game));
    let plan = Plan::new(game, &tables);
    let budget = Budget::unlimited();
    let verify = |sample| verify_draws(game, &store, &plan, sample, &budget, &());
    let rows = Some(Sample {
        positions: 0,
        seed: 0,
    });
    forge(&built, own, |_, entry| entry);
    for sample in [rows, None] {
        verify(sample).unwrap();
    }
    // The counts of the header stay what they were, since two positions are exchanged.
    let converts = |table: Table, plies: u16| {
        let positions = (0..game.size(table)).map(|index| (index, game.unrank(table, index)));
        let found = positions.filter(|(_, position)| {
            let rank = built.database.draw_rank(position).unwrap();
            rank.is_some_and(|rank| rank.conversion_plies == Some(plies))
        });
        found.map(|(index, _)| index).next().unwrap()
    };
    let [first, second] = [converts(victim, 4), converts(victim, 6)];
    forge(&built, victim, |index, entry| DrawEntry {
        plies: match index {
            _ if index == first => 6,
            _ if index == second => 4,
            _ => entry.plies,
        },
        ..entry
    });
    for sample in [rows, None] {
        assert!(matches!(verify(sample), Err(SolveError::Differs(_))));
    }
    forge(&built, victim, |index, entry| DrawEntry {
        plies: match index {
            _ if index == first => 4,
            _ if index == second => 6,
            _ => entry.plies,
        },
        ..entry
    });
    verify(rows).unwrap();
    let ranks = built.database.draw_ranks_of(own).unwrap().unwrap();
    assert!(ranks.len() > 1, "draws of 4v4 have several ranks");
    forge(&built, own, |index, entry| DrawEntry {
        rank: (entry.rank + u16::from(index % 1000 == 0)) % ranks.len() as u16,
        plies: entry.plies.max(1),
    });
    for sample in [rows, None] {
        assert!(matches!(verify(sample), Err(SolveError::Differs(_))));
    }
}

/// The files of a database whose draws were ranked by `rank`, after outcomes were built.
fn ranked_files<G: Layout>(
    game: &G,
    tables: &[G::Table],
    rank: impl Fn(&Store, &Plan<G::Table>),
) -> Vec<(String, Vec<u8>)> {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new(directory.path(), Rules::of(game));
    let plan = Plan::new(game, tables);
    endmill_solver::build(game, &store, &plan, &plies(true), &()).unwrap();
    rank(&store, &plan);
    table_bytes(directory.path(), &game.description().id)
}

/// Stops after a number of groups.
struct StopsAfter(AtomicUsize);

impl Progress for StopsAfter {
    fn finished(&self, _: &str) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

fn files_are_the_same_however_they_are_ranked<G: Layout>(game: &G, tables: &[G::Table]) {
    let counted = ChosenScores::Counted;
    let options = plies(true);
    let with_threads = |threads, options: &BuildOptions| {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        ranked_files(game, tables, |store, plan| {
            let ranked = pool.install(|| build_draws(game, store, plan, &counted, options, &()));
            ranked.unwrap();
        })
    };
    let alone = with_threads(1, &options);
    assert!(alone.iter().any(|(name, _)| name.ends_with(".drw")));
    assert!(with_threads(2, &options) == alone && with_threads(7, &options) == alone);
    let little = BuildOptions {
        memory: 100_000,
        ..options.clone()
    };
    assert!(with_threads(2, &little) == alone, "with little memory");
    let resumed = ranked_files(game, tables, |store, plan| {
        for groups in 1.. {
            let progress = StopsAfter(AtomicUsize::new(groups));
            match build_draws(game, store, plan, &counted, &options, &progress) {
                Err(SolveError::Stopped) => {}
                ended => return ended.unwrap(),
            }
        }
    });
    assert!(resumed == alone, "stopped and resumed");
}

#[test]
fn ranks_do_not_depend_on_threads_memory_or_interruptions() {
    let game = morris("nine");
    let tables = game.tables(Some(7));
    files_are_the_same_however_they_are_ranked(&game, &tables);
    let game = morris("three");
    let tables = game.tables(None);
    files_are_the_same_however_they_are_ranked(&game, &tables);
    let game = Draughts::new();
    let tables = game.tables(Some(3));
    files_are_the_same_however_they_are_ranked(&game, &tables);
}

#[test]
fn ranks_survive_a_conversion_and_a_mixture_is_refused() {
    let game = morris("nine");
    let tables = game.tables(Some(8));
    let built = Built::ranked(game, &tables, &plies(true));
    let game = built.database.game();
    let before = table_bytes(built.directory.path(), "nine");
    let store = Store::new(built.directory.path(), Rules::of(game));
    let budget = Budget::unlimited();
    for form in [DatabaseForm::Compact, DatabaseForm::Full] {
        convert(game, &store, &store, form, &budget, &()).unwrap();
    }
    assert!(table_bytes(built.directory.path(), "nine") == before);
    // Other scores need other ranks.
    let scores = tables.iter().map(|&table| (table, Score::ZERO));
    let given = ChosenScores::Given(scores.collect());
    let plan = Plan::new(game, &tables);
    let ranked = build_draws(game, &store, &plan, &given, &plies(true), &());
    assert!(matches!(
        ranked,
        Err(SolveError::Scores(ScoreError::Mixed { .. }))
    ));
    let uneven = [("3v4", 40), ("4v3", -39), ("3v3", 0)];
    let uneven =
        uneven.map(|(name, score)| (game.parse_table(name).unwrap(), Score::new(score, 1)));
    let uneven = ChosenScores::Given(uneven.into_iter().collect());
    let plan = Plan::new(game, &game.tables(Some(7)));
    let ranked = build_draws(game, &store, &plan, &uneven, &plies(true), &());
    assert!(matches!(
        ranked,
        Err(SolveError::Scores(ScoreError::NotOpposite { .. }))
    ));
}

/// With three men a side quiet plies are counted and no game stays; with four each one may. A banned mill
/// is remembered.
#[test]
fn ranks_beside_rules_with_memory_follow_from_their_definition() {
    let rules = "id = \"short\"\nboard = \"three\"\nmen = 4\nflying = true\nquiet-limit = 4\n\
                 broken-mill = \"banned\"\n";
    let ruleset = Ruleset::from_toml("short", rules).unwrap();
    let game = endmill_games::morris::of(ruleset).unwrap();
    let tables = game.tables(None);
    let counts = |table: &Table| table.to_string().contains('@');
    assert!(tables.iter().any(counts));
    agree(game, &tables, |table| no_hands(table) && !counts(&table));
}

#[test]
fn draws_that_all_end_by_a_limit_of_quiet_plies_have_no_ranks() {
    let rules = "id = \"short\"\nboard = \"three\"\nmen = 3\nquiet-limit = 4\n";
    let ruleset = Ruleset::from_toml("short", rules).unwrap();
    let game = endmill_games::morris::of(ruleset).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new(directory.path(), Rules::of(&game));
    let plan = Plan::new(&game, &game.tables(Some(6)));
    let ranked = build_draws(
        &game,
        &store,
        &plan,
        &ChosenScores::Counted,
        &plies(true),
        &(),
    );
    assert!(matches!(
        ranked,
        Err(SolveError::Scores(ScoreError::NoneStays { .. }))
    ));
}
