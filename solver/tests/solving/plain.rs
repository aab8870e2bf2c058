//! The plain layout against the layouts that games have of their own.

use endmill_games::draughts::Draughts;
use endmill_games::{
    Colour, Description, Feature, Features, Numbering, Pieces, Rules, Value, morris,
};
use endmill_layout::{Layout, PlainLayout};

use crate::solution::Solution;

/// A game without its layout.
struct Plainly<G>(G);

impl<G: Rules> Rules for Plainly<G> {
    type Position = G::Position;
    type Turn = G::Turn;

    fn description(&self) -> Description {
        self.0.description()
    }

    fn rules_text(&self) -> String {
        self.0.rules_text()
    }

    fn start(&self) -> G::Position {
        self.0.start()
    }

    fn to_move(&self, position: &G::Position) -> Colour {
        self.0.to_move(position)
    }

    fn finished(&self, position: &G::Position) -> Option<Value> {
        self.0.finished(position)
    }

    fn turns(&self, position: &G::Position, turns: &mut Vec<G::Turn>) {
        self.0.turns(position, turns);
    }

    fn play(&self, position: &G::Position, turn: &G::Turn) -> G::Position {
        self.0.play(position, turn)
    }
}

impl<G: Numbering> Numbering for Plainly<G> {
    type Table = G::Table;

    fn tables(&self, pieces: Option<u32>) -> Vec<G::Table> {
        self.0.tables(pieces)
    }

    fn size(&self, table: G::Table) -> u64 {
        self.0.size(table)
    }

    fn pieces(&self, table: G::Table) -> Pieces {
        self.0.pieces(table)
    }

    fn partner(&self, table: G::Table) -> G::Table {
        self.0.partner(table)
    }

    fn outside(&self, table: G::Table) -> Vec<G::Table> {
        self.0.outside(table)
    }

    fn table_of(&self, position: &G::Position) -> Option<G::Table> {
        self.0.table_of(position)
    }

    fn rank(&self, position: &G::Position) -> u64 {
        self.0.rank(position)
    }

    fn unrank(&self, table: G::Table, index: u64) -> G::Position {
        self.0.unrank(table, index)
    }

    // Not every table of morris is solved together with its partner, or has inside turns at all.
    fn solved_together(&self, table: G::Table) -> Vec<G::Table> {
        self.0.solved_together(table)
    }

    fn has_inside_turns(&self, table: G::Table) -> bool {
        self.0.has_inside_turns(table)
    }
}

impl<G: Features> Features for Plainly<G> {
    fn is_resolved(&self, position: &G::Position) -> bool {
        self.0.is_resolved(position)
    }
}

impl<G: Features> PlainLayout for Plainly<G> {}

fn assert_same_values<G: Layout>(game: impl Fn() -> G, pieces: Option<u32>) {
    let (own, plain) = (game(), Plainly(game()));
    let (own, plain) = (Solution::new(&own, pieces), Solution::new(&plain, pieces));
    for table in own.tables() {
        assert!(own.values(table) == plain.values(table), "{table}");
    }
    assert!(own.tables().eq(plain.tables()));
}

#[test]
fn plain_layout_solves_morris_as_rows_do() {
    assert_same_values(morris::three, None);
    assert_same_values(morris::nine, Some(6));
    assert_same_values(morris::six, Some(7));
}

#[test]
fn plain_layout_solves_draughts_as_parts_do() {
    assert_same_values(Draughts::new, Some(3));
}

/// What a game does not say follows from what it does.
#[test]
fn defaults_say_what_games_say_themselves() {
    fn agree<G: Features>(game: impl Fn() -> G, pieces: u32) {
        let (own, plain) = (game(), Plainly(game()));
        let (mut turns, mut features) = (Vec::new(), [Vec::new(), Vec::new()]);
        for table in own.tables(Some(pieces)) {
            assert_eq!(plain.parse_table(&table.to_string()), Ok(table));
            own.features(table, 0..own.size(table), &mut features[0]);
            plain.features(table, 0..own.size(table), &mut features[1]);
            let resolved =
                |features: &[Feature]| features.iter().map(|feature| feature.resolved).collect();
            let [said, derived]: [Vec<bool>; 2] = [resolved(&features[0]), resolved(&features[1])];
            assert_eq!(said, derived);
            for position in (0..own.size(table)).map(|index| own.unrank(table, index)) {
                own.turns(&position, &mut turns);
                for turn in &turns {
                    let said = own.is_inside(&position, turn);
                    assert_eq!(plain.is_inside(&position, turn), said, "{position:?}");
                }
            }
        }
    }
    agree(morris::six, 7);
    agree(Draughts::new, 2);
}
