//! The rank of a draw.

use endmill_games::Outcome;
use endmill_games::value::Score;
use serde::Serialize;

use crate::draw_rank::DrawRank;

/// How good a draw is: the score of the table in which the game stays for ever, if each side prefers a
/// better score for itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DrawRankAnswer {
    /// The score for the side to move, or for the side that makes the turn.
    pub score: f64,
    /// The same as an exact fraction.
    pub exact: String,
    /// The tables of this score in which the game may stay; none for a draw by rule.
    pub tables: Vec<String>,
    /// The plies until the game leaves its table; `null` if it stays there, or if the table has no
    /// score.
    #[cfg_attr(feature = "schema", schema(required))]
    pub conversion_plies: Option<u16>,
}

/// The rank of a value: absent unless it is a draw, `null` if the rank is not stored.
pub type PerhapsRank = Option<Option<DrawRankAnswer>>;

impl From<DrawRank> for DrawRankAnswer {
    fn from(rank: DrawRank) -> DrawRankAnswer {
        DrawRankAnswer {
            score: rank.score.approximate(),
            exact: rank.score.to_string(),
            tables: rank.tables.to_vec(),
            conversion_plies: rank.conversion_plies,
        }
    }
}

/// The answer for a value with this outcome.
pub(super) fn perhaps(outcome: Option<Outcome>, rank: Option<DrawRank>) -> PerhapsRank {
    (outcome == Some(Outcome::Draw)).then(|| rank.map(DrawRankAnswer::from))
}

/// A rank that occurs in a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RankCount {
    /// The score for the side to move.
    pub score: f64,
    /// The same as an exact fraction.
    pub exact: String,
    /// The tables of this score in which the game may stay.
    pub tables: Vec<String>,
    /// The number of draws with this rank.
    pub positions: u64,
    /// The most plies until one of them leaves the table; 0 if they stay.
    pub longest_conversion: u16,
}

impl From<&endmill_dbformat::StoredRank> for RankCount {
    fn from(rank: &endmill_dbformat::StoredRank) -> RankCount {
        let score: Score = rank.score;
        RankCount {
            score: score.approximate(),
            exact: score.to_string(),
            tables: rank.tables.to_vec(),
            positions: rank.positions,
            longest_conversion: rank.longest,
        }
    }
}
