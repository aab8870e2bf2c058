use endmill_probe::{AnyDatabase, rules_only};

use super::*;

const WHITE: Option<Colour> = Some(Colour::White);
const BLACK: Option<Colour> = Some(Colour::Black);
const SPECTATOR: Option<Colour> = None;

/// A game of three men's morris with its rules and a clock.
struct Board {
    rules: Box<dyn AnyDatabase>,
    referee: Referee,
    now_ms: u64,
}

impl Board {
    fn new(control: Option<TimeControl>) -> Board {
        let rules = rules_only("three").unwrap();
        let start = rules.text("start".into()).unwrap();
        let referee = Referee::new(Terms {
            id: "game".to_owned(),
            ruleset: "three".to_owned(),
            start,
            first: Colour::White,
            control,
            seats: ["white's".to_owned(), "black's".to_owned()],
            at_ms: 0,
        });
        Board {
            rules,
            referee,
            now_ms: 0,
        }
    }

    fn with_turns(turns: &[&str]) -> Board {
        let mut board = Board::new(None);
        for (ply, turn) in turns.iter().enumerate() {
            let side = [WHITE, BLACK][ply % 2];
            board.play(side, turn).unwrap();
        }
        board
    }

    fn ask(&mut self, who: Option<Colour>, command: Command) -> Result<Decision, Refused> {
        self.ask_by(who, None, command)
    }

    fn ask_by(
        &mut self,
        who: Option<Colour>,
        id: Option<&str>,
        command: Command,
    ) -> Result<Decision, Refused> {
        let decision = self.referee.decide(&*self.rules, who, id, &command)?;
        let change = match &decision {
            Decision::Happens(change) => change.clone(),
            Decision::Rematch => Change::Rematch {
                id: "next".to_owned(),
            },
            Decision::Already => return Ok(decision),
        };
        self.referee.apply(&Event {
            at_ms: self.now_ms,
            by: who,
            command: id.map(str::to_owned),
            change,
        });
        Ok(decision)
    }

    fn play(&mut self, who: Option<Colour>, text: &str) -> Result<Decision, Refused> {
        let seq = self.referee.seq();
        let text = text.to_owned();
        self.ask(who, Command::Play { text, seq })
    }

    fn result(&self) -> Option<(Option<Colour>, &str)> {
        let result = self.referee.result.as_ref()?;
        Some((result.winner, &result.reason))
    }
}

/// A game that Black has won.
fn finished() -> Board {
    let mut board = Board::with_turns(&["a1", "b2"]);
    board.ask(WHITE, Command::Resign).unwrap();
    board
}

fn outcome(answer: Result<Decision, Refused>) -> &'static str {
    match answer {
        Ok(Decision::Happens(_)) => "happens",
        Ok(Decision::Already) => "already",
        Ok(Decision::Rematch) => "rematch",
        Err(refused) => refused.error,
    }
}

