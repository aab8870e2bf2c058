//! Blocks of every codec behind a valid checksum.

use std::sync::Arc;

use endmill_dbformat::codec::model::{LONG_UNIT, OutcomeModel, PliesModel, UNIT};
use endmill_dbformat::codec::{Coded, Workspace, Zstd};
use endmill_dbformat::{FileCodec, OutcomeCodec, PlyCodec};
use endmill_games::{Feature, Outcome, Value};

/// The number of positions in the decoded block: some units of either length, and part of one.
const COUNT: usize = 2 * LONG_UNIT + 100;

/// Decodes bytes as a block of outcomes and as one of plies, by every codec, whole and in part.
pub fn block(bytes: &[u8]) {
    let features: Vec<Feature> = (0..COUNT).map(feature).collect();
    let outcomes: Vec<Outcome> = (0..COUNT).map(|i| value(i).outcome()).collect();
    let values: Vec<Option<Value>> = (0..COUNT).map(|i| Some(value(i))).collect();
    let entries: Vec<Option<Outcome>> = outcomes.iter().copied().map(Some).collect();
    let models = [UNIT, LONG_UNIT].map(|unit| OutcomeModel::train(unit, &features, &entries));
    let models = models.map(|model| OutcomeCodec::Model(Arc::new(model)));
    let plies_model = Arc::new(PliesModel::train(&features, &outcomes, &values));
    let workspace = &mut Workspace::default();
    for (start, end) in [
        (0, COUNT),
        (LONG_UNIT, LONG_UNIT + 7),
        (2 * LONG_UNIT, COUNT),
        (UNIT, UNIT + 7),
    ] {
        let coded = Coded {
            bytes,
            count: COUNT,
            start,
            end,
        };
        let features = &features[start..end];
        let zstd = OutcomeCodec::Zstd(Zstd::default());
        let has_unit = |codec: &&OutcomeCodec| start % codec.unit(1) == 0;
        for codec in models.iter().chain([&zstd]).filter(has_unit) {
            let mut decoded = Vec::new();
            if codec
                .decode(coded, features, workspace, &mut decoded)
                .is_ok()
            {
                assert_eq!(decoded.len(), end - start);
            }
        }
        let codec = PlyCodec::Model(Arc::clone(&plies_model));
        let given = &outcomes[start..end];
        let mut decoded = Vec::new();
        if codec
            .decode(coded, given, features, workspace, &mut decoded)
            .is_ok()
        {
            assert_eq!(decoded.len(), end - start);
        }
    }
    // Codec 1 takes the plies of a block as a whole.
    let coded = Coded {
        bytes,
        count: COUNT,
        start: 0,
        end: COUNT,
    };
    let codec = PlyCodec::Zstd(Zstd::default());
    let _ = codec.decode(coded, &outcomes, &features, workspace, &mut Vec::new());
    let _ = OutcomeModel::from_bytes(UNIT, bytes);
    let _ = PliesModel::from_bytes(bytes);
}

fn feature(i: usize) -> Feature {
    Feature {
        views: [i as u8, (i / 5) as u8, (i / 40) as u8, 1],
        near: [1, 3, 0],
        resolved: i.is_multiple_of(11),
    }
}

fn value(i: usize) -> Value {
    match i % 3 {
        0 => Value::Draw,
        1 => Value::Win(2 * (i % 50) as u16 + 1),
        _ => Value::Loss(2 * (i % 70) as u16),
    }
}
