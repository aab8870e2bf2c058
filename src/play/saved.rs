//! Games in files: the players and clocks of a saved game or PDN file, and the current game as text.
//! [`endmill_records`] defines the formats.

use std::path::Path;
use std::time::Duration;

use endmill_engine::{GameClock, TimeControl};
use endmill_games::Game;
use endmill_records::{GameRecord, GameResult, is_saved};

use super::Player;
use super::record::{Ending, Record};
use crate::game_file::{BadGame, contents, games};

/// The current game as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The start, the turns, and the end.
    game: String,
    saved: String,
    pdn: String,
}

impl Text {
    /// The contents of a file: PDN if its name ends in `.pdn`, or else a saved game.
    pub fn whole(&self, file: &Path) -> &str {
        if is_pdn(file) { &self.pdn } else { &self.saved }
    }

    /// The saved game.
    pub fn saved(&self) -> &str {
        &self.saved
    }

    /// Whether this is the other game or a continuation of it.
    pub fn continues(&self, other: &Text) -> bool {
        self.game.starts_with(&other.game)
    }
}

fn is_pdn(file: &Path) -> bool {
    let extension = file.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("pdn"))
}

/// The players, seed and clocks of a saved game.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// White and Black.
    pub players: [Option<Player>; 2],
    pub seed: Option<u64>,
    pub control: Option<TimeControl>,
    pub left_ms: Option<[u64; 2]>,
}

impl Terms {
    /// The clock, if the game has one.
    pub fn clock(&self) -> Option<GameClock> {
        let resume = |control: TimeControl| {
            let start = [control.start_ms; 2];
            GameClock::resumed(control, self.left_ms.unwrap_or(start))
        };
        self.control.map(resume)
    }

    /// Reads a tag.
    fn read(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "White" => self.players[0] = Some(value.parse()?),
            "Black" => self.players[1] = Some(value.parse()?),
            "Seed" => {
                let seed = value.parse();
                self.seed = Some(seed.map_err(|_| format!("{value:?} is not a number"))?);
            }
            "Clock" => self.control = Some(value.parse()?),
            "Left" => {
                let seconds = |text: &str| {
                    let seconds = Duration::try_from_secs_f64(text.parse().ok()?).ok()?;
                    u64::try_from(seconds.as_millis()).ok()
                };
                let mut words = value.split_whitespace().map(seconds);
                match (words.next().flatten(), words.next().flatten(), words.next()) {
                    (Some(white), Some(black), None) => self.left_ms = Some([white, black]),
                    _ => return Err(format!("expected two numbers of seconds, found {value:?}")),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn write<G: Game>(&self, record: &mut GameRecord<G>) {
        for (side, player) in ["White", "Black"].iter().zip(self.players) {
            if let Some(player) = player {
                record.set_tag(side, player.to_string());
            }
        }
        if let Some(seed) = self.seed {
            record.set_tag("Seed", seed.to_string());
        }
        if let Some(control) = self.control {
            record.set_tag("Clock", control.to_string());
        }
        if let Some(left_ms) = self.left_ms {
            let [white, black] = left_ms.map(|left| left as f64 / 1_000.0);
            record.set_tag("Left", format!("{white:.1} {black:.1}"));
        }
    }
}

/// Converts a game to text.
pub fn write<G: Game>(game: &G, record: &Record<'_, G>, terms: &Terms) -> Text {
    let written = with_terms(record, terms);
    Text {
        game: written.saved_turns(game),
        saved: written.saved(game),
        pdn: written.sheet(game).pdn(),
    }
}

fn with_terms<G: Game>(record: &Record<'_, G>, terms: &Terms) -> GameRecord<G> {
    let mut written = record.as_played();
    terms.write(&mut written);
    written
}

/// A game that was loaded from a file.
pub struct Loaded<'a, G: Game> {
    pub record: Record<'a, G>,
    pub terms: Terms,
    /// The contents of the file, if this program or an older version could have written them: then
    /// the file may be overwritten. Nothing is lost from files of other programs.
    pub own: Option<Text>,
    /// The number of games in the file; this is the first.
    pub games: usize,
}

/// Loads a game from a file, and checks every turn.
pub fn load<'a, G: Game>(game: &'a G, file: &Path) -> anyhow::Result<Loaded<'a, G>> {
    let text = contents(file)?;
    let games = games(file, &text)?;
    let transcript = &games[0];
    let replayed = transcript.replay(game);
    let mut terms = Terms::default();
    let checked = transcript.check_tags(|name, value| {
        let read = terms.read(name, value);
        // In files of other programs players have names, and clocks have other formats.
        if transcript.is_saved() { read } else { Ok(()) }
    });
    let problems = replayed.problem.into_iter().chain(checked.err());
    if let Some(first) = problems.min_by_key(|problem| problem.place) {
        return Err(BadGame::new(file, first).into());
    }
    let record = Record::of(game, &replayed.record);
    let written = write(game, &record, &terms);
    let before = || {
        let sheet = with_terms(&record, &terms).sheet(game);
        sheet.with_points_of_white_first().pdn()
    };
    let own = transcript.is_saved() || is_pdn(file) && (written.pdn == text || before() == text);
    Ok(Loaded {
        record,
        terms,
        own: own.then_some(written),
        games: games.len(),
    })
}

/// Whether a file exists that is neither a saved game nor contains a readable game.
pub fn is_foreign<G: Game>(game: &G, file: &Path) -> bool {
    let other = || contents(file).is_ok_and(|text| !is_saved(&text));
    file.is_file() && other() && load(game, file).is_err()
}

