//! `AnyDatabase` gives the same answers as the typed database, for texts and setups.

mod small;

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Colour, Transform, Unmoves};
use endmill_probe::answers::{CoverageAnswer, Man, StatisticsAnswer, ValueAnswer};
use endmill_probe::{
    AnyDatabase, Database, Options, PositionInput, ProbeError, SampleFilter, open_any, rules_only,
};
use endmill_testkit::SlowSolution;
use serde_json::{Value, json};
use small::{solved_draughts, solved_three, three};

fn agrees<G: Game + Unmoves>(solved: &SlowSolution<G>, game: G) {
    let directory = solved.written();
    let id = game.description().id;
    let any = open_any(directory.path(), &id, &Options::default()).unwrap();
    let typed = Database::open(directory.path(), game).unwrap();
    let game = typed.game();
    for position in solved.positions().step_by(7) {
        let (text, setup) = (game.format_position(&position), game.setup(&position));
        let verdict = typed.probe(&position).unwrap();
        for given in [PositionInput::Text(&text), PositionInput::Setup(&setup)] {
            assert_eq!(any.setup(given).unwrap(), setup);
            assert_eq!(any.text(given).unwrap(), text);
            assert_eq!(any.verdict(given).unwrap(), verdict, "{text}");
            assert_eq!(any.outcome(given).unwrap(), Some(verdict.outcome()));
            assert!(any.covers(given).unwrap());
            let drawn = any.diagram(given).unwrap();
            assert_eq!(drawn, game.diagram(&position));
            let answer = any.probe(given, true).unwrap();
            assert_eq!(answer.value, ValueAnswer::from(verdict));
            assert_eq!(answer.state.setup, setup);
            assert_eq!(any.probe(given, false).unwrap().moves, None);
            turns_agree(&*any, &typed, &position);
            line_agrees(&*any, &typed, &position);
        }
        for by in Transform::ALL {
            let image = any.transform(PositionInput::Setup(&setup), by).ok();
            let expected = game.transformed(&position, by).ok();
            assert_eq!(image, expected.map(|image| game.setup(&image)), "{text}");
        }
        let state = any.state(PositionInput::Text(&text)).unwrap();
        let again = PositionInput::Men {
            men: &state.men,
            hand: state.hand,
            to_move: state.side,
        };
        assert_eq!(any.setup(again).unwrap(), setup, "{text}");
    }
    let start = any.setup("start".into()).unwrap();
    assert_eq!(start, game.setup(&game.start()));
    tables_agree(&*any, &typed);
}

fn turns_agree<G: Game + Unmoves>(
    any: &dyn AnyDatabase,
    typed: &Database<G>,
    position: &G::Position,
) {
    let game = typed.game();
    let setup = game.setup(position);
    let answer = any.probe(PositionInput::Setup(&setup), true).unwrap();
    let moves = answer.moves.unwrap();
    assert_eq!(any.moves(PositionInput::Setup(&setup)).unwrap(), moves);
    let expected = typed.moves(position).unwrap();
    assert_eq!(moves.len(), expected.len());
    for (turn, ranked) in moves.iter().zip(&expected) {
        assert_eq!(turn.text, game.format_turn(position, &ranked.turn));
        assert_eq!(turn.value.verdict(), ranked.value.verdict());
        assert_eq!(turn.position, game.format_position(&ranked.after));
        let after = game.setup(&ranked.after);
        let by_text = any.play((&setup).into(), turn.text.as_str().into());
        let by_places = any.play((&setup).into(), (&turn.places).into());
        assert_eq!((by_text.unwrap(), by_places.unwrap()), (after, after));
    }
    for (turn, other) in moves
        .iter()
        .zip(&expected)
        .zip(moves.iter().zip(&expected).skip(1))
    {
        let images = game.images(&turn.1.after);
        let symmetric = images.contains(&other.1.after);
        // Finished games without a table are classes of their own.
        if game.table_of(&turn.1.after).is_some() {
            assert_eq!(turn.0.class == other.0.class, symmetric);
        }
    }
    let listed = any.turns(PositionInput::Setup(&setup)).unwrap();
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    assert_eq!(listed.len(), turns.len());
    for (listed, turn) in listed.iter().zip(&turns) {
        assert_eq!(listed.text, game.format_turn(position, turn));
        let found = any.turn((&setup).into(), (&listed.places).into()).unwrap();
        assert_eq!(found, *listed);
    }
}

