//! Errors as data.

use serde::Serialize;

use crate::error::ProbeError;

/// A stable code for programs, and a message for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reason {
    /// The code: see [`ProbeError::code`].
    pub error: &'static str,
    /// The message.
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

/// A [`Reason`] among the fields of an answer, absent if the value is known.
#[cfg(feature = "schema")]
#[derive(utoipa::ToSchema)]
pub(super) struct PerhapsReason {
    /// A code for programs. Absent if the value is known.
    #[allow(dead_code)]
    error: Option<String>,
    /// A message for people. Absent if the value is known.
    #[allow(dead_code)]
    message: Option<String>,
}

/// A question with an error instead of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Refusal {
    /// The ruleset of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// The position of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The error.
    #[serde(flatten)]
    pub reason: Reason,
    /// The missing table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The wrong character of the text, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

impl Refusal {
    /// The error for this question.
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
