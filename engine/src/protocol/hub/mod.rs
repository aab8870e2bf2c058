//! Hub version 2, the protocol of draughts engines, with positions of 33 characters and the variant
//! `english`.
//!
//! `syntax` splits a line into a command and its arguments, `notation` reads positions and moves. As
//! the protocol asks, unknown commands and arguments are ignored; a bad value is answered by
//! `error`.

mod notation;
mod syntax;

use std::time::Duration;

use endmill_games::{Game, PlaceKind, Problem};

use self::notation::format_turn;
pub use self::notation::parse_board;
use self::syntax::Line;
pub use self::syntax::quoted;
use super::MAX_HASH;
use super::command::{Command, Go, MAX_TIME, Read, Setting, SideClock};
use super::session::{PlaySettings, Settings};
use crate::engine::Report;
use crate::level::{Level, Limits};
use crate::score::Score;

/// The protocol's name of the game.
const VARIANT: &str = "english";

/// The command that sets up a position.
const POSITION: &str = "pos";
/// The command that starts a search.
const GO: &str = "go";

/// Scores in men: a game won now, a win in the database, and the largest estimate. Clients interpret
/// these numbers: 99.xx is a win at the end of the line, 89.xx a win in the database.
const WON: f64 = 100.0;
const KNOWN: f64 = 90.0;
const ESTIMATED: f64 = 80.0;

/// Refuses a game that is not played on squares.
pub fn check<G: Game>(game: &G) -> Result<(), Problem> {
    match game.geometry().kind {
        PlaceKind::Square => Ok(()),
        PlaceKind::Point => Err(Problem::NotInThisGame {
            what: "Hub protocol: that is for draughts",
            ruleset: game.description().id,
        }),
    }
}

/// Parses a line.
pub fn parse(line: &str) -> Read<Command> {
    let line = match Line::parse(line) {
        Ok(line) => line,
        Err(why) => match line.split_whitespace().next() {
            Some(POSITION) => return Ok(Command::Position(Err(why))),
            Some(GO) => return Ok(Command::GoWithinLevel { ponder: false }),
            _ => return Err(why),
        },
    };
    match line.command() {
        "hub" => Ok(Command::Introduce),
        "init" => Ok(Command::Init),
        "ping" => Ok(Command::IsReady),
        "new-game" => Ok(Command::NewGame),
        "set-param" => setting(&line),
        POSITION => Ok(Command::Position(match line.get("pos") {
            Some(position) => {
                let moves = line.get("moves").unwrap_or_default();
                Ok(format!("{position} {moves}"))
            }
            None => Err("expected pos pos=… moves=\"…\"".to_owned()),
        })),
        "level" => level(&line).map(Command::Level),
        // Clients wait for `done` after every `go`, even without `think` or `analyze`.
        GO => Ok(Command::GoWithinLevel {
            ponder: line.has("ponder"),
        }),
        "ponder-hit" => Ok(Command::PonderHit),
        "stop" => Ok(Command::Stop),
        "quit" => Ok(Command::Quit),
        _ => Ok(Command::Nothing),
    }
}

fn setting(line: &Line) -> Read<Command> {
    let (Some(name), Some(value)) = (line.get("name"), line.get("value")) else {
        return Err("expected set-param name=… value=…".to_owned());
    };
    if name == "variant" {
        return match value {
            VARIANT => Ok(Command::Nothing),
            _ => Err(format!("variant is {VARIANT}, not {value:?}")),
        };
    }
    check_range(name, value)?;
    Setting::parse(name, value).map(Command::Set)
}

/// Checks a number against the range that [`introduction`] announces.
fn check_range(name: &str, value: &str) -> Read<()> {
    let (least, most) = match name.to_ascii_lowercase().as_str() {
        "hash" => (1, MAX_HASH as u64),
        "seed" => (0, u64::MAX),
        _ => return Ok(()),
    };
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(()),
        _ => Err(format!(
            "{name} takes a number from {least} to {most}, found {value:?}"
        )),
    }
}

/// The limits of later searches.
fn level(line: &Line) -> Read<Go> {
    let mut go = Go {
        infinite: line.has("infinite"),
        ..Go::default()
    };
    let whole = |name: &str| match line.get(name).map(str::parse::<u64>) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => Err(format!("{name} takes a whole number")),
    };
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    go.limits = Limits {
        depth: whole("depth")?.map(small),
        nodes: whole("nodes")?.map(|nodes| nodes.max(1)),
        time: seconds(line, "move-time")?,
    };
    go.moves_to_go = whole("moves")?.map(small);
    // The protocol reports one clock, that of the side to move, with the increment added already.
    let clock = SideClock {
        left: seconds(line, "time")?,
        increment: seconds(line, "inc")?.unwrap_or_default(),
    };
    go.clocks = [clock; 2];
    Ok(go)
}