fn line_agrees<G: Game>(any: &dyn AnyDatabase, typed: &Database<G>, position: &G::Position) {
    let game = typed.game();
    let line = any
        .line(PositionInput::Setup(&game.setup(position)))
        .unwrap();
    let expected = typed.line(position).unwrap();
    assert_eq!(line.end, expected.end);
    let names = expected.steps.iter();
    let names: Vec<_> = names
        .map(|step| game.format_turn(&step.position, &step.turn))
        .collect();
    assert_eq!(line.line, names);
    assert_eq!(line.positions.len(), names.len());
    if let Some(last) = line.positions.last() {
        assert_eq!(*last, game.format_position(&expected.last));
    }
    let mut setup = game.setup(position);
    for ((places, text), value) in line.places.iter().zip(&line.positions).zip(&line.values) {
        let verdict = any.verdict((&setup).into()).unwrap();
        assert_eq!(value.verdict(), Some(verdict));
        setup = any.play((&setup).into(), places.into()).unwrap();
        assert_eq!(any.text((&setup).into()).unwrap(), *text);
    }
}

fn tables_agree<G: Game>(any: &dyn AnyDatabase, typed: &Database<G>) {
    let game = typed.game();
    let coverage = typed.coverage();
    let tables = any.tables().unwrap();
    assert_eq!(tables.len(), coverage.tables.len());
    let counted = any.ruleset().coverage.unwrap();
    assert_eq!(counted, CoverageAnswer::from(&coverage));
    assert_eq!(counted.tables, coverage.tables.len());
    let statistics = StatisticsAnswer::of(any.ruleset().id, tables.clone());
    let sum: u64 = tables.iter().map(|table| table.positions).sum();
    assert_eq!(statistics.total.positions, sum);
    for listed in &tables {
        let name = listed.table.as_deref().unwrap();
        let table = game.parse_table(name).unwrap();
        assert_eq!(listed.positions, game.size(table));
        let whole = any.table(name).unwrap();
        assert_eq!(*listed, whole);
        let decided: u64 = whole.plies.unwrap().values().sum();
        assert_eq!(decided, whole.win + whole.loss);
        assert_eq!(whole.pieces, Some(game.pieces(table).on_board));
        let wanted = SampleFilter::default();
        let drawn = any.sample(name, &wanted, 5, 3).unwrap();
        let expected = typed.sample(table, &wanted, 5, 3).unwrap();
        assert_eq!(drawn.positions.len(), expected.len());
        for (drawn, (position, verdict)) in drawn.positions.iter().zip(&expected) {
            assert_eq!(drawn.head.position, game.format_position(position));
            assert_eq!(drawn.value.verdict(), Some(*verdict));
        }
    }
}

#[test]
fn morris_answers_agree_with_the_typed_database() {
    agrees(&solved_three(), three());
}

#[test]
fn draughts_answers_agree_with_the_typed_database() {
    agrees(&solved_draughts(), Draughts::new());
}

/// The fields that `docs/json.md` and the HTTP interface promise.
#[test]
fn an_answer_has_the_promised_fields() {
    let solved = solved_three();
    let directory = solved.written();
    let any = open_any(directory.path(), "three", &Options::default()).unwrap();
    let answer = any.probe("W:Wa1,b1,c3:Bc1,a2,b2".into(), true).unwrap();
    let men =
        |side: &str, at: [&str; 3]| at.map(|at| json!({"at": at, "side": side, "kind": "man"}));
    let turn = |text: &str, to: &str, position: &str, class: u32| {
        json!({
            "move": text, "outcome": "loss", "plies": 2, "position": position, "class": class,
            "path": {"from": "c3", "to": to, "via": [], "taken": []},
        })
    };
    let men = [
        men("white", ["a1", "b1", "c3"]),
        men("black", ["c1", "a2", "b2"]),
    ]
    .concat();
    assert_eq!(
        serde_json::to_value(&answer).unwrap(),
        json!({
            "ruleset": "three", "position": "W:Wa1,b1,c3:Bc1,a2,b2", "table": "3v3",
            "outcome": "loss", "plies": 2,
            "moves": [
                turn("c3-c2", "c2", "B:Wa1,b1,c2:Bc1,a2,b2", 0),
                turn("c3-b3", "b3", "B:Wa1,b1,b3:Bc1,a2,b2", 1),
            ],
            "side": "white", "finished": null, "hand": [0, 0],
            "men": men,
        })
    );
    let line = any.line("W:Wa1,b1,c3:Bc1,a2,b2".into()).unwrap();
    let line = serde_json::to_value(&line).unwrap();
    assert_eq!(line["end"], "finished");
    assert_eq!(line["values"][1], json!({"outcome": "win", "plies": 1}));
    assert_eq!(line["line"].as_array().unwrap().len(), 2);
    let tree = any.tree("W:Wa1,b1,c3:Bc1,a2,b2".into(), 2).unwrap();
    let tree = serde_json::to_value(&tree).unwrap();
    assert_eq!(tree["moves"][0]["alike"], 1);
    assert!(!tree["moves"][0]["replies"].as_array().unwrap().is_empty());
}

