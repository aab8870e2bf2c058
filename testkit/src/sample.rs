//! One table with chosen values: written, recorded, read back.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use endmill_dbformat::{
    EncodeContext, Expected, FileRecord, FileSummary, Kind, OutcomeCodec, PlyCodec, Result, Rules,
    Source, Statistics, Store, Table, TableSpec, TableWriter, codec,
};
use endmill_games::{Feature, Value};

/// A table with its values, not yet written. Change its fields to write something else.
pub struct Sample {
    /// What the header says about the table.
    pub spec: TableSpec,
    /// Codes the outcomes.
    pub outcomes: OutcomeCodec,
    /// Codes the distances.
    pub plies: PlyCodec,
    /// The values in the order of their ranks.
    pub values: Vec<Value>,
    /// The counts in the header, true or false.
    pub statistics: Statistics,
}

impl Sample {
    /// A table coded by zstd, with true counts.
    pub fn of(rules: &Rules, table: &str, values: Vec<Value>, positions_per_block: u32) -> Sample {
        let spec = TableSpec {
            rules: rules.clone(),
            table: table.to_owned(),
            positions: values.len() as u64,
            positions_per_block,
        };
        Sample {
            spec,
            outcomes: OutcomeCodec::Zstd(codec::Zstd::default()),
            plies: PlyCodec::Zstd(codec::Zstd::default()),
            statistics: statistics(&values),
            values,
        }
    }

    /// The path of one of its files.
    pub fn path(&self, directory: &Path, kind: Kind) -> PathBuf {
        directory.join(format!("{}.{}", self.spec.table, kind.extension()))
    }

    /// Writes both files.
    pub fn write(&self, directory: &Path) -> [FileSummary; 2] {
        fs::create_dir_all(directory).unwrap();
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
        let outcomes = wld.finish_outcomes(&self.statistics).unwrap();
        let outcomes = outcomes.publish().unwrap();
        let plies = dtw.finish_plies(&self.statistics, outcomes.pair).unwrap();
        [outcomes, plies.publish().unwrap()]
    }

    /// Writes both files into a store, with a record, as a build does.
    pub fn record(&self, store: &Store) {
        let files = self.write(store.directory()).map(FileRecord::from);
        let record = Kind::VALUES.into_iter().zip(files).collect();
        store.write_record(&self.spec.table, &record).unwrap();
    }

    /// The bytes of both files.
    pub fn bytes(&self) -> [Vec<u8>; 2] {
        let directory = tempfile::tempdir().unwrap();
        self.write(directory.path());
        Kind::VALUES.map(|kind| fs::read(self.path(directory.path(), kind)).unwrap())
    }

    /// Opens two files as those of this table.
    pub fn open(&self, wld: Source, dtw: Source) -> Result<Table> {
        let expected = Expected {
            rules: &self.spec.rules,
            table: &self.spec.table,
            positions: self.spec.positions,
        };
        let table = Table::open(wld, &expected)?;
        table.add_plies(dtw)?;
        Ok(table)
    }
}

/// The true counts of a table.
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

/// Features as a game might give them.
pub fn made_up_features(range: Range<u64>, features: &mut Vec<Feature>) {
    features.clear();
    features.extend(range.map(|i| Feature {
        views: [i as u8, (i / 7) as u8, (i / 100) as u8, 3],
        near: [1, 2, 0],
        resolved: false,
    }));
}