/// Whether a file may be overwritten: it does not exist, or this program has saved it.
pub fn may_replace<G: Game>(game: &G, file: &Path) -> bool {
    let saved = || contents(file).is_ok_and(|text| is_saved(&text));
    let own = || load(game, file).is_ok_and(|loaded| loaded.own.is_some());
    !file.exists() || saved() || own()
}

impl<'a, G: Game> Record<'a, G> {
    /// A game from a record.
    pub fn of(game: &'a G, written: &GameRecord<G>) -> Record<'a, G> {
        let mut record = Record::new(game, written.start);
        for noted in &written.turns {
            record.play(noted.turn);
        }
        if let Some(termination) = written.termination(game) {
            record.terminate(termination);
        }
        record
    }

    /// The game as a record.
    pub fn as_played(&self) -> GameRecord<G> {
        let mut written = GameRecord::new(*self.start());
        written.turns = self.noted().collect();
        match self.ending() {
            None => {}
            Some(Ending::ByRules { winner }) => written.result = Some(GameResult::new(winner)),
            Some(Ending::Repetition) => written.result = Some(GameResult::new(None)),
            Some(Ending::Terminated(termination)) => written.terminate(termination),
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use endmill_games::draughts::Draughts;

    use super::*;

    /// Loads a text from a file of that name and converts it back; or returns the error.
    fn reread(name: &str, text: &str) -> Result<(String, bool), String> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(name);
        fs::write(&file, text).unwrap();
        let game = Draughts::new();
        match load(&game, &file) {
            Ok(loaded) => {
                let text = write(&game, &loaded.record, &loaded.terms);
                Ok((text.whole(&file).to_owned(), loaded.own.is_some()))
            }
            Err(error) => {
                let place = format!("{}, ", file.display());
                Err(error.to_string().replace(&place, ""))
            }
        }
    }

    #[test]
    fn saved_games_can_be_loaded() {
        let head = "endmill game 2\nruleset draughts\n";
        let text = format!("{head}start B:WK32:BK1\n1-6\n32-27\nresigned black\n");
        assert_eq!(reread("a.game", &text), Ok((text.clone(), true)));
        let terms = format!(
            "{head}white human\nblack medium\nseed 7\nclock 5+3\nleft 281.5 300.0\n\
             start B:WK32:BK1\n1-6\n"
        );
        for end in ["", "draw\n", "late white\n"] {
            let text = format!("{terms}{end}");
            assert_eq!(reread("a.game", &text), Ok((text, true)));
        }
        let by_hand = "# by hand\n\nendmill game 1\r\nruleset  draughts\nstart B:WK32:BK1\n\
                       # a step\n 1-6 \n\n32-27\nresigned black";
        assert_eq!(reread("a.game", by_hand), Ok((text, true)));
    }

    #[test]
    fn pdn_is_overwritten_only_if_nothing_is_lost() {
        let own = "[White \"human\"]\n[Black \"medium\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\
                   [ResultOrder \"first player\"]\n[Seed \"7\"]\n[SetUp \"1\"]\n\
                   [FEN \"B:WK32:BK1\"]\n\n1. 1-6 32-27 1-0\n\n";
        assert_eq!(reread("a.pdn", own), Ok((own.to_owned(), true)));
        let named = own.replace("medium", "Doe, J.");
        let noted = own.replace("32-27", "32-27 {good}");
        let two = format!("{own}{own}");
        let varied = own.replace("32-27", "32-27 (32-28)");
        for other in [named, noted, two, varied] {
            assert!(!reread("a.pdn", &other).unwrap().1, "{other}");
        }
        // Nor is PDN in a file of another name.
        assert!(!reread("a.txt", own).unwrap().1);
    }

    /// Older versions put White's points first. The result is converted to the order of play, and the
    /// file may be overwritten.
    #[test]
    fn pdn_of_an_older_version_may_be_overwritten() {
        let tags = |result: &str, order: &str| {
            format!(
                "[White \"human\"]\n[Black \"medium\"]\n[Result \"{result}\"]\n[GameType \"21\"]\n\
                 {order}[Seed \"7\"]\n[SetUp \"1\"]\n[FEN \"B:WK32:BK1\"]\n\n1. 1-6 32-27 {result}\n\n"
            )
        };
        let order = "[ResultOrder \"first player\"]\n";
        for (before, now) in [("1-0", "0-1"), ("0-1", "1-0")] {
            let now = tags(now, order);
            assert_eq!(reread("a.pdn", &tags(before, "")), Ok((now.clone(), true)));
            assert_eq!(reread("a.pdn", &now), Ok((now, true)));
        }
        for same in ["1/2-1/2", "*"] {
            let text = tags(same, "");
            assert_eq!(reread("a.pdn", &text), Ok((text, true)));
        }
    }

    #[test]
    fn errors_name_the_place() {
        for (text, complaint) in [
            ("", "line 1, column 1: this text contains no game"),
            (
                "endmill game 2\nruleset draughts\nclock fast\nstart start",
                "line 3, column 7: expected minutes plus seconds per move, such as 5+3, found \"fast\"",
            ),
            (
                "endmill game 2\nruleset draughts\nblack strong\nstart start",
                "line 3, column 7: expected human, low, medium, high, perfect",
            ),
            (
                "endmill game 1\n\n#\nruleset nine\nstart start",
                "line 4, column 9: this is a game of nine, not of draughts",
            ),
            (
                "1. 11-15 8-11",
                "line 1, column 10: 8-11 is not legal: white has no piece on 8",
            ),
        ] {
            assert_eq!(
                reread("a.game", text),
                Err(complaint.to_owned()),
                "{text:?}"
            );
        }
    }
}
