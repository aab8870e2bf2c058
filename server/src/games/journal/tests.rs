use super::*;
use crate::referee::{Change, Event, Referee, Terms};
use endmill_engine::TimeControl;
use endmill_games::Colour;

fn game(id: &str) -> Referee {
    Referee::new(Terms {
        id: id.to_owned(),
        ruleset: "three".to_owned(),
        start: "W:W:B:H3,3".to_owned(),
        first: Colour::White,
        control: None,
        seats: [String::new(), String::new()],
        at_ms: 1,
    })
}

fn turn(number: u64) -> Event {
    Event {
        at_ms: number,
        by: Some(Colour::White),
        command: Some(number.to_string()),
        change: Change::Turn {
            text: format!("turn {number}"),
            position: format!("position {number}"),
            to_move: Colour::Black,
            result: None,
        },
    }
}

async fn store(journal: &Journal, record: Record) {
    journal.append(&[record]).await.unwrap();
}

async fn play(journal: &Journal, game: &mut Referee, number: u64) {
    let event = turn(number);
    let record = Record::Event {
        game: game.terms().id.clone(),
        seq: game.seq() + 1,
        event: event.clone(),
    };
    store(journal, record).await;
    game.apply(&event);
}

#[tokio::test]
async fn a_truncated_last_line_loses_nothing_that_was_stored() {
    let directory = tempfile::tempdir().unwrap();
    let (journal, games) = Journal::open(directory.path(), 0).unwrap();
    assert!(games.is_empty());
    let [mut first, second] = [game("first"), game("second")];
    store(&journal, Record::Game(Box::new(first.clone()))).await;
    store(&journal, Record::Game(Box::new(second))).await;
    for number in 0..3 {
        play(&journal, &mut first, number).await;
    }
    store(&journal, Record::Gone("second".to_owned())).await;
    drop(journal);
    let path = directory.path().join(NAME);
    let mut whole = std::fs::read(&path).unwrap();
    let cut_short = b"0123abcd {\"event\":{\"game\":\"fir";
    for tail in 0..cut_short.len() {
        whole.extend_from_slice(&cut_short[..tail]);
        std::fs::write(&path, &whole).unwrap();
        let (_, games) = Journal::open(directory.path(), 0).unwrap();
        assert_eq!(games, [first.clone()]);
    }
}

#[tokio::test]
async fn a_second_server_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let _first = Journal::open(directory.path(), 0).unwrap();
    let second = Journal::open(directory.path(), 0);
    assert!(matches!(second, Err(JournalError::InUse(_))));
}

#[tokio::test]
async fn a_large_journal_is_compacted_without_loss() {
    let directory = tempfile::tempdir().unwrap();
    let (journal, _) = Journal::open(directory.path(), 0).unwrap();
    let mut last = None;
    let bulk = "x".repeat(64 << 10);
    for number in 0..300 {
        let name = format!("game {number}");
        let mut stored = game(&name);
        let Terms { start, .. } = stored.terms().clone();
        stored = Referee::new(Terms {
            start: start + &bulk,
            ..stored.terms().clone()
        });
        store(&journal, Record::Game(Box::new(stored.clone()))).await;
        if let Some(name) = last.replace(name) {
            store(&journal, Record::Gone(name)).await;
        }
    }
    let mut live = game("live");
    store(&journal, Record::Game(Box::new(live.clone()))).await;
    play(&journal, &mut live, 1).await;
    drop(journal);
    let length = std::fs::metadata(directory.path().join(NAME))
        .unwrap()
        .len();
    assert!(length < LARGE, "{length}");
    let (_, games) = Journal::open(directory.path(), 0).unwrap();
    let ids: Vec<_> = games.iter().map(|game| &*game.terms().id).collect();
    assert_eq!(ids, ["game 299", "live"]);
    assert_eq!(games[1], live);
}

#[tokio::test]
async fn time_between_restarts_does_not_count() {
    const HOUR: u64 = 3_600_000;
    let directory = tempfile::tempdir().unwrap();
    let timed = Referee::new(Terms {
        control: Some(TimeControl {
            start_ms: 60_000,
            increment_ms: 0,
        }),
        ..game("timed").terms().clone()
    });
    let (journal, _) = Journal::open(directory.path(), 0).unwrap();
    let mut played = timed.clone();
    store(&journal, Record::Game(Box::new(timed))).await;
    play(&journal, &mut played, 1000).await;
    drop(journal);
    // An hour later Black, whose time ran, answers within ten seconds.
    let (journal, games) = Journal::open(directory.path(), HOUR).unwrap();
    let [mut resumed] = games.try_into().unwrap();
    assert!(resumed.time_out(HOUR + 59_999).is_none());
    assert!(resumed.time_out(HOUR + 60_000).is_some());
    let answer = Event {
        by: Some(Colour::Black),
        ..turn(HOUR + 10_000)
    };
    let seq = resumed.seq() + 1;
    let record = Record::Event {
        game: "timed".to_owned(),
        seq,
        event: answer.clone(),
    };
    store(&journal, record).await;
    resumed.apply(&answer);
    drop(journal);
    // Reading the journal again gives the same clocks.
    let (_, games) = Journal::open(directory.path(), 2 * HOUR).unwrap();
    resumed.resume(2 * HOUR);
    assert_eq!(games, [resumed.clone()]);
    let clock = games[0].state(Default::default(), 2 * HOUR).clock.unwrap();
    assert_eq!(clock.black_ms, 50_000);
}

#[tokio::test]
async fn a_damaged_journal_is_copied_and_its_valid_games_resume() {
    let directory = tempfile::tempdir().unwrap();
    let (journal, _) = Journal::open(directory.path(), 0).unwrap();
    for id in ["first", "second"] {
        store(&journal, Record::Game(Box::new(game(id)))).await;
    }
    drop(journal);
    let path = directory.path().join(NAME);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let (_, games) = Journal::open(directory.path(), 0).unwrap();
    assert_eq!(games, [game("second")]);
    let copy = std::fs::read(path.with_extension("damaged")).unwrap();
    assert_eq!(copy, bytes);
}
