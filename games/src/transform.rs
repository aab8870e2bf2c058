//! Transforms of a position that preserve its value.

use crate::error::{Problem, UnknownTransform};

/// A change of view after which a position is worth the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Transform {
    /// Upside down.
    Flip,
    /// Left and right exchanged.
    Mirror,
    /// The colours exchanged, the side to move included; the board is turned with them where men
    /// go forwards.
    Swap,
}

impl Transform {
    /// All of them.
    pub const ALL: [Transform; 3] = [Transform::Flip, Transform::Mirror, Transform::Swap];

    /// `flip`, `mirror` or `swap`.
    pub fn name(self) -> &'static str {
        match self {
            Transform::Flip => "flip",
            Transform::Mirror => "mirror",
            Transform::Swap => "swap",
        }
    }

    /// The error of a ruleset without this symmetry.
    pub(crate) fn not_in(self, ruleset: &str) -> Problem {
        Problem::NotInThisGame {
            what: match self {
                Transform::Flip => "symmetry of above and below",
                Transform::Mirror => "symmetry of left and right",
                Transform::Swap => "symmetry of the colours",
            },
            ruleset: ruleset.to_owned(),
        }
    }
}

impl std::str::FromStr for Transform {
    type Err = UnknownTransform;

    fn from_str(text: &str) -> Result<Transform, UnknownTransform> {
        let mut all = Transform::ALL.into_iter();
        let found = all.find(|transform| transform.name() == text);
        found.ok_or_else(|| UnknownTransform {
            name: text.to_owned(),
        })
    }
}