/// Each row is a command in a situation, with its outcome for White, for Black and for a spectator.
/// White is to move unless the game is over.
#[test]
fn each_may_do_what_the_table_says() {
    type Situation = fn() -> Board;
    let fresh: Situation = || Board::new(None);
    let begun: Situation = || Board::with_turns(&["a1", "b2"]);
    let black_offers_draw: Situation = || {
        let mut board = Board::with_turns(&["a1", "b2"]);
        board.ask(BLACK, Command::Draw).unwrap();
        board
    };
    let black_asks_takeback: Situation = || {
        let mut board = Board::with_turns(&["a1", "b2"]);
        board.ask(BLACK, Command::Takeback).unwrap();
        board
    };
    let over: Situation = finished;
    let black_asks_rematch: Situation = || {
        let mut board = finished();
        board.ask(BLACK, Command::Rematch).unwrap();
        board
    };
    let play = |seq| Command::Play {
        text: "c3".to_owned(),
        seq,
    };
    let (yes, no, conflict) = ("happens", "forbidden", "conflict");
    #[rustfmt::skip]
    let table = [
        ("play, fresh",            fresh,               play(0),                 [yes, conflict, no]),
        ("play, begun",            begun,               play(2),                 [yes, conflict, no]),
        ("play, stale",            begun,               play(1),                 [conflict, conflict, no]),
        ("play, from the future",  begun,               play(9),                 [conflict, conflict, no]),
        ("play, over",             over,                play(3),                 [conflict, conflict, no]),
        ("takeback, fresh",        fresh,               Command::Takeback,       [conflict, conflict, no]),
        ("takeback, begun",        begun,               Command::Takeback,       [yes, yes, no]),
        ("takeback, asked",        black_asks_takeback, Command::Takeback,       [conflict, "already", no]),
        ("takeback, over",         over,                Command::Takeback,       [conflict, conflict, no]),
        ("accept takeback, none",  begun,               Command::AcceptTakeback, [conflict, conflict, no]),
        ("accept takeback, asked", black_asks_takeback, Command::AcceptTakeback, [yes, conflict, no]),
        ("draw, begun",            begun,               Command::Draw,           [yes, yes, no]),
        ("draw, offered",          black_offers_draw,   Command::Draw,           [yes, "already", no]),
        ("draw, over",             over,                Command::Draw,           [conflict, conflict, no]),
        ("accept draw, none",      begun,               Command::AcceptDraw,     [conflict, conflict, no]),
        ("accept draw, offered",   black_offers_draw,   Command::AcceptDraw,     [yes, conflict, no]),
        ("decline, none",          begun,               Command::Decline,        [conflict, conflict, no]),
        ("decline, draw",          black_offers_draw,   Command::Decline,        [yes, conflict, no]),
        ("decline, takeback",      black_asks_takeback, Command::Decline,        [yes, conflict, no]),
        ("decline, rematch",       black_asks_rematch,    Command::Decline,        [yes, conflict, no]),
        ("resign, fresh",          fresh,               Command::Resign,         [yes, yes, no]),
        ("resign, begun",          begun,               Command::Resign,         [yes, yes, no]),
        ("resign, over",           over,                Command::Resign,         [conflict, conflict, no]),
        ("rematch, begun",         begun,               Command::Rematch,        [conflict, conflict, no]),
        ("rematch, over",          over,                Command::Rematch,        [yes, yes, no]),
        ("rematch, wanted",        black_asks_rematch,    Command::Rematch,        ["rematch", "already", no]),
    ];
    for (name, situation, command, expected) in table {
        let found =
            [WHITE, BLACK, SPECTATOR].map(|who| outcome(situation().ask(who, command.clone())));
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn a_turn_that_the_rules_forbid_is_refused_with_the_rule() {
    let mut board = Board::with_turns(&["a1"]);
    let refused = board.play(BLACK, "a1").unwrap_err();
    assert_eq!(refused.error, "bad_input");
    assert!(refused.message.contains("a1"), "{}", refused.message);
    let refused = board.play(BLACK, "no turn at all").unwrap_err();
    assert_eq!(refused.error, "bad_input");
}

#[test]
fn a_command_that_comes_twice_counts_once() {
    let mut board = Board::new(None);
    let play = Command::Play {
        text: "a1".to_owned(),
        seq: 0,
    };
    let first = board.ask_by(WHITE, Some("x"), play.clone());
    assert_eq!(outcome(first), "happens");
    let again = board.ask_by(WHITE, Some("x"), play.clone());
    assert_eq!(outcome(again), "already");
    // The same id from the other side is a different command.
    let other = board.ask_by(BLACK, Some("x"), play);
    assert_eq!(outcome(other), "conflict");
    assert_eq!(board.referee.turns, ["a1"]);
}

#[test]
fn a_turn_taken_back_takes_the_reply_with_it() {
    let mut board = Board::with_turns(&["a1", "b2", "c1"]);
    board.ask(BLACK, Command::Takeback).unwrap();
    board.ask(WHITE, Command::AcceptTakeback).unwrap();
    assert_eq!(board.referee.turns, ["a1"]);
    assert_eq!(board.referee.to_move, Colour::Black);
    assert_eq!(board.referee.offers, Offers::default());
    board.ask(WHITE, Command::Takeback).unwrap();
    board.ask(BLACK, Command::AcceptTakeback).unwrap();
    assert!(!board.referee.has_begun());
    assert_eq!(board.referee.to_move, Colour::White);
}

#[test]
fn an_offer_stands_until_the_other_side_moves() {
    let mut board = Board::with_turns(&["a1", "b2"]);
    board.ask(WHITE, Command::Draw).unwrap();
    board.play(WHITE, "c1").unwrap();
    assert_eq!(board.referee.offers.draw, WHITE);
    // An offer in between does not invalidate a turn, because the board is the same.
    let seq = board.referee.seq();
    board.ask(BLACK, Command::Draw).unwrap();
    assert_eq!(board.result(), Some((None, "agreement")));
    let text = "b1".to_owned();
    let late = board.ask(BLACK, Command::Play { text, seq });
    assert_eq!(late.unwrap_err().error, "conflict");
}

#[test]
fn a_game_that_repeats_itself_is_drawn() {
    let rules = rules_only("draughts").unwrap();
    let start = rules.text("B:WK32:BK1".into()).unwrap();
    let mut board = Board::new(None);
    board.referee = Referee::new(Terms {
        start,
        first: Colour::Black,
        ..board.referee.terms.clone()
    });
    board.rules = rules;
    let circle = ["1-6", "32-27", "6-1", "27-32"];
    for (ply, turn) in circle.into_iter().chain(circle).enumerate() {
        assert_eq!(board.result(), None);
        board.play([BLACK, WHITE][ply % 2], turn).unwrap();
    }
    assert_eq!(board.result(), Some((None, "repetition")));
}

#[test]
fn running_out_of_time_loses() {
    let control = TimeControl {
        start_ms: 1000,
        increment_ms: 0,
    };
    let mut board = Board::new(Some(control));
    assert_eq!(board.referee.time_out(1_000_000), None);
    board.play(WHITE, "a1").unwrap();
    assert_eq!(board.referee.time_out(999), None);
    let event = board.referee.time_out(1000).unwrap();
    board.referee.apply(&event);
    assert_eq!(board.result(), Some((WHITE, "time")));
    assert_eq!(board.referee.time_out(5000), None);
}

#[test]
fn a_rematch_swaps_sides_and_keeps_the_secrets() {
    let board = finished();
    let next = board.referee.rematch_terms("next".to_owned(), 7);
    let [white, black] = &next.seats;
    assert_eq!([white.as_str(), black], ["black's", "white's"]);
    assert_eq!(next.start, board.referee.terms.start);
}

#[test]
fn replayed_events_restore_the_same_game() {
    let mut board = Board::new(Some(TimeControl {
        start_ms: 60_000,
        increment_ms: 1000,
    }));
    let mut again = board.referee.clone();
    let mut kept = Vec::new();
    let commands = [
        (WHITE, "a1"),
        (BLACK, "b2"),
        (WHITE, "draw"),
        (BLACK, "decline"),
        (WHITE, "c1"),
        (BLACK, "resign"),
    ];
    for (number, (who, command)) in commands.into_iter().enumerate() {
        board.now_ms += 1500;
        let command = match command {
            "draw" => Command::Draw,
            "decline" => Command::Decline,
            "resign" => Command::Resign,
            turn => Command::Play {
                text: turn.to_owned(),
                seq: board.referee.seq(),
            },
        };
        let id = number.to_string();
        let decision = board.ask_by(who, Some(&id), command).unwrap();
        let Decision::Happens(change) = decision else {
            panic!("{decision:?}");
        };
        let event = Event {
            at_ms: board.now_ms,
            by: who,
            command: Some(id),
            change,
        };
        kept.push(serde_json::to_string(&event).unwrap());
    }
    for line in kept {
        again.apply(&serde_json::from_str(&line).unwrap());
    }
    assert_eq!(again, board.referee);
    let whole = serde_json::to_string(&again).unwrap();
    assert_eq!(serde_json::from_str::<Referee>(&whole).unwrap(), again);
}
