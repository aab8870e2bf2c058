//! The ruleset that a record names, and a guess if it names none.

use endmill_games::draughts::Draughts;
use endmill_games::{Game, Ruleset, Visitor, rulesets};

use crate::error::{RecordError, RecordProblem};
use crate::location::Location;
use crate::result::RESULT_ORDER;
use crate::transcript::Transcript;

/// The tag for the game in PDN.
pub(crate) const GAME_TYPE: &str = "GameType";
/// The tag for the ruleset in our records.
pub(crate) const RULESET: &str = "Ruleset";
/// The tags that follow from the game, and are not kept.
pub(crate) const OWN: [&str; 6] = [GAME_TYPE, RULESET, "FEN", "SetUp", "Result", RESULT_ORDER];

/// The number of English draughts in PDN.
pub(crate) const ENGLISH: &str = "21";

/// The games of PDN 3.0, for messages about games that Endmill does not have.
const GAME_TYPES: [(&str, &str); 15] = [
    ("0", "chess"),
    ("1", "Chinese chess"),
    ("20", "international draughts"),
    ("22", "Italian draughts"),
    ("23", "pool checkers"),
    ("24", "Spanish draughts"),
    ("25", "Russian draughts"),
    ("26", "Brazilian draughts"),
    ("27", "Canadian draughts"),
    ("28", "Portuguese draughts"),
    ("29", "Czech draughts"),
    ("30", "Turkish draughts"),
    ("31", "Thai draughts"),
    ("40", "Frisian draughts"),
    ("41", "spantsiretti"),
];

/// The names of our rulesets in morris programs. These do not define all rules, so they are hints.
const VARIANTS: [(&str, &str); 2] = [
    ("Nine Men's Morris", "nine"),
    ("Twelve Men's Morris", "twelve"),
];

impl Transcript {
    /// The id of the ruleset that the record names, if any, and its location. Fails if Endmill does
    /// not have that game.
    pub fn ruleset(&self) -> Result<Option<(&str, Location)>, RecordError> {
        let known = |value: &str| !matches!(value.trim(), "" | "?");
        if let Some((id, place)) = self.tagged(RULESET).filter(|(id, _)| known(id)) {
            return Ok(Some((id.trim(), place)));
        }
        let Some((value, place)) = self.tagged(GAME_TYPE).filter(|(value, _)| known(value)) else {
            return Ok(None);
        };
        let number = value.split(',').next().unwrap_or_default().trim();
        if number.trim_start_matches('0') == ENGLISH {
            return Ok(Some((Draughts::ID, place)));
        }
        let named = GAME_TYPES.iter().find(|(known, _)| *known == number);
        let game = named.map(|(_, game)| *game);
        let (tag, value) = (GAME_TYPE, value.to_owned());
        let problem = RecordProblem::ForeignGame { tag, value, game };
        Err(RecordError::new(place, problem))
    }

    /// The ruleset that the tags of another program suggest.
    fn variant(&self) -> Option<&'static str> {
        let (value, _) = self.tagged("Variant")?;
        let mut all = VARIANTS.iter();
        let found = all.find(|(name, _)| name.eq_ignore_ascii_case(value.trim()));
        found.map(|(_, id)| *id)
    }
}

impl Transcript {
    /// Returns whether squares have numbers, by the first turn or else by the first position.
    fn has_numbers(&self) -> bool {
        let numeric = |text: &str| text.chars().all(|c| !c.is_alphabetic() || "xX".contains(c));
        if let Some(first) = self.moves.first() {
            return numeric(&first.text);
        }
        let tagged = self.tagged("FEN").map(|(text, _)| text);
        let start = tagged.unwrap_or_default().to_ascii_uppercase();
        let white = start.split(":W").nth(1).unwrap_or_default();
        white.starts_with(|first: char| first.is_ascii_digit() || first == 'K')
    }
}

/// Guesses the ruleset of a record that names none: the one by which it can be replayed, or replayed
/// furthest; the first of several. `preferred` is tried first, for instance the ruleset of the previous
/// game in a file.
pub fn guess(transcript: &Transcript, preferred: Option<Ruleset>) -> Ruleset {
    let hinted = transcript.variant().and_then(|id| Ruleset::find(id).ok());
    let mut best: Option<(Ruleset, Fit)> = None;
    let draughts = transcript
        .has_numbers()
        .then(|| Ruleset::find(Draughts::ID).ok());
    let likely = draughts.flatten();
    let first = hinted.into_iter().chain(preferred).chain(likely);
    for ruleset in first.chain(rulesets()) {
        let fit = ruleset.visit(Try { transcript });
        if best.as_ref().is_none_or(|(_, before)| fit > *before) {
            best = Some((ruleset, fit));
        }
        if fit.whole {
            break;
        }
    }
    best.expect("there are rulesets").0
}

/// How well a game fits a ruleset; the greater the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    whole: bool,
    turns: usize,
    /// The location of the first error.
    problem: Option<Location>,
}

struct Try<'a> {
    transcript: &'a Transcript,
}

impl Visitor for Try<'_> {
    type Output = Fit;

    fn visit<G: Game>(self, game: G) -> Fit {
        let replayed = self.transcript.replay(&game);
        Fit {
            whole: replayed.problem.is_none(),
            turns: replayed.record.turns.len(),
            problem: replayed.problem.map(|problem| problem.place),
        }
    }
}
