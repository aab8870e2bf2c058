//! What both models promise.

use endmill_games::{Feature, Outcome, Value};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use super::*;

/// Values that follow the features, with some noise; long plies among them.
fn made_up(count: usize, seed: u64) -> (Vec<Feature>, Vec<Value>) {
    let mut random = StdRng::seed_from_u64(seed);
    let features: Vec<Feature> = (0..count)
        .map(|_| Feature {
            views: [(); 4].map(|()| random.random_range(0..20)),
            near: [(); 3].map(|()| random.random_range(0..900)),
            resolved: false,
        })
        .collect();
    let values = features.iter().map(|feature| {
        let noise: u8 = random.random_range(0..10);
        let plies = u16::from(feature.views[1]) + u16::from(noise % 3);
        match (feature.views[0] + noise / 9) % 3 {
            0 => Value::Draw,
            1 if noise == 5 => Value::Win(60_001),
            1 => Value::Win(2 * plies + 1),
            _ if noise == 3 => Value::Loss(0),
            _ => Value::Loss(2 * plies),
        }
    });
    let values = values.collect();
    (features, values)
}

fn outcomes(values: &[Value]) -> Vec<Outcome> {
    values.iter().map(|value| value.outcome()).collect()
}

fn some<T: Copy>(all: &[T]) -> Vec<Option<T>> {
    all.iter().copied().map(Some).collect()
}

fn models(features: &[Feature], values: &[Value]) -> (OutcomeModel, PliesModel) {
    let outcomes = outcomes(values);
    (
        OutcomeModel::train(UNIT, features, &some(&outcomes)),
        PliesModel::train(features, &outcomes, &some(values)),
    )
}

fn long_model(features: &[Feature], values: &[Value]) -> OutcomeModel {
    OutcomeModel::train(LONG_UNIT, features, &some(&outcomes(values)))
}

#[test]
fn what_is_coded_is_decoded() {
    let (features, values) = made_up(20 * UNIT, 1);
    let (outcome_model, plies_model) = models(&features, &values);
    let long_model = long_model(&features, &values);
    for count in [0, 1, 7, UNIT - 1, UNIT, UNIT + 1, 5 * UNIT + 100] {
        let (features, values) = made_up(count, 2);
        let mut decoded = Vec::new();
        for model in [&outcome_model, &long_model] {
            let coded = model.encode(&features, &some(&outcomes(&values)));
            model.decode(&coded, &features, &mut decoded).unwrap();
            assert_eq!(decoded, outcomes(&values));
        }
        let coded = plies_model.encode(&features, &decoded, &some(&values));
        let mut all = Vec::new();
        plies_model
            .decode(&coded, &features, &decoded, &mut all)
            .unwrap();
        assert_eq!(all, values);
    }
}

#[test]
fn a_unit_is_decoded_as_far_as_asked() {
    let (features, values) = made_up(2 * LONG_UNIT, 3);
    let (outcome_model, plies_model) = models(&features, &values);
    let outcomes = outcomes(&values);
    for model in [&outcome_model, &long_model(&features, &values)] {
        let coded = model.encode(&features, &some(&outcomes));
        let unit = model.unit();
        let units = Units::new(&coded, features.len(), unit).unwrap();
        for wanted in [0, 1, unit / 2, unit - 1] {
            let range = unit..unit + wanted + 1;
            let mut found = Vec::new();
            model.decode_unit(units.unit(1), &features[range.clone()], &mut found);
            assert_eq!(found, outcomes[range]);
        }
    }
    let coded_plies = plies_model.encode(&features, &outcomes, &some(&values));
    let units_of_plies = Units::new(&coded_plies, features.len(), UNIT).unwrap();
    for wanted in [0, 1, UNIT / 2, UNIT - 1] {
        let range = UNIT..UNIT + wanted + 1;
        let mut found_values = Vec::new();
        plies_model
            .decode_unit(
                units_of_plies.unit(1),
                &features[range.clone()],
                &outcomes[range.clone()],
                &mut found_values,
            )
            .unwrap();
        assert_eq!(found_values, values[range]);
    }
}

