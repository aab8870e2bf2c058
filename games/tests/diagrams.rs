//! The boards drawn on a console.

use endmill_games::prelude::*;
use endmill_games::{Charset, Ruleset, Visitor};

struct Draw<'a>(&'a str);

impl Visitor for Draw<'_> {
    type Output = [String; 2];

    fn visit<G: Game>(self, game: G) -> [String; 2] {
        let position = game.parse_position(self.0).expect("a position");
        let diagram = game.diagram(&position);
        assert_eq!(diagram.to_string(), diagram.written(Charset::Unicode));
        [Charset::Unicode, Charset::Ascii].map(|charset| diagram.written(charset))
    }
}

/// Draws a position; the expected text begins with a line end.
fn assert_drawn(ruleset: &str, position: &str, expected: &str) {
    let [unicode, ascii] = Ruleset::find(ruleset).unwrap().visit(Draw(position));
    assert_eq!(format!("\n{unicode}"), expected, "{ruleset}");
    let symbols = [('·', "."), ('○', "w"), ('●', "b"), ('♔', "W"), ('♚', "B")];
    let translated = symbols
        .iter()
        .fold(unicode, |text, (from, to)| text.replace(*from, to));
    assert_eq!(ascii, translated, "{ruleset}");
    assert!(ascii.is_ascii(), "{ruleset}");
}

#[test]
fn nine_has_row_1_on_top() {
    assert_drawn(
        "nine",
        "B:Wa1,g4,c3:Bb2,d6,e5",
        "
    A   B   C   D   E   F   G

1   ○-----------·-----------·
    |           |           |
2   |   ●-------·-------·   |
    |   |       |       |   |
3   |   |   ○---·---·   |   |
    |   |   |       |   |   |
4   ·---·---·       ·---·---○
    |   |   |       |   |   |
5   |   |   ·---·---●   |   |
    |   |       |       |   |
6   |   ·-------●-------·   |
    |           |           |
7   ·-----------·-----------·
",
    );
}

#[test]
fn twelve_has_diagonals() {
    assert_drawn(
        "twelve",
        "W:Wa1,d2,g7:Bc3,e5,a7",
        r"
    A   B   C   D   E   F   G

1   ○-----------·-----------·
    | \         |         / |
2   |   ·-------○-------·   |
    |   | \     |     / |   |
3   |   |   ●---·---·   |   |
    |   |   |       |   |   |
4   ·---·---·       ·---·---·
    |   |   |       |   |   |
5   |   |   ·---·---●   |   |
    |   | /     |     \ |   |
6   |   ·-------·-------·   |
    | /         |         \ |
7   ●-----------·-----------○
",
    );
}

#[test]
fn six_has_two_rings() {
    assert_drawn(
        "six",
        "W:Wa1,c2,e5:Bb3,d4,c5",
        "
    A   B   C   D   E

1   ○-------·-------·
    |       |       |
2   |   ·---○---·   |
    |   |       |   |
3   ·---●       ·---·
    |   |       |   |
4   |   ·---·---●   |
    |       |       |
5   ·-------●-------○
",
    );
}

#[test]
fn three_is_three_by_three() {
    assert_drawn(
        "three",
        "W:Wa1,b2,c2:Bb1,a3,c3",
        r"
    A   B   C

1   ○---●---·
    | \ | / |
2   ·---○---○
    | / | \ |
3   ●---·---●
",
    );
}

#[test]
fn draughts_has_square_1_at_the_top_and_numbers_everywhere() {
    assert_drawn(
        "draughts",
        "W:W18,K31:B12,K5",
        "
+----+----+----+----+----+----+----+----+
|    | 1 ·|    | 2 ·|    | 3 ·|    | 4 ·|
+----+----+----+----+----+----+----+----+
| 5 ♚|    | 6 ·|    | 7 ·|    | 8 ·|    |
+----+----+----+----+----+----+----+----+
|    | 9 ·|    |10 ·|    |11 ·|    |12 ●|
+----+----+----+----+----+----+----+----+
|13 ·|    |14 ·|    |15 ·|    |16 ·|    |
+----+----+----+----+----+----+----+----+
|    |17 ·|    |18 ○|    |19 ·|    |20 ·|
+----+----+----+----+----+----+----+----+
|21 ·|    |22 ·|    |23 ·|    |24 ·|    |
+----+----+----+----+----+----+----+----+
|    |25 ·|    |26 ·|    |27 ·|    |28 ·|
+----+----+----+----+----+----+----+----+
|29 ·|    |30 ·|    |31 ♔|    |32 ·|    |
+----+----+----+----+----+----+----+----+
",
    );
}

/// The board from its start, turned round so often.
struct Turn(usize);

impl Visitor for Turn {
    type Output = String;

    fn visit<G: Game>(self, game: G) -> String {
        let mut diagram = game.diagram(&game.start());
        for _ in 0..self.0 {
            diagram = diagram.turned();
        }
        diagram.to_string()
    }
}

#[test]
fn a_board_turned_round_twice_is_as_it_was() {
    for ruleset in endmill_games::rulesets() {
        let as_it_was = ruleset.visit(Turn(0));
        assert_ne!(ruleset.visit(Turn(1)), as_it_was, "{}", ruleset.id());
        assert_eq!(ruleset.visit(Turn(2)), as_it_was, "{}", ruleset.id());
    }
    let draughts = Ruleset::find("draughts").unwrap().visit(Turn(1));
    let second = draughts.lines().nth(1).unwrap();
    assert_eq!(second, "|    |32 ○|    |31 ○|    |30 ○|    |29 ○|");
    let nine = Ruleset::find("nine").unwrap().visit(Turn(1));
    assert!(
        nine.starts_with("    G   F   E   D   C   B   A\n\n7   ·---"),
        "{nine}"
    );
}