/// A time in seconds. A negative time, as of a clock that has run out, is 0.
fn seconds(line: &Line, name: &str) -> Read<Option<Duration>> {
    let Some(text) = line.get(name) else {
        return Ok(None);
    };
    let longest = Duration::from_millis(MAX_TIME);
    match text.parse::<f64>() {
        Ok(seconds) if !seconds.is_nan() => {
            let seconds = seconds.clamp(0.0, longest.as_secs_f64());
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        _ => Err(format!("{name} takes seconds, found {text:?}")),
    }
}

/// The name of the engine and its options.
pub fn introduction(settings: &Settings) -> String {
    let Settings {
        database,
        play: PlaySettings { level, seed, hash },
        ..
    } = settings;
    let database = database
        .as_ref()
        .map(|directory| directory.display().to_string());
    let database = quoted(&database.unwrap_or_default());
    let levels = Level::ALL.map(|level| level.to_string()).join(" ");
    format!(
        "id name=Endmill version={} author=\"the authors of Endmill\"\n\
         param name=variant value={VARIANT} type=enum values=\"{VARIANT}\"\n\
         param name=database value={database} type=string\n\
         param name=level value={level} type=enum values=\"{levels}\"\n\
         param name=seed value={seed} type=int min=0 max={}\n\
         param name=hash value={hash} type=int min=1 max={MAX_HASH}\n\
         wait",
        env!("CARGO_PKG_VERSION"),
        u64::MAX,
    )
}

/// The progress of a search.
pub fn info<G: Game>(game: &G, position: &G::Position, report: &Report<G>) -> String {
    let mut position = *position;
    let mut line = Vec::new();
    for turn in &report.line {
        line.push(format_turn(game, &position, turn));
        position = game.play(&position, turn);
    }
    let seconds = report.time.as_secs_f64();
    let speed = match report.nodes {
        0 => 0.0,
        nodes => nodes as f64 / seconds.max(1e-6) / 1e6,
    };
    format!(
        "info depth={} {} nodes={} time={seconds:.3} nps={speed:.3} pv={}",
        report.depth,
        format_score(report.score),
        report.nodes,
        quoted(&line.join(" ")),
    )
}

/// A score in men: a certain result counts more than any estimate, a short win more than a long
/// one. `outcome` and `plies` give the details.
fn format_score(score: Score) -> String {
    // A win of 1000 plies or more would look like another kind of score.
    let won = |plies: u16| WON - f64::from(plies.min(999)) / 100.0;
    // A search does not report the distance to the database.
    let known = KNOWN - 0.01;
    match score {
        Score::Points(points) => {
            let men = f64::from(points) / 100.0;
            format!("score={:.2}", men.clamp(-ESTIMATED, ESTIMATED))
        }
        Score::WinIn(plies) => format!("score={:.2} outcome=win plies={plies}", won(plies)),
        Score::LossIn(plies) => format!("score={:.2} outcome=loss plies={plies}", -won(plies)),
        Score::Win => format!("score={known:.2} outcome=win"),
        Score::Loss => format!("score={:.2} outcome=loss", -known),
        Score::Draw => "score=0.00 outcome=draw".to_owned(),
    }
}

/// The answer if the game is over, or there is no position.
pub const NO_TURN: &str = "done move=\"\"";

/// The result of a search: the move and the expected reply.
pub fn best<G: Game>(game: &G, position: &G::Position, line: &[G::Turn]) -> String {
    let Some(turn) = line.first() else {
        return NO_TURN.to_owned();
    };
    let done = format!("done move={}", format_turn(game, position, turn));
    match line.get(1) {
        Some(answer) => {
            let after = game.play(position, turn);
            format!("{done} ponder={}", format_turn(game, &after, answer))
        }
        None => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level_of(line: &str) -> Go {
        match parse(line) {
            Ok(Command::Level(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn levels_are_parsed() {
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(level_of("level move-time=1.5").limits.time, ms(1500));
        assert_eq!(level_of("level depth=7").limits.depth, Some(7));
        assert_eq!(level_of("level depth=0").limits.depth, Some(1));
        assert_eq!(level_of("level nodes=9").limits.nodes, Some(9));
        assert!(level_of("level infinite").infinite);
        let clock = level_of("level moves=9 time=291.587");
        assert_eq!(
            (clock.moves_to_go, clock.clocks[0].left),
            (Some(9), ms(291_587))
        );
        let clock = level_of("level time=-3 inc=2");
        assert_eq!(clock.clocks[1].left, ms(0));
        assert_eq!(clock.clocks[1].increment, Duration::from_secs(2));
        for bad in [
            "level depth=deep",
            "level time=soon",
            "level move-time=nan",
            "level depth=-1",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn unknown_words_are_ignored() {
        assert_eq!(parse("dance quickly=yes"), Ok(Command::Nothing));
        let named = parse("pos colour=red pos=W moves=\"1-2\"");
        assert_eq!(named, Ok(Command::Position(Ok("W 1-2".to_owned()))));
        assert_eq!(
            parse("go think later"),
            Ok(Command::GoWithinLevel { ponder: false })
        );
        assert_eq!(
            parse("set-param name=variant value=english"),
            Ok(Command::Nothing)
        );
        for bad in ["pos", "pos pos=\"W"] {
            let refused = parse(bad);
            assert!(matches!(refused, Ok(Command::Position(Err(_)))), "{bad}");
        }
        for go in ["go", "go foo", "go \"think\"", "go \"think"] {
            assert_eq!(
                parse(go),
                Ok(Command::GoWithinLevel { ponder: false }),
                "{go}"
            );
        }
        for bad in [
            "set-param name=hash",
            "set-param name=hash value=99999",
            "set-param name=hash value=0",
            "set-param name=hash value=-1",
            "set-param name=seed value=18446744073709551616",
            "set-param name=variant value=killer",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn scores_use_the_scale_of_the_clients() {
        for (score, text) in [
            (Score::WinIn(15), "score=99.85 outcome=win plies=15"),
            (Score::LossIn(2), "score=-99.98 outcome=loss plies=2"),
            (
                Score::WinIn(u16::MAX),
                "score=90.01 outcome=win plies=65535",
            ),
            (Score::Win, "score=89.99 outcome=win"),
            (Score::Loss, "score=-89.99 outcome=loss"),
            (Score::Points(123), "score=1.23"),
            (Score::Points(800_000), "score=80.00"),
            (Score::Points(-800_000), "score=-80.00"),
            (Score::Draw, "score=0.00 outcome=draw"),
        ] {
            assert_eq!(format_score(score), text);
        }
    }
}
