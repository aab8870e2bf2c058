//! Whole games: PDN, lists of moves, saved games.

use endmill_games::{Game, Ruleset, Visitor};
use endmill_records::{guess, transcripts};

/// Reads a text as games, each by the ruleset that it names or that fits. Games that are read are
/// written and must read back the same.
pub fn record(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(games) = transcripts(&text) else {
        return;
    };
    for transcript in &games {
        let stated = transcript.ruleset().ok().flatten();
        let stated = stated.and_then(|(id, _)| Ruleset::find(id).ok());
        let ruleset = stated.unwrap_or_else(|| guess(transcript, None));
        ruleset.visit(Replay { transcript });
    }
}

struct Replay<'a> {
    transcript: &'a endmill_records::Transcript,
}

impl Visitor for Replay<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let replayed = self.transcript.replay(&game);
        if replayed.problem.is_some() {
            return;
        }
        let record = replayed.record;
        let pdn = record.sheet(&game).pdn();
        let again = transcripts(&pdn).expect("a game");
        assert_eq!(again.len(), 1, "{pdn}");
        let again = again[0].replay(&game).whole();
        assert!(again.is_ok_and(|again| again == record), "{pdn}");
        let saved = record.saved(&game);
        let again = transcripts(&saved).expect("a game")[0].replay(&game);
        if again.problem.is_none() {
            assert_eq!(again.record.saved(&game), saved);
        }
    }
}