#[test]
fn entries_nobody_reads_cost_less_and_change_no_other() {
    let (features, values) = made_up(40 * UNIT, 4);
    let all = outcomes(&values);
    let (model, _) = models(&features, &values);
    let mut entries = some(&all);
    entries
        .iter_mut()
        .step_by(3)
        .for_each(|entry| *entry = None);
    let coded = model.encode(&features, &entries);
    assert!(coded.len() < model.encode(&features, &some(&all)).len());
    let mut decoded = Vec::new();
    model.decode(&coded, &features, &mut decoded).unwrap();
    for (entry, found) in entries.iter().zip(&decoded) {
        assert!(entry.is_none_or(|entry| entry == *found));
    }
}

#[test]
fn models_are_read_back_as_they_were_written() {
    let (features, values) = made_up(20 * UNIT, 5);
    let (outcome_model, plies_model) = models(&features, &values);
    assert_eq!(
        models(&features, &values),
        (outcome_model.clone(), plies_model.clone())
    );
    let bytes = outcome_model.to_bytes();
    assert_eq!(OutcomeModel::from_bytes(UNIT, &bytes), Ok(outcome_model));
    let bytes = plies_model.to_bytes();
    assert_eq!(PliesModel::from_bytes(&bytes), Ok(plies_model));
    let model = long_model(&features, &values);
    let bytes = model.to_bytes();
    assert_eq!(OutcomeModel::from_bytes(LONG_UNIT, &bytes), Ok(model));
}

/// FNV-1a of what [`the_bytes_are_those_of_the_format`] writes: codecs 4 and 5, and codec 6.
const SUMS: [u64; 2] = [0xe21f_4870_98c9_5ab2, 0xad33_4919_0e16_de83];

