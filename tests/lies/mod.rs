//! Wrong values behind valid checksums and counts.

use std::ops::ControlFlow;
use std::path::Path;

use endmill_dbformat::{Rules, Store};
use endmill_games::prelude::*;
use endmill_games::{Outcome, Value};
use endmill_probe::Database;
use endmill_testkit::{Sample, morris};

const POSITIONS_PER_BLOCK: u32 = 1 << 14;

/// Exchanges the values of two positions of a table of `six`: the first with one outcome and the last
/// with the other outcome and another value. Returns the positions as texts. Neither is a longest win
/// or loss, whose places are in the header.
pub fn exchange(db: &Path, name: &str, kinds: [Outcome; 2]) -> [String; 2] {
    let game = morris("six");
    let table = game.parse_table(name).unwrap();
    let mut values = Vec::new();
    let database = Database::open(db, morris("six")).unwrap();
    let all = database.for_each(table, |_, verdict| {
        values.push(verdict.value().unwrap());
        ControlFlow::Continue(())
    });
    all.unwrap();
    let store = Store::new(db, Rules::of(&game));
    let stored = store.open(name, game.size(table)).unwrap();
    let statistics = stored.statistics().clone();
    let longest = [statistics.longest_win(), statistics.longest_loss()];
    let fits = |value: Value, kind| value.outcome() == kind && !longest.contains(&value.plies());
    let [one, other] = kinds;
    let first = values.iter().position(|&value| fits(value, one)).unwrap();
    let differs = |&value: &Value| fits(value, other) && value != values[first];
    let second = values.iter().rposition(differs).unwrap();
    values.swap(first, second);

    let mut sample = Sample::of(store.rules(), name, values, POSITIONS_PER_BLOCK);
    sample.statistics = statistics;
    sample.record(&store);
    [first, second].map(|index| game.format_position(&game.unrank(table, index as u64)))
}
