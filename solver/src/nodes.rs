//! The values of a table's nodes, in two bytes each, with and without exact plies.

#![allow(unsafe_code, reason = "views working memory as the values in it")]

use std::sync::Arc;

use endmill_layout::NodeValue;

use crate::memory::Buffer;

/// The values of a table's nodes, with exact plies.
pub type Nodes = Buffer<NodeValue>;

/// Nodes with right outcomes and meaningless plies: read without plies, or solved from such tables.
/// Exact nodes can become these, never the other way round.
#[derive(Clone, Debug)]
pub(crate) struct OutcomeNodes(Arc<Nodes>);

impl From<Arc<Nodes>> for OutcomeNodes {
    fn from(nodes: Arc<Nodes>) -> OutcomeNodes {
        OutcomeNodes(nodes)
    }
}

impl OutcomeNodes {
    /// The nodes; only their outcomes count.
    pub(crate) fn nodes(&self) -> &Arc<Nodes> {
        &self.0
    }
}

/// The nodes of a table that was read or solved.
#[derive(Clone, Debug)]
pub(crate) enum Solution {
    /// Outcomes and plies are exact.
    Exact(Arc<Nodes>),
    /// Outcomes only.
    Outcomes(OutcomeNodes),
}

impl Solution {
    /// The plies of `nodes` are exact only if those of everything that they were derived from are.
    pub(crate) fn new(nodes: Nodes, is_exact: bool) -> Solution {
        let nodes = Arc::new(nodes);
        match is_exact {
            true => Solution::Exact(nodes),
            false => Solution::Outcomes(nodes.into()),
        }
    }

    /// The outcomes.
    pub(crate) fn outcomes(&self) -> OutcomeNodes {
        match self {
            Solution::Exact(nodes) => Arc::clone(nodes).into(),
            Solution::Outcomes(outcomes) => outcomes.clone(),
        }
    }
}
