//! Why there is no answer.

use serde::Serialize;

use crate::error::ProbeError;

/// A stable code for programs, and a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reason {
    /// See [`ProbeError::code`].
    pub error: &'static str,
    /// A sentence.
    pub message: String,
}

impl From<&ProbeError> for Reason {
    fn from(error: &ProbeError) -> Reason {
        Reason {
            error: error.code(),
            message: error.to_string(),
        }
    }
}

/// A [`Reason`] among the fields of an answer, written only where there is one.
#[cfg(feature = "schema")]
#[derive(utoipa::ToSchema)]
pub(super) struct PerhapsReason {
    /// Only where the value is not known: a name for programs.
    #[allow(dead_code)]
    error: Option<String>,
    /// Only where the value is not known: a sentence.
    #[allow(dead_code)]
    message: Option<String>,
}

/// A question that is not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// The ruleset, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// The position, as it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Why.
    #[serde(flatten)]
    pub reason: Reason,
    /// The table that is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The wrong character of the text, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

impl Refusal {
    /// A refusal to answer this question.
    pub fn new(ruleset: &str, position: Option<&str>, error: &ProbeError) -> Refusal {
        Refusal {
            ruleset: Some(ruleset.to_owned()),
            position: position.map(str::to_owned),
            reason: error.into(),
            table: error.missing_table().map(str::to_owned),
            at: error.at(),
        }
    }
}
