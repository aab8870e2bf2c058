//! Hub version 2, the protocol of draughts engines, with positions of 33 characters and the variant
//! `english`.
//!
//! A line is a command with arguments, `name=value` each (`syntax`); positions and moves are texts
//! of their own (`notation`). As the protocol asks, commands and arguments that are not known are
//! passed over; a value that cannot be read is answered by `error`.

mod notation;
mod syntax;

use std::time::Duration;

use endmill_engine::{Level, Limits, Report, Score};
use endmill_games::{Game, PlaceKind, Problem};

pub use self::notation::read_board;
use self::notation::write_turn;
use self::syntax::Line;
pub use self::syntax::quoted;
use super::command::{Clock, Command, Go, LONGEST, Misunderstood, Setting, misunderstood};
use super::session::{MOST_HASH, Settings};

/// The name that the protocol has for the game.
const VARIANT: &str = "english";

/// The command that sets a position up.
const POSITION: &str = "pos";
/// The command that starts a search.
const GO: &str = "go";

/// In men: a game that is won on the spot, one that the database calls won, and the most that an
/// estimate can be. Clients read these numbers: 99.xx is a win at the end of the line, 89.xx one in
/// the database.
const WON: f64 = 100.0;
const KNOWN: f64 = 90.0;
const ESTIMATED: f64 = 80.0;

/// Only games on squares have words here.
pub fn check<G: Game>(game: &G) -> Result<(), Problem> {
    match game.geometry().kind {
        PlaceKind::Square => Ok(()),
        PlaceKind::Point => Err(Problem::NotInThisGame {
            what: "Hub protocol: that is for draughts",
            ruleset: game.description().id,
        }),
    }
}

/// What a line asks for.
pub fn read(line: &str) -> Result<Command, Misunderstood> {
    let line = match Line::read(line) {
        Ok(line) => line,
        Err(why) => match line.split_whitespace().next() {
            Some(POSITION) => return Ok(Command::Position(misunderstood(why))),
            Some(GO) => return Ok(Command::GoOn { ponder: false }),
            _ => return misunderstood(why),
        },
    };
    match line.command() {
        "hub" => Ok(Command::Uci),
        "init" => Ok(Command::Init),
        "ping" => Ok(Command::IsReady),
        "new-game" => Ok(Command::NewGame),
        "set-param" => setting(&line),
        POSITION => Ok(Command::Position(match line.get("pos") {
            Some(position) => {
                let moves = line.get("moves").unwrap_or_default();
                Ok(format!("{position} {moves}"))
            }
            None => misunderstood("expected pos pos=… moves=\"…\""),
        })),
        "level" => level(&line).map(Command::Level),
        // `done` is awaited after every `go`: `think` and `analyze` may be left out.
        GO => Ok(Command::GoOn {
            ponder: line.has("ponder"),
        }),
        "ponder-hit" => Ok(Command::PonderHit),
        "stop" => Ok(Command::Stop),
        "quit" => Ok(Command::Quit),
        _ => Ok(Command::Nothing),
    }
}

fn setting(line: &Line) -> Result<Command, Misunderstood> {
    let (Some(name), Some(value)) = (line.get("name"), line.get("value")) else {
        return misunderstood("expected set-param name=… value=…");
    };
    if name == "variant" {
        return match value {
            VARIANT => Ok(Command::Nothing),
            _ => misunderstood(format!("variant is {VARIANT}, not {value:?}")),
        };
    }
    check_range(name, value)?;
    Setting::named(name, value).map(Command::Set)
}

/// Numbers are within what [`introduction`] announces.
fn check_range(name: &str, value: &str) -> Result<(), Misunderstood> {
    let (least, most) = match name.to_ascii_lowercase().as_str() {
        "hash" => (1, MOST_HASH as u64),
        "seed" => (0, u64::MAX),
        _ => return Ok(()),
    };
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(()),
        _ => misunderstood(format!(
            "{name} takes a number from {least} to {most}, found {value:?}"
        )),
    }
}

