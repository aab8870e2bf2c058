//! The laws of notation and evaluation.

use endmill_games::{
    Colour, Evaluate, Interchange, Notation, Place, PlaceKind, Problem, Reading, Setup, Unmoves,
};

/// What is printed is read back as the same thing, and so are setups; both colours, as the sides
/// alternate.
pub fn notation<G: Interchange>(game: &G, position: &G::Position) {
    let read = |position: &G::Position| {
        assert_eq!(game.legal(&game.setup(position)), Ok(*position));
        game.parse_position(&game.format_position(position))
    };
    assert_eq!(read(position), Ok(*position));
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    for turn in &turns {
        let text = game.format_turn(position, turn);
        assert_eq!(game.turn_words(position, turn).concat(), text);
        assert_eq!(game.parse_turn(position, &text), Ok(*turn), "{text}");
        let typed = game.read_turn(position, &text);
        assert_eq!(typed, Ok(Reading::Whole(*turn)), "{text}");
        let next = game.play(position, turn);
        assert_eq!(read(&next), Ok(next), "after {text}");
    }
}

/// An estimate is the same for all images, and modest; taking a man is not a quiet turn.
pub fn estimate<G: Unmoves + Notation + Evaluate>(game: &G, position: &G::Position) {
    let estimate = game.evaluate(position);
    let images = game.images(position);
    let same = images.iter().all(|image| game.evaluate(image) == estimate);
    assert!(same && estimate.abs() < 10_000, "{position:?}: {estimate}");
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let both = |turn: &G::Turn| game.is_inside(position, turn) && game.is_capture(position, turn);
    assert!(!turns.iter().any(both), "{position:?}");
}

/// The drawing of the board has the places, edges and lines that the description counts, and the
/// bits of a setup are its places.
pub fn geometry<G: Notation>(game: &G) {
    let (drawn, described) = (game.geometry(), game.description());
    assert_eq!(drawn.places.len(), described.points as usize);
    let lines = described.count("lines").unwrap_or(0);
    assert_eq!(drawn.lines.len(), lines as usize);
    let joined = drawn.kind == PlaceKind::Point;
    assert!(!joined || drawn.edges.len() == described.edges as usize);
    let inside = |x: f64, most: f64| (0.0..=most).contains(&x);
    for (number, place) in drawn.places.iter().enumerate() {
        assert!(inside(place.x, drawn.width) && inside(place.y, drawn.height));
        let same =
            |other: &&Place| other.name == place.name || (other.x, other.y) == (place.x, place.y);
        assert_eq!(drawn.places.iter().filter(same).count(), 1, "{place:?}");
        // Two men on one place are refused by its name.
        let mut setup = Setup::empty(Colour::White);
        setup.pieces[0] = [1 << number; 2];
        let refused = game.legal(&setup).unwrap_err();
        let (name, kind) = (place.name.clone(), drawn.kind.name());
        assert_eq!(refused, Problem::UsedTwice { name, kind });
    }
    let mut numbers = drawn
        .edges
        .iter()
        .flatten()
        .chain(drawn.lines.iter().flatten());
    assert!(numbers.all(|&place| place < drawn.places.len()));
}
