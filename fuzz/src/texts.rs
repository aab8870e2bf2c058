//! Positions, turns and names of tables, of every ruleset.

use endmill_games::{Game, Visitor, rulesets};

/// Reads a text as a position, as a turn in the start position and as the name of a table. A result
/// is written and must read back the same.
pub fn text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    for ruleset in rulesets() {
        ruleset.visit(Read { text });
    }
}

struct Read<'a> {
    text: &'a str,
}

impl Visitor for Read<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        if let Ok(position) = game.parse_position(self.text) {
            let written = game.format_position(&position);
            assert_eq!(game.parse_position(&written), Ok(position), "{written}");
            let mut turns = Vec::new();
            game.turns(&position, &mut turns);
            for turn in turns {
                let written = game.format_turn(&position, &turn);
                assert_eq!(game.parse_turn(&position, &written), Ok(turn), "{written}");
            }
        }
        let start = game.start();
        if let Ok(turn) = game.parse_turn(&start, self.text) {
            game.play(&start, &turn);
        }
        let _ = game.read_turn(&start, self.text);
        if let Ok(table) = game.parse_table(self.text) {
            let written = table.to_string();
            assert_eq!(game.parse_table(&written), Ok(table), "{written}");
        }
    }
}