/// A change in learning, in the coder or in the order of weights changes what is written: then
/// this number changes, and the codec needs a new id.
#[test]
fn the_bytes_are_those_of_the_format() {
    let (features, values) = fixed(8 * UNIT);
    let (outcome_model, plies_model) = models(&features, &values);
    let outcomes = outcomes(&values);
    let written = [
        outcome_model.to_bytes(),
        plies_model.to_bytes(),
        outcome_model.encode(&features, &some(&outcomes)),
        plies_model.encode(&features, &outcomes, &some(&values)),
    ];
    let long_model = long_model(&features, &values);
    let long = [
        long_model.to_bytes(),
        long_model.encode(&features, &some(&outcomes)),
    ];
    // FNV-1a, 64 bits.
    let sums = [written.concat(), long.concat()].map(|bytes| {
        let first = 0xcbf2_9ce4_8422_2325_u64;
        bytes.iter().fold(first, |sum, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    });
    assert_eq!(sums, SUMS, "{sums:#x?}");
}

/// Values and features from a generator that is written out here, so that they never change.
fn fixed(count: usize) -> (Vec<Feature>, Vec<Value>) {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        // Knuth's MMIX generator.
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let one = |_| {
        let views = [(); 4].map(|()| next(16) as u8);
        let near = [(); 3].map(|()| next(300) as u16);
        let plies = u64::from(views[1]) + next(3);
        let value = match (u64::from(views[0]) + next(10) / 9) % 3 {
            0 => Value::Draw,
            1 => Value::Win(2 * plies as u16 + 1),
            _ => Value::Loss(2 * plies as u16),
        };
        (
            Feature {
                views,
                near,
                resolved: false,
            },
            value,
        )
    };
    (0..count).map(one).unzip()
}

#[test]
fn damaged_bytes_neither_panic_nor_loop() {
    let (features, values) = made_up(4 * UNIT + 9, 6);
    let (outcome_model, plies_model) = models(&features, &values);
    let long_model = long_model(&features, &values);
    let outcomes = outcomes(&values);
    let good = [
        outcome_model.to_bytes(),
        plies_model.to_bytes(),
        outcome_model.encode(&features, &some(&outcomes)),
        plies_model.encode(&features, &outcomes, &some(&values)),
        long_model.encode(&features, &some(&outcomes)),
    ];
    let mut random = StdRng::seed_from_u64(7);
    for round in 0..200 {
        let mut bad = good.clone();
        for bytes in &mut bad {
            match round % 4 {
                0 => bytes.truncate(random.random_range(0..bytes.len())),
                1 => bytes.iter_mut().for_each(|byte| *byte = random.random()),
                2 => bytes.extend([0; 5]),
                _ => {
                    let place = random.random_range(0..bytes.len().min(40));
                    bytes[place] ^= random.random_range(1..=255u8);
                }
            }
        }
        let outcome_model =
            OutcomeModel::from_bytes(UNIT, &bad[0]).unwrap_or(outcome_model.clone());
        let plies_model = PliesModel::from_bytes(&bad[1]).unwrap_or(plies_model.clone());
        let mut found = Vec::new();
        for (model, bad) in [(&outcome_model, &bad[2]), (&long_model, &bad[4])] {
            if model.decode(bad, &features, &mut found).is_ok() {
                assert_eq!(found.len(), features.len());
            }
        }
        let mut found = Vec::new();
        if plies_model
            .decode(&bad[3], &features, &outcomes, &mut found)
            .is_ok()
        {
            assert_eq!(found.len(), features.len());
        }
    }
    assert_eq!(Units::new(&[], 0, UNIT).err(), Some(Malformed));
    assert_eq!(Units::new(&[255], 0, UNIT).err(), Some(Malformed));
}

#[test]
fn samples_are_whole_units_within_the_table() {
    for (size, wanted) in [
        (0, 100),
        (1, 100),
        (1000, 1),
        (1 << 30, 1 << 20),
        (5000, 1 << 40),
    ] {
        for length in [UNIT as u64, LONG_UNIT as u64] {
            let units: Vec<_> = sample(size, wanted, length as usize).collect();
            let mut end = 0;
            for unit in &units {
                assert!(unit.start >= end && unit.start % length == 0);
                assert!(unit.end == size || unit.end == unit.start + length);
                end = unit.end;
            }
            assert_eq!(units.is_empty(), size == 0);
        }
    }
}

#[test]
fn resolved_positions_take_no_space_and_say_nothing_of_others() {
    let (mut features, values) = made_up(3 * UNIT + 50, 8);
    let mut random = StdRng::seed_from_u64(9);
    for feature in &mut features {
        feature.resolved = random.random_ratio(1, 3);
    }
    let (outcome_model, plies_model) = models(&features, &values);
    let outcomes = outcomes(&values);
    let entries = |filler: Option<Outcome>| -> Vec<Option<Outcome>> {
        let stored = outcomes.iter().zip(&features);
        stored
            .map(|(&outcome, feature)| {
                if feature.resolved {
                    filler
                } else {
                    Some(outcome)
                }
            })
            .collect()
    };
    // Their entries do not change the bytes.
    let coded = outcome_model.encode(&features, &entries(None));
    assert_eq!(
        coded,
        outcome_model.encode(&features, &entries(Some(Outcome::Win)))
    );
    let mut decoded = Vec::new();
    outcome_model
        .decode(&coded, &features, &mut decoded)
        .unwrap();
    let stored: Vec<Option<Value>> = values
        .iter()
        .zip(&features)
        .map(|(&value, feature)| (!feature.resolved).then_some(value))
        .collect();
    let coded = plies_model.encode(&features, &decoded, &stored);
    let mut decoded_values = Vec::new();
    let plies = plies_model.decode(&coded, &features, &decoded, &mut decoded_values);
    plies.unwrap();
    for ((value, stored), outcome) in decoded_values.iter().zip(&stored).zip(&decoded) {
        match stored {
            Some(stored) => assert_eq!(value, stored),
            None => assert_eq!((*value, *outcome), (Value::Draw, Outcome::Draw)),
        }
    }
    // A block of nothing else is its directory: one byte.
    features
        .iter_mut()
        .for_each(|feature| feature.resolved = true);
    let nothing = vec![None; features.len()];
    assert_eq!(outcome_model.encode(&features, &nothing), [0]);
}
