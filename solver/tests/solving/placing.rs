//! Tables with men in hand, swept by rows, against their turns one by one.

use std::collections::BTreeMap;

use endmill_games::morris::{Morris, Table};
use endmill_games::prelude::*;
use endmill_games::value::{OUTCOMES_PER_BYTE, TableValues};
use endmill_games::{Outcome, Value};
use endmill_layout::Layout;
use endmill_layout::{Group, NodeValue, Part, Seed, Solved, TurnScore};
use endmill_testkit::morris;

/// How the tables that a sweep reads are held.
#[derive(Clone, Copy)]
enum Form {
    Nodes,
    Bytes,
    Outcomes,
}

const FORMS: [Form; 3] = [Form::Nodes, Form::Bytes, Form::Outcomes];

/// Tables with arbitrary values, the same for symmetric positions.
struct MadeUp {
    codes: BTreeMap<Table, Vec<NodeValue>>,
    short: BTreeMap<Table, Vec<u8>>,
    packed: BTreeMap<Table, Vec<u8>>,
    form: Form,
}

impl MadeUp {
    /// Of all tables that turns of `tables` lead to.
    fn new(game: &Morris, tables: &[Table], form: Form) -> MadeUp {
        let mut made_up = MadeUp {
            codes: BTreeMap::new(),
            short: BTreeMap::new(),
            packed: BTreeMap::new(),
            form,
        };
        for outside in tables.iter().flat_map(|&table| game.outside(table)) {
            let group = game.group(outside);
            let rows = group.tables().into_iter().find(|(own, _)| *own == outside);
            let (_, rows) = rows.unwrap();
            let mut codes = Vec::with_capacity(rows.len() * group.width());
            for row in rows {
                let first = group.first_position(row);
                match group.copies(row) {
                    None => codes.extend((0..group.width() as u64).map(|i| code(first + i))),
                    Some(copies) => {
                        codes.extend(copies.iter().map(|&copy| code(first + u64::from(copy))));
                    }
                }
            }
            let packed = codes
                .chunks(OUTCOMES_PER_BYTE)
                .map(NodeValue::pack_outcomes)
                .collect();
            made_up.packed.insert(outside, packed);
            let short = codes.iter().map(|&code| code.to_byte().unwrap()).collect();
            made_up.short.insert(outside, short);
            made_up.codes.insert(outside, codes);
        }
        made_up
    }

    /// The best turn of a position, by the plain rules.
    fn best(&self, game: &Morris, position: &endmill_games::morris::Position) -> TurnScore {
        let mut turns = Vec::new();
        game.turns(position, &mut turns);
        let worth = turns.iter().map(|turn| {
            let next = game.play(position, turn);
            let code = match game.table_of(&next) {
                Some(table) => self.values(table).node(game.node(&next)),
                None => NodeValue::new(Value::LOST),
            };
            code.score()
        });
        worth.max().unwrap_or(TurnScore::NONE)
    }
}

/// A value for a number; few losses, so that not every position is won.
fn code(number: u64) -> NodeValue {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let plies = (mixed >> 8) as u16 % 90;
    NodeValue::new(match mixed % 16 {
        0 => Value::Loss(plies * 2),
        1..=4 => Value::Draw,
        _ => Value::Win(plies * 2 + 1),
    })
}

impl Solved<Table> for MadeUp {
    fn values(&self, table: Table) -> TableValues<'_> {
        match self.form {
            Form::Nodes => TableValues::Nodes(&self.codes[&table]),
            Form::Bytes => TableValues::Bytes(&self.short[&table]),
            Form::Outcomes => TableValues::Outcomes(&self.packed[&table]),
        }
    }
}

/// Compares every `step`-th row of a table.
fn assert_rows_agree(game: &Morris, table: Table, form: Form, step: usize) {
    let made_up = MadeUp::new(game, &[table], form);
    let group = game.group(table);
    assert!(!group.has_inside_turns());
    let mut scratch = Default::default();
    let mut seeds = Vec::new();
    for (_, rows) in group.tables() {
        for row in rows.step_by(step) {
            group
                .part(0, 0)
                .seed(row, &made_up, &mut scratch, &mut seeds);
            let first = group.first_position(row);
            let copies = group.copies(row);
            assert_eq!(seeds.len(), group.width());
            for (column, &seed) in seeds.iter().enumerate() {
                let within = copies
                    .as_ref()
                    .map_or(column as u64, |copies| u64::from(copies[column]));
                let position = game.unrank(table, first + within);
                let plain = Seed {
                    inside: 0,
                    outside: made_up.best(game, &position),
                };
                assert_eq!(seed, plain, "{}", game.format_position(&position));
            }
        }
    }
}

#[test]
fn every_placing_table_of_six_is_swept_as_its_turns_say() {
    let game = morris("six");
    let placing = game.tables(None).into_iter();
    let placing: Vec<Table> = placing
        .filter(|&table| !game.has_inside_turns(table))
        .collect();
    assert_eq!(placing.len(), 115); // 131 tables, 16 of them with empty hands
    for (i, &table) in placing.iter().enumerate() {
        assert_rows_agree(&game, table, FORMS[i % 3], 3);
    }
}

/// Rows of either side, equal sides, the first and the second player, a removal that turns the
/// rows round, one that ends the game.
#[test]
fn sampled_rows_of_nine_are_swept_as_their_turns_say() {
    let game = morris("nine");
    for name in [
        "3+1v4+0", "4+1v3+0", "4+2v4+2", "3+2v4+1", "4+1v5+0", "2+1v4+0", "2+5v3+4", "0+9v0+9",
    ] {
        let table = game.parse_table(name).unwrap();
        for form in FORMS {
            assert_rows_agree(&game, table, form, 23);
        }
    }
}

#[test]
fn outcomes_alone_lead_to_the_outcomes_of_plies() {
    let game = morris("six");
    let table = game.parse_table("4+1v4+0").unwrap();
    let with_plies = MadeUp::new(&game, &[table], Form::Nodes);
    let without = MadeUp::new(&game, &[table], Form::Outcomes);
    let group = game.group(table);
    let outcome = |seed: &Seed| seed.outside.value().map(Value::outcome);
    let (mut seeds, mut others) = (Vec::new(), Vec::new());
    for row in group.tables().remove(0).1 {
        let part = group.part(0, 0);
        part.seed(row, &with_plies, &mut Default::default(), &mut seeds);
        part.seed(row, &without, &mut Default::default(), &mut others);
        let seeds: Vec<Option<Outcome>> = seeds.iter().map(outcome).collect();
        let others: Vec<Option<Outcome>> = others.iter().map(outcome).collect();
        assert_eq!(seeds, others);
    }
}
