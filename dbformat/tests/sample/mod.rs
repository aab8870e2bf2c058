//! Small tables with made-up values, written and read back.

#![allow(dead_code, reason = "each test file uses its own part")]

use endmill_dbformat::{DecodeContext, Kind, Result, Rules, Source, Table};
use endmill_games::Value;
use endmill_testkit::{Sample, made_up_features};
use rand::{Rng, SeedableRng, rngs::StdRng};

pub const TABLE: &str = "5v4";

pub fn rules() -> Rules {
    Rules {
        id: "nine".into(),
        fingerprint: [7; 32],
    }
}

/// A table of these rules, to be written.
pub fn made_up(values: Vec<Value>, positions_per_block: u32) -> Sample {
    Sample::of(&rules(), TABLE, values, positions_per_block)
}

/// Values with runs, as real tables have them, and some that last longer than a byte can say.
pub fn values(seed: u64, count: usize) -> Vec<Value> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut last = Value::Draw;
    let mut next = || {
        if random.random_bool(0.3) {
            let half = match random.random_range(0..20) {
                0 => random.random_range(250..300),
                _ => random.random_range(0..60),
            };
            last = match random.random_range(0..3) {
                0 => Value::Draw,
                1 => Value::Win(2 * half + 1),
                _ => Value::Loss(2 * half),
            };
        }
        last
    };
    (0..count).map(|_| next()).collect()
}

/// Opens both files of a sample and reads all values back.
pub fn read(sample: &Sample, wld: Source, dtw: Source) -> Result<Vec<Value>> {
    read_all(&sample.open(wld, dtw)?)
}

pub fn read_all(table: &Table) -> Result<Vec<Value>> {
    let context = &mut DecodeContext::default();
    let mut all = Vec::new();
    for block in 0..table.blocks() {
        let range = table.outcome_cut().block(block);
        all.extend(table.read_values(&range, made_up_features, context)?);
    }
    Ok(all)
}

pub fn in_memory(kind: Kind, bytes: &[u8]) -> Source {
    let name = format!("{TABLE}.{}", kind.extension());
    Source::from_bytes(&name, bytes.to_vec())
}
