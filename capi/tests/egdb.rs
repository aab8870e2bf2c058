//! The interface in the style of other drivers: a C program looks up positions with captures and gets
//! the answers of the probe.

#![allow(unsafe_code, reason = "calls the library as C does")]

mod linked;

use std::ffi::{CString, c_char, c_int};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use endmill::{
    EgdbPosition, endmill_egdb_close, endmill_egdb_lookup, endmill_egdb_open, endmill_egdb_pieces,
};
use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Colour, Outcome, Setup};
use endmill_probe::Database;
use endmill_solver::BuildOptions;
use endmill_testkit::build;
use linked::{compile, printed, statically};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/egdb.c");
const PIECES: u32 = 4;

/// Draughts with up to four pieces, rebuilt by every run.
static DATABASE: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("database-of-egdb");
    let _ = std::fs::remove_dir_all(&directory);
    build(
        &directory,
        &Draughts::new(),
        PIECES,
        &BuildOptions::default(),
    );
    directory
});

/// A repeatable source of numbers: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }
}

/// A position with pieces of both sides somewhere, if it is legal.
fn random_setup(random: &mut Random) -> Setup {
    let to_move = match random.below(2) {
        0 => Colour::White,
        _ => Colour::Black,
    };
    let mut setup = Setup::empty(to_move);
    let pieces = 2 + random.below(u64::from(PIECES) - 1);
    for _ in 0..pieces {
        let (kind, side) = (random.below(2) as usize, random.below(2) as usize);
        let square = 1 << random.below(32);
        if (setup.occupied(Colour::White) | setup.occupied(Colour::Black)) & square == 0 {
            setup.pieces[kind][side] |= square;
        }
    }
    setup
}

fn to_egdb(setup: &Setup) -> (EgdbPosition, c_int) {
    let kings = setup.pieces[1][0] | setup.pieces[1][1];
    let position = EgdbPosition {
        black: setup.occupied(Colour::Black) as u32,
        white: setup.occupied(Colour::White) as u32,
        king: kings as u32,
    };
    (position, c_int::from(setup.to_move == Colour::White))
}

/// Returns whether the side to move can capture.
fn can_capture(game: &Draughts, setup: &Setup) -> bool {
    let Ok(position) = game.legal(setup) else {
        return false;
    };
    let mut turns = Vec::new();
    game.turns(&position, &mut turns);
    turns.iter().any(|turn| game.is_capture(&position, turn))
}

/// Positions with a capture for the side to move, or for the other side if it were to move.
fn pending(game: &Draughts, count: usize) -> Vec<Setup> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut found = Vec::new();
    while found.len() < count {
        let setup = random_setup(&mut random);
        let other = Setup {
            to_move: setup.to_move.other(),
            ..setup
        };
        let captures = can_capture(game, &setup) || can_capture(game, &other);
        if captures && game.legal(&setup).is_ok() {
            found.push(setup);
        }
    }
    found
}

