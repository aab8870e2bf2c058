//! Replays a transcript by the rules of a game.

use endmill_games::{Colour, Interchange, ParseError, Problem, Reading, Rules, Ruleset};

use crate::error::{RecordError, RecordProblem, expected};
use crate::location::Location;
use crate::naming::{OWN, RULESET};
use crate::result::{FIRST_PLAYER, RESULT_ORDER, first_player, from_line, from_play};
use crate::sheet::in_order;
use crate::transcript::{Format, Transcript, WrittenTurn};
use crate::{GameRecord, GameResult, NotedTurn, Termination};

/// The legal part of a game, and the first error.
pub struct Replayed<G: Rules> {
    /// The game up to the error.
    pub record: GameRecord<G>,
    /// The first error.
    pub problem: Option<RecordError>,
}

impl<G: Rules> Replayed<G> {
    /// Returns the game if it is correct as a whole.
    pub fn whole(self) -> Result<GameRecord<G>, RecordError> {
        match self.problem {
            None => Ok(self.record),
            Some(problem) => Err(problem),
        }
    }
}

impl Transcript {
    /// Replays the game by the rules of `game`, up to the first error.
    pub fn replay<G: Interchange>(&self, game: &G) -> Replayed<G> {
        let mut record = GameRecord::new(game.start());
        let played = self.replay_into(game, &mut record);
        let problems = played.err().into_iter().chain(self.problem.clone());
        let problem = problems.min_by_key(|problem| problem.place);
        Replayed { record, problem }
    }

    fn replay_into<G: Interchange>(
        &self,
        game: &G,
        record: &mut GameRecord<G>,
    ) -> Result<(), RecordError> {
        let tags = self.tags.iter().map(|(tag, _)| tag);
        let kept = tags.filter(|tag| !OWN.iter().any(|own| tag.name.eq_ignore_ascii_case(own)));
        record.tags = kept.cloned().collect();
        in_order(&mut record.tags);
        record.opening = self.opening.clone();
        self.check_ruleset(game)?;
        record.start = self.first_position(game)?;
        let mut position = record.start;
        for written in &self.moves {
            let turn = read_turn(game, &position, written)?;
            position = game.play(&position, &turn);
            record.turns.push(NotedTurn {
                turn,
                nags: written.nags.clone(),
                comments: written.comments.clone(),
            });
        }
        match self.format {
            Format::Saved => self.replay_end(game, record),
            Format::Moves => self.replay_result(game, &position, record),
        }
    }

    fn check_ruleset<G: Interchange>(&self, game: &G) -> Result<(), RecordError> {
        let Some((found, place)) = self.ruleset()? else {
            return Ok(());
        };
        let (found, expected) = (found.to_owned(), game.description().id);
        let problem = match Ruleset::find(&found) {
            _ if found == expected => return Ok(()),
            Ok(_) => RecordProblem::OtherGame { found, expected },
            Err(_) => RecordProblem::ForeignGame {
                tag: RULESET,
                value: found,
                game: None,
            },
        };
        Err(RecordError::new(place, problem))
    }

    fn first_position<G: Interchange>(&self, game: &G) -> Result<G::Position, RecordError> {
        let tagged = self.tagged("FEN");
        let set_up = self
            .start
            .as_ref()
            .map(|(text, place)| (text.as_str(), *place));
        // `start` alone on its line is the usual start; a tag must have a position.
        let set_up = set_up.map(|(text, place)| match text.trim() {
            "" => ("start", place),
            _ => (text, place),
        });
        let given = set_up.or(tagged);
        match given.filter(|(text, _)| !matches!(text.trim(), "?" | "start")) {
            None => Ok(game.start()),
            Some((text, place)) => {
                let refused = |error: ParseError| {
                    let place = place.on(error.at.unwrap_or(0));
                    RecordError::new(place, error.problem.into())
                };
                game.parse_position(text).map_err(refused)
            }
        }
    }