#[test]
fn without_tables_rules_work_and_values_are_missing() {
    let any = rules_only("draughts").unwrap();
    let start = any.setup("start".into()).unwrap();
    assert_eq!(any.turns((&start).into()).unwrap().len(), 7);
    let after = any.play((&start).into(), "11-15".into()).unwrap();
    let state = any.state((&after).into()).unwrap();
    assert_eq!(
        (state.side, state.finished, state.men.len()),
        (Colour::White, None, 24)
    );
    let answer = any.probe((&start).into(), true).unwrap();
    assert_eq!(answer.unknown.unwrap().error, "table_missing");
    assert_eq!(answer.moves.unwrap().len(), 7);
    let error = any.verdict((&start).into()).unwrap_err();
    assert!(error.is_missing() && error.code() == "table_missing");
    assert_eq!(any.ruleset().coverage.unwrap().tables, 0);
    let over = any.state("W:W:BK1".into()).unwrap();
    let finished: Value = serde_json::to_value(over.finished).unwrap();
    assert_eq!(finished, json!({"winner": "black", "reason": "no pieces"}));
}

#[test]
fn bad_questions_are_distinguished() {
    assert_eq!(
        rules_only("thirteen").err().unwrap().code(),
        "unknown_ruleset"
    );
    let any = rules_only("nine").unwrap();
    let error = any.text("W:Wa2,d1,g7:Bb2,b4,d6".into()).unwrap_err();
    assert!(matches!(error, ProbeError::Position(_)));
    assert_eq!((error.code(), error.at()), ("bad_input", Some(3)));
    let error = any.play("start".into(), "a1-a4".into()).unwrap_err();
    assert!(matches!(error, ProbeError::Turn(_)), "{error}");
    let path = endmill_games::Path {
        from: Some(3),
        to: 7,
        via: Vec::new(),
        taken: 1 << 5 | 1 << 9,
    };
    let error = any.play("start".into(), (&path).into()).unwrap_err();
    let message = "3-7 taking 5,9 is not legal: no turn has these places";
    assert_eq!(error.to_string(), message);
    let error = any
        .sample("99v1", &SampleFilter::default(), 1, 0)
        .unwrap_err();
    assert!(matches!(error, ProbeError::Table(_)), "{error}");
    let man = |at: &str| Man {
        at: at.to_owned(),
        side: Colour::White,
        kind: "man".to_owned(),
    };
    let arranged = |men: &[Man], hand, to_move| {
        let position = PositionInput::Men { men, hand, to_move };
        any.setup(position)
    };
    let error = arranged(&[man("z9")], [0, 0], Colour::White).unwrap_err();
    assert_eq!(error.to_string(), "z9 is not a point");
    let error = arranged(&[man("a1"), man("A1")], [8, 9], Colour::Black);
    assert_eq!(error.unwrap_err().to_string(), "point A1 is used twice");
    let mut illegal = any.setup("start".into()).unwrap();
    illegal.pieces[1][0] = 1;
    let error = any.state((&illegal).into()).unwrap_err();
    assert_eq!(error.to_string(), "nine has no other kinds of pieces");
}

#[test]
fn threads_can_share_a_database() {
    let solved = solved_three();
    let directory = solved.written();
    let any = open_any(directory.path(), "three", &Options::default()).unwrap();
    let text = "W:Wa1,b1,c3:Bc1,a2,b2";
    let alone = any.probe(text.into(), true).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(any.probe(text.into(), true).unwrap(), alone));
        }
    });
}
