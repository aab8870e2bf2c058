//! Parses the lines of UCI.
//!
//! As the protocol asks, unknown words are ignored, a number out of range is replaced by the nearest
//! valid one, and every `go` starts a search. Ignored words are reported, to help find mistakes.

use std::time::Duration;

use super::super::command::{Command, Go, MAX_TIME, Read, Setting, parse_number};
use super::ONE_ACTION;

/// Parses a line that is not empty. Words before the first known command are skipped, and so is
/// what follows a command without arguments.
pub fn parse(line: &str) -> Read<Command> {
    let mut text = line;
    loop {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim_start();
        return match word {
            "position" => Ok(Command::Position(Ok(rest.trim().to_owned()))),
            "setoption" => setting(rest).map(Command::Set),
            "go" => Ok(Command::Go(go(rest))),
            "uci" => Ok(Command::Introduce),
            "debug" | "register" => Ok(Command::Nothing),
            "isready" => Ok(Command::IsReady),
            "ucinewgame" => Ok(Command::NewGame),
            "ponderhit" => Ok(Command::PonderHit),
            "stop" => Ok(Command::Stop),
            "quit" => Ok(Command::Quit),
            _ if rest.is_empty() => {
                let word = line.split_whitespace().next().unwrap_or_default();
                Err(format!("unknown command {word:?}"))
            }
            _ => {
                text = rest;
                continue;
            }
        };
    }
}

fn setting(rest: &str) -> Read<Setting> {
    let Some(named) = rest.trim().strip_prefix("name ") else {
        return Err("expected setoption name … value …".to_owned());
    };
    let (name, value) = match named.split_once(" value") {
        Some((name, value)) => (name.trim(), value.trim()),
        None => (named.trim(), ""),
    };
    if !name.eq_ignore_ascii_case(ONE_ACTION) {
        return Setting::parse(name, value);
    }
    match value.to_ascii_lowercase().parse() {
        Ok(one_action) => Ok(Setting::OneAction(one_action)),
        Err(_) => Err(format!("{ONE_ACTION} takes true or false, found {value:?}")),
    }
}

/// The words that `go` knows. Any of them ends a list of moves.
const GO_WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

fn go(rest: &str) -> Go {
    let mut go = Go::default();
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                while let Some(turn) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    go.turns.push(turn.to_owned());
                }
            }
            _ if GO_WORDS.contains(&word) => {
                // A known word here is the next limit, not a bad number.
                let text = words.next_if(|next| !GO_WORDS.contains(next)).unwrap_or("");
                match parse_number(text) {
                    Some(number) => set(&mut go, word, number),
                    None => go
                        .ignored
                        .push(format!("{word} takes a number, found {text:?}")),
                }
            }
            _ => go.ignored.push(format!("go has no {word:?}")),
        }
    }
    go
}

fn set(go: &mut Go, word: &str, number: u64) {
    let time = Duration::from_millis(number.min(MAX_TIME));
    let small = u32::try_from(number).unwrap_or(u32::MAX);
    match word {
        "movetime" => go.limits.time = Some(time),
        "wtime" => go.clocks[0].left = Some(time),
        "btime" => go.clocks[1].left = Some(time),
        "winc" => go.clocks[0].increment = time,
        "binc" => go.clocks[1].increment = time,
        "movestogo" => go.moves_to_go = Some(small.max(1)),
        "nodes" => go.limits.nodes = Some(number.max(1)),
        // A win in this number of the engine's own moves is found at this depth.
        "mate" => go.limits.depth = Some(small.saturating_mul(2).max(1)),
        _ => go.limits.depth = Some(small.max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::MAX_HASH;
    use super::*;
    use crate::level::{Level, Limits};

    fn go(line: &str) -> Go {
        match parse(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn lines_are_parsed() {
        let ms = Duration::from_millis;
        assert_eq!(go("go").limits, Limits::default());
        assert_eq!(go("go depth 7 nodes 100").limits.depth, Some(7));
        assert_eq!(go("go movetime 50").limits.time, Some(ms(50)));
        assert!(go("go infinite").infinite && go("go ponder").ponder);
        let clock = go("go wtime 60000 btime 1000 winc 10 movestogo 8");
        assert_eq!(clock.clocks[0].increment, ms(10));
        assert_eq!(clock.moves_to_go, Some(8));
        assert_eq!(go("go mate 3").limits.depth, Some(6));
        let some = go("go searchmoves f6 xa1 a1-a4 depth 2");
        assert_eq!(some.turns, ["f6", "xa1", "a1-a4"]);
        assert_eq!(some.limits.depth, Some(2));
        let set = |rest: &str| parse(&format!("setoption {rest}"));
        assert_eq!(
            set("name Database value a directory"),
            Ok(Command::Set(Setting::Database(Some("a directory".into()))))
        );
        assert_eq!(
            set("name level value HIGH"),
            Ok(Command::Set(Setting::Level(Level::High)))
        );
        assert_eq!(
            set("name OneActionAtATime value true"),
            Ok(Command::Set(Setting::OneAction(true)))
        );
        assert_eq!(parse("joho debug on"), Ok(Command::Nothing));
        assert_eq!(parse("stop now"), Ok(Command::Stop));
    }

    #[test]
    fn numbers_out_of_range_become_the_nearest_valid_ones() {
        assert_eq!(go("go wtime -50").clocks[0].left, Some(Duration::ZERO));
        assert_eq!(go("go depth 0").limits.depth, Some(1));
        assert_eq!(go("go depth -3").limits.depth, Some(1));
        let vast = "99999999999999999999999";
        assert_eq!(go(&format!("go depth {vast}")).limits.depth, Some(u32::MAX));
        assert_eq!(go(&format!("go mate {vast}")).limits.depth, Some(u32::MAX));
        let longest = Some(Duration::from_millis(MAX_TIME));
        assert_eq!(go(&format!("go movetime {vast}")).limits.time, longest);
        assert_eq!(go("go movestogo 0").moves_to_go, Some(1));
        let hash = parse("setoption name Hash value 1000000");
        assert_eq!(hash, Ok(Command::Set(Setting::Hash(MAX_HASH))));
    }

    #[test]
    fn every_go_starts_a_search() {
        for (line, ignored) in [
            ("go deep", "go has no \"deep\""),
            ("go depth", "depth takes a number, found \"\""),
            ("go depth three", "depth takes a number, found \"three\""),
            ("go nodes infinite", "nodes takes a number, found \"\""),
        ] {
            assert_eq!(go(line).ignored, [ignored], "{line}");
        }
        assert!(go("go nodes infinite").infinite);
    }

    #[test]
    fn other_lines_are_refused_with_the_reason() {
        for (line, why) in [
            ("mill", "unknown command \"mill\""),
            ("close a mill", "unknown command \"close\""),
            ("setoption Hash 1", "expected setoption name … value …"),
            (
                "setoption name Hash value",
                "Hash takes a number, found \"\"",
            ),
            ("setoption name Mill value 1", "unknown option \"Mill\""),
        ] {
            assert_eq!(parse(line), Err(why.to_owned()), "{line}");
        }
    }
}