    /// Checks that the results of the tag, after the turns and on the board agree, as far as there are
    /// any.
    fn replay_result<G: Interchange>(
        &self,
        game: &G,
        last: &G::Position,
        record: &mut GameRecord<G>,
    ) -> Result<(), RecordError> {
        let board = game.ending(last);
        let end = self.result.as_ref();
        let end = end.map(|(text, place)| (text.as_str(), *place));
        let tag = self.tagged("Result");
        let either = |first| read_result(end, first).or_else(|| read_result(tag, first));
        // A result that is neither a win nor a draw agrees with any other.
        let fits = |first| {
            let winner = either(first).and_then(|(result, ..)| result.winner());
            let ending = board.as_ref();
            winner.is_none_or(|winner| ending.is_none_or(|ending| ending.winner == winner))
        };
        let first = self.points_first(game, record, fits);
        let Some((result, found, place)) = either(first) else {
            return Ok(());
        };
        let found = found.to_owned();
        if let Some(ending) = board.filter(|_| !fits(first)) {
            let first = first_player(game);
            let problem = RecordProblem::ResultNotOfBoard {
                found,
                ending,
                first,
            };
            return Err(RecordError::new(place, problem));
        }
        record.result = Some(result);
        match (read_result(tag, first), read_result(end, first)) {
            (Some((tag, given, _)), Some((end, ..)))
                if tag.is_standard() && tag.winner() != end.winner() =>
            {
                let given = given.to_owned();
                let problem = RecordProblem::ResultsDiffer { found, given };
                Err(RecordError::new(place, problem))
            }
            _ => Ok(()),
        }
    }

    /// The side whose points come first in the result: the first player, but White in games that old
    /// versions of Endmill wrote. If the game is over on the board, `fits` tests an order against it,
    /// which decides.
    fn points_first<G: Interchange>(
        &self,
        game: &G,
        record: &GameRecord<G>,
        fits: impl Fn(Colour) -> bool,
    ) -> Colour {
        let first = first_player(game);
        let order = self.tagged(RESULT_ORDER);
        let stated = order.is_some_and(|(order, _)| order == FIRST_PLAYER);
        let by_play = !stated && from_play(&record.tags) && fits(Colour::White);
        let by_line = from_line(&record.opening) && !fits(first);
        if by_play || by_line {
            Colour::White
        } else {
            first
        }
    }

    /// Reads the end of a saved game: its last line, or the position in which it is over.
    fn replay_end<G: Interchange>(
        &self,
        game: &G,
        record: &mut GameRecord<G>,
    ) -> Result<(), RecordError> {
        let Some((line, place)) = &self.termination else {
            let ending = record.ending(game);
            record.result = ending.map(|ending| GameResult::new(ending.winner));
            return Ok(());
        };
        let refuse = |problem| Err(RecordError::new(*place, problem));
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let mut sides = [Colour::White, Colour::Black].into_iter();
        let side = sides.find(|side| side.name() == rest);
        let termination = match (word, side) {
            ("resigned", Some(side)) => Termination::Resigned(side),
            ("late", Some(side)) => Termination::Late(side),
            ("draw", _) if rest.is_empty() => Termination::Agreed,
            ("draw", _) => return refuse(expected("draw alone", line.as_str())),
            _ => {
                return refuse(expected(
                    format!("{word} white or {word} black"),
                    line.as_str(),
                ));
            }
        };
        record.terminate(termination);
        if record.termination(game).is_none() {
            return refuse(RecordProblem::Over);
        }
        Ok(())
    }
}

/// Reads a result, and returns it with its text and location.
fn read_result(
    said: Option<(&str, Location)>,
    first: Colour,
) -> Option<(GameResult, &str, Location)> {
    let (text, place) = said?;
    Some((GameResult::read(text, first)?, text.trim(), place))
}

/// Reads a turn in our notation, or in that of another program. Parts of a turn with only one
/// completion may be left out.
fn read_turn<G: Interchange>(
    game: &G,
    position: &G::Position,
    written: &WrittenTurn,
) -> Result<G::Turn, RecordError> {
    let refuse = |place: Location, problem: Problem| RecordError::new(place, problem.into());
    if game.finished(position).is_some() {
        return Err(refuse(written.place(None), Problem::GameOver));
    }
    let text = written.text.as_str();
    let error = match read_whole(game, position, text) {
        Ok(turn) => return Ok(turn),
        Err(error) => error,
    };
    if let Some(ours) = game.turn_elsewhere(text) {
        // Locations in a translation are not those of the text.
        let read = read_whole(game, position, &ours);
        return read.map_err(|error| refuse(written.place(None), error.problem));
    }
    Err(refuse(written.place(error.at), error.problem))
}

fn read_whole<G: Interchange>(
    game: &G,
    position: &G::Position,
    text: &str,
) -> Result<G::Turn, ParseError> {
    let error = match game.parse_turn(position, text) {
        Ok(turn) => return Ok(turn),
        Err(error) => error,
    };
    match game.read_turn(position, text) {
        // An incomplete capture that has only one completion.
        Ok(Reading::Whole(turn)) if game.path(position, &turn).taken != 0 => Ok(turn),
        _ => Err(error),
    }
}
