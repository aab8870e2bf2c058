//! A database with valid checksums and counts and two exchanged values: `verify` finds one of them.

mod lies;
mod program;

use endmill_games::Outcome;
use lies::exchange;
use program::{built, endmill, printed, text};

/// In the moving phase and while men are in hand; by the sweep alone, by the sweep with every position
/// sampled, and by turns alone.
#[test]
fn a_wrong_value_behind_valid_checksums_is_found() {
    for table in ["5v4", "4+1v4+0"] {
        let db = built(&["six"]);
        let path = db.path().to_str().unwrap();
        printed(&["verify", "six", "--sample", "0", "--db", path]);
        let positions = exchange(db.path(), table, [Outcome::Win; 2]);
        printed(&["verify", "six", "--quick", "--db", path]);
        for way in [
            &["--sample", "0"][..],
            &["--sample", "1000000"],
            &["--by-turns"],
            &["--by-turns", "--tables", table],
        ] {
            let args = [&["verify", "six", "--db", path], way].concat();
            let run = endmill(&args);
            assert_eq!(run.status.code(), Some(1));
            let complaint = text(run.stderr);
            let complaint = complaint.lines().last().unwrap();
            let found = positions
                .iter()
                .any(|position| complaint.contains(&format!("{table}: {position} is stored as")));
            assert!(found, "{complaint}");
        }
    }
}
