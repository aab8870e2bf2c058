//! Small tables with made-up values, written and read back.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::ops::Range;
use std::path::{Path, PathBuf};

use endmill_dbformat::{
    DecodeContext, EncodeContext, Expected, FileSummary, Kind, OutcomeCodec, PlyCodec, Result,
    Rules, Source, Statistics, Table, TableSpec, TableWriter, codec,
};
use endmill_games::{Feature, Value};
use rand::{Rng, SeedableRng, rngs::StdRng};

pub const TABLE: &str = "5v4";

pub fn rules() -> Rules {
    Rules {
        id: "nine".into(),
        fingerprint: [7; 32],
    }
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

pub fn statistics(values: &[Value]) -> Statistics {
    let mut statistics = Statistics::default();
    for value in values {
        match value {
            Value::Win(_) => statistics.wins += 1,
            Value::Draw => statistics.draws += 1,
            Value::Loss(_) => statistics.losses += 1,
        }
        if let Some(plies) = value.plies().map(usize::from) {
            let histogram = &mut statistics.histogram;
            histogram.resize(histogram.len().max(plies + 1), 0);
            histogram[plies] += 1;
        }
    }
    statistics
}

/// A table with its values, to be written into a directory.
pub struct Sample {
    pub spec: TableSpec,
    pub outcomes: OutcomeCodec,
    pub plies: PlyCodec,
    pub values: Vec<Value>,
}

impl Sample {
    pub fn new(values: Vec<Value>, positions_per_block: u32) -> Sample {
        let spec = TableSpec {
            rules: rules(),
            table: TABLE.into(),
            positions: values.len() as u64,
            positions_per_block,
        };
        Sample {
            spec,
            outcomes: OutcomeCodec::Zstd(codec::Zstd::default()),
            plies: PlyCodec::Zstd(codec::Zstd::default()),
            values,
        }
    }

    pub fn path(&self, directory: &Path, kind: Kind) -> PathBuf {
        directory.join(format!("{}.{}", self.spec.table, kind.extension()))
    }

    /// Writes both files.
    pub fn write(&self, directory: &Path) -> [FileSummary; 2] {
        let spec = &self.spec;
        let path = |kind| self.path(directory, kind);
        let wld = TableWriter::create(&path(Kind::Outcomes), spec.clone(), &self.outcomes);
        let dtw = TableWriter::create(&path(Kind::Plies), spec.clone(), &self.plies);
        let (mut wld, mut dtw) = (wld.unwrap(), dtw.unwrap());
        let mut features = Vec::new();
        let mut first = 0;
        let context = &mut EncodeContext::default();
        for block in self.values.chunks(spec.positions_per_block as usize) {
            let outcomes: Vec<_> = block.iter().map(|value| value.outcome()).collect();
            let entries: Vec<_> = outcomes.iter().copied().map(Some).collect();
            let values: Vec<_> = block.iter().copied().map(Some).collect();
            let end = first + block.len() as u64;
            made_up_features(first..end, &mut features);
            first = end;
            let coded = self.outcomes.encode(&entries, &features, context);
            wld.push_block(&coded).unwrap();
            let coded = self.plies.encode(&outcomes, &values, &features, context);
            dtw.push_block(&coded).unwrap();
        }
        let statistics = statistics(&self.values);
        let outcomes = wld.finish_outcomes(&statistics).unwrap().publish().unwrap();
        let plies = dtw
            .finish_plies(&statistics, outcomes.pair)
            .unwrap()
            .publish()
            .unwrap();
        [outcomes, plies]
    }

    /// Writes both files and gives their bytes.
    pub fn bytes(&self) -> [Vec<u8>; 2] {
        let directory = tempfile::tempdir().unwrap();
        self.write(directory.path());
        Kind::ALL.map(|kind| std::fs::read(self.path(directory.path(), kind)).unwrap())
    }

    /// Reads all values back.
    pub fn read(&self, wld: Source, dtw: Source) -> Result<Vec<Value>> {
        read_all(&self.open(wld, dtw)?)
    }

    /// Opens both files.
    pub fn open(&self, wld: Source, dtw: Source) -> Result<Table> {
        let rules = rules();
        let expected = Expected {
            rules: &rules,
            table: &self.spec.table,
            positions: self.spec.positions,
        };
        let table = Table::open(wld, &expected)?;
        table.add_plies(dtw)?;
        Ok(table)
    }
}

/// Features as a game might give them.
pub fn made_up_features(range: Range<u64>, features: &mut Vec<Feature>) {
    features.clear();
    features.extend(range.map(|i| Feature {
        views: [i as u8, (i / 7) as u8, (i / 100) as u8, 3],
        near: [1, 2, 0],
        resolved: false,
    }));
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