#[test]
fn ten_thousand_positions_with_captures_are_answered_as_by_the_probe() {
    let database = Database::open(&*DATABASE, Draughts::new()).unwrap();
    let game = database.game();
    let setups = pending(game, 10_000);
    let own = setups
        .iter()
        .filter(|setup| can_capture(game, setup))
        .count();
    assert!(
        own > 3_000 && own < 10_000,
        "{own} captures of the side to move"
    );
    let (mut input, mut expected) = (String::new(), String::new());
    for setup in &setups {
        let (EgdbPosition { black, white, king }, colour) = to_egdb(setup);
        writeln!(input, "{black:#x} {white:#x} {king:#x} {colour}").unwrap();
        let position = game.legal(setup).unwrap();
        let outcome = database.probe(&position).unwrap().outcome();
        writeln!(expected, "{outcome}").unwrap();
    }
    for outcome in ["win", "loss", "draw"] {
        assert!(
            expected.lines().filter(|&line| line == outcome).count() > 100,
            "few: {outcome}"
        );
    }
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("egdb");
    compile(SOURCE.as_ref(), &program, &[], &statically()).unwrap();
    let mut running = Command::new(program)
        .args([DATABASE.as_os_str(), "4".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = running.stdin.take().unwrap();
    // From another thread: the answers must be read meanwhile.
    let writer = std::thread::spawn(move || to.write_all(input.as_bytes()));
    let answered = printed(running.wait_with_output().unwrap());
    writer.join().unwrap().unwrap();
    assert!(
        answered == expected,
        "the answers differ from those of the probe"
    );
}

/// The last message.
static MESSAGE: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());

unsafe extern "C" fn receive(text: *const c_char) {
    // SAFETY: the library gives a text with a final 0.
    let text = unsafe { std::ffi::CStr::from_ptr(text) };
    *MESSAGE.lock().unwrap() = text.to_str().unwrap().to_owned();
}

#[test]
fn driver_answers_with_the_numbers_of_the_header() {
    let directory = CString::new(DATABASE.to_str().unwrap()).unwrap();
    let open = |bitboards, pieces, cache_mb| {
        // SAFETY: the texts end with a 0.
        unsafe {
            endmill_egdb_open(
                bitboards,
                pieces,
                cache_mb,
                directory.as_ptr(),
                Some(receive),
            )
        }
    };
    for (bitboards, pieces, cache_mb, why) in [
        (7, 4, 1, "7 is not a type of bitboards"),
        (0, 0, 1, "pieces is 0"),
        (0, 25, 1, "pieces is 25, but draughts has at most 24"),
        (0, 4, -1, "cache_mb is -1"),
        (0, 1, 1, "no draughts table with up to 1 pieces in "),
    ] {
        assert!(open(bitboards, pieces, cache_mb).is_null());
        let message = MESSAGE.lock().unwrap().clone();
        assert!(message.starts_with(why), "{message}");
    }
    // Only what is looked up is counted; draughts has 16 tables with up to three pieces.
    let three = open(0, 3, 8);
    assert_eq!(*MESSAGE.lock().unwrap(), "16 tables, up to 3 pieces");
    let (driver, reversed) = (open(0, 8, 8), open(1, 8, 8));
    let ask = |driver, position: &EgdbPosition, colour, conditional| {
        // SAFETY: the driver is open.
        unsafe { endmill_egdb_lookup(driver, position, colour, conditional) }
    };
    // SAFETY: the drivers are open.
    let most = unsafe { [driver, three].map(|driver| endmill_egdb_pieces(driver)) };
    assert_eq!(most, [4, 3]);

    // Two kings against one in the open: the side with two wins, with either side to move.
    let position = EgdbPosition {
        black: 1 | 1 << 1,
        white: 1 << 14,
        king: 1 | 1 << 1 | 1 << 14,
    };
    assert_eq!(ask(driver, &position, 0, 1), -1);
    assert_eq!(ask(driver, &position, 0, 0), 1);
    assert_eq!(ask(driver, &position, 0, 1), 1);
    assert_eq!(ask(driver, &position, 1, 0), 2);
    let mirrored = |set: u32| {
        (0..32)
            .filter(|i| set >> i & 1 == 1)
            .fold(0, |all, i| all | 1 << (i ^ 3))
    };
    let other = EgdbPosition {
        black: mirrored(position.black),
        white: mirrored(position.white),
        king: mirrored(position.king),
    };
    assert_eq!(ask(reversed, &other, 0, 0), 1);

    let four = EgdbPosition {
        white: 1 << 14 | 1 << 30,
        ..position
    };
    assert_eq!(ask(three, &four, 0, 0), -2);
    let king = EgdbPosition {
        king: 1 << 20,
        ..position
    };
    let both = EgdbPosition {
        black: 1,
        white: 1,
        king: 1,
    };
    assert_eq!([ask(driver, &king, 0, 0), ask(driver, &both, 0, 0)], [0, 0]);
    assert_eq!(ask(driver, &position, 2, 0), 0);
    // A side without pieces has lost.
    let alone = EgdbPosition {
        black: 0,
        white: 1,
        king: 1,
    };
    let lost = ask(driver, &alone, 0, 0);
    assert_eq!(lost, 2, "{:?}", Outcome::Loss);
    // SAFETY: null is let pass, and every driver is closed once.
    unsafe {
        assert_eq!(endmill_egdb_lookup(std::ptr::null(), &position, 0, 0), 0);
        assert_eq!(endmill_egdb_lookup(driver, std::ptr::null(), 0, 0), 0);
        for driver in [driver, three, reversed, std::ptr::null_mut()] {
            endmill_egdb_close(driver);
        }
    }
}