/// The limits of the searches to come.
fn level(line: &Line) -> Result<Go, Misunderstood> {
    let mut go = Go {
        infinite: line.has("infinite"),
        ..Go::default()
    };
    let whole = |name: &str| match line.get(name).map(str::parse::<u64>) {
        None => Ok(None),
        Some(Ok(number)) => Ok(Some(number)),
        Some(Err(_)) => misunderstood(format!("{name} takes a whole number")),
    };
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    go.limits = Limits {
        depth: whole("depth")?.map(small),
        nodes: whole("nodes")?.map(|nodes| nodes.max(1)),
        time: seconds(line, "move-time")?,
    };
    go.moves_to_go = whole("moves")?.map(small);
    // There is one clock: that of the side to move. The increment was added to it already, and
    // will be again.
    let clock = Clock {
        left: seconds(line, "time")?,
        gain: seconds(line, "inc")?.unwrap_or_default(),
    };
    go.clocks = [clock; 2];
    Ok(go)
}

/// A time in seconds; one that is negative, as clocks are that have run out, is none at all.
fn seconds(line: &Line, name: &str) -> Result<Option<Duration>, Misunderstood> {
    let Some(text) = line.get(name) else {
        return Ok(None);
    };
    let longest = Duration::from_millis(LONGEST);
    match text.parse::<f64>() {
        Ok(seconds) if !seconds.is_nan() => {
            let seconds = seconds.clamp(0.0, longest.as_secs_f64());
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        _ => misunderstood(format!("{name} takes seconds, found {text:?}")),
    }
}

/// Who the engine is and what can be set.
pub fn introduction(settings: &Settings) -> String {
    let Settings {
        database,
        level,
        seed,
        hash,
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
         param name=hash value={hash} type=int min=1 max={MOST_HASH}\n\
         wait",
        env!("CARGO_PKG_VERSION"),
        u64::MAX,
    )
}

/// How far a search has got.
pub fn info<G: Game>(game: &G, position: &G::Position, report: &Report<G>) -> String {
    let mut position = *position;
    let mut line = Vec::new();
    for turn in &report.line {
        line.push(write_turn(game, &position, turn));
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
        written(report.score),
        report.nodes,
        quoted(&line.join(" ")),
    )
}

/// A score in men. What is certain is worth more than any estimate, a short win more than a long
/// one; `outcome` and `plies` say it in full.
fn written(score: Score) -> String {
    // A win of 1000 plies or more would be taken for another kind of score.
    let won = |plies: u16| WON - f64::from(plies.min(999)) / 100.0;
    // How far away the database is, a search does not say.
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

/// What is answered when the game is over, which nobody should ask about, or there is no position.
pub const NO_TURN: &str = "done move=\"\"";

/// The move to be made and the expected answer.
pub fn best<G: Game>(game: &G, position: &G::Position, line: &[G::Turn]) -> String {
    let Some(turn) = line.first() else {
        return NO_TURN.to_owned();
    };
    let done = format!("done move={}", write_turn(game, position, turn));
    match line.get(1) {
        Some(answer) => {
            let after = game.play(position, turn);
            format!("{done} ponder={}", write_turn(game, &after, answer))
        }
        None => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level_of(line: &str) -> Go {
        match read(line) {
            Ok(Command::Level(go)) => go,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn levels_are_understood() {
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
        assert_eq!(clock.clocks[1].gain, Duration::from_secs(2));
        for bad in [
            "level depth=deep",
            "level time=soon",
            "level move-time=nan",
            "level depth=-1",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_not_known_is_passed_over() {
        assert_eq!(read("dance quickly=yes"), Ok(Command::Nothing));
        let named = read("pos colour=red pos=W moves=\"1-2\"");
        assert_eq!(named, Ok(Command::Position(Ok("W 1-2".to_owned()))));
        assert_eq!(read("go think later"), Ok(Command::GoOn { ponder: false }));
        assert_eq!(
            read("set-param name=variant value=english"),
            Ok(Command::Nothing)
        );
        for bad in ["pos", "pos pos=\"W"] {
            let refused = read(bad);
            assert!(matches!(refused, Ok(Command::Position(Err(_)))), "{bad}");
        }
        for go in ["go", "go foo", "go \"think\"", "go \"think"] {
            assert_eq!(read(go), Ok(Command::GoOn { ponder: false }), "{go}");
        }
        for bad in [
            "set-param name=hash",
            "set-param name=hash value=99999",
            "set-param name=hash value=0",
            "set-param name=hash value=-1",
            "set-param name=seed value=18446744073709551616",
            "set-param name=variant value=killer",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn scores_are_on_the_scale_of_the_clients() {
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
            assert_eq!(written(score), text);
        }
    }
}
