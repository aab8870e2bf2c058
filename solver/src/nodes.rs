//! The working memory: two bytes a node, in memory or in a mapped scratch file.
//!
//! Random access to a gigabyte is bound by address translation with ordinary pages, so huge pages
//! are asked for; where there are none, ordinary ones do.
//!
//! What is in a scratch file takes memory only as far as it is being looked at: whoever goes through
//! it in order lets go of what lies behind.

use std::sync::Arc;
use std::sync::atomic::AtomicU16;

use endmill_layout::NodeValue;
use memmap2::MmapMut;

use crate::budget::Share;

/// The nodes of a table, all zero at first.
#[derive(Debug)]
pub struct Nodes {
    memory: MmapMut,
    count: usize,
    /// Of the budget it was given out from; none if it is a scratch file.
    share: Option<Share>,
}

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
    /// Outcomes alone.
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

/// Some nodes in a row, for one owner.
pub(crate) struct Section<'a> {
    pub(crate) states: &'a mut [u16],
    first: usize,
    memory: &'a MmapMut,
    is_scratch: bool,
}

impl Nodes {
    /// Nodes in memory that is all zero and has room for `count` of them.
    pub(crate) fn new(memory: MmapMut, count: usize, share: Share) -> Nodes {
        #[cfg(target_os = "linux")]
        {
            // Advice: a refusal costs speed only.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Nodes::lay(memory, count, Some(share))
    }

    /// The same in a file that is mapped.
    pub(crate) fn in_scratch(file: MmapMut, count: usize) -> Nodes {
        Nodes::lay(file, count, None)
    }

    fn lay(memory: MmapMut, count: usize, share: Option<Share>) -> Nodes {
        assert!(memory.len() >= count * 2);
        Nodes {
            memory,
            count,
            share,
        }
    }

    /// Whether they are in a scratch file.
    pub(crate) fn is_scratch(&self) -> bool {
        self.share.is_none()
    }

    /// Lets go of the memory that repeats what is in the scratch file, if it is one.
    pub(crate) fn let_go(&self) {
        if self.is_scratch() {
            let_go(&self.memory, 0, self.count);
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The nodes of a solved table.
    pub fn codes(&self) -> &[NodeValue] {
        // SAFETY: the mapping is page-aligned, holds at least `count` u16 and lives as long as
        // `self`; `NodeValue` is a transparent u16, for which all bit patterns are valid; shared
        // access to `self` excludes `states_mut`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }

    /// The same memory as bytes, where it holds something else.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[..self.count * 2]
    }

    /// The same memory as bytes, where it holds something else.
    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[..self.count * 2]
    }

    /// The same while the table is being solved.
    pub(crate) fn states(&self) -> &[u16] {
        // SAFETY: as in `codes`.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.count) }
    }

    /// The nodes for one owner, to be split by rows.
    pub(crate) fn states_mut(&mut self) -> &mut [u16] {
        // SAFETY: as in `codes`; the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.count) }
    }

    /// The nodes in sections of equal length; the last one may be shorter.
    pub(crate) fn sections(&mut self, length: usize) -> Vec<Section<'_>> {
        let is_scratch = self.is_scratch();
        let states: *mut u16 = self.memory.as_mut_ptr().cast();
        let memory = &self.memory;
        let firsts = (0..self.count).step_by(length);
        let sections = firsts.map(|first| Section {
            // SAFETY: as in `codes`. Sections do not overlap, and as long as they live `self` is
            // borrowed; `memory` is only asked to advise the system, not looked at.
            states: unsafe {
                std::slice::from_raw_parts_mut(states.add(first), length.min(self.count - first))
            },
            first,
            memory,
            is_scratch,
        });
        sections.collect()
    }
}

impl Section<'_> {
    /// Lets go of the memory that repeats what is in the scratch file, if it is one.
    pub(crate) fn let_go(self) {
        if self.is_scratch {
            let_go(self.memory, self.first, self.states.len());
        }
    }
}

/// Unmaps some nodes of a scratch file until they are looked at again.
fn let_go(file: &MmapMut, first: usize, count: usize) {
    #[cfg(unix)]
    {
        use memmap2::UncheckedAdvice;
        // SAFETY: the mapping is a shared one of a file, so that all that was written is in the
        // file's pages, and comes back from there. A refusal costs memory only.
        let _ =
            unsafe { file.unchecked_advise_range(UncheckedAdvice::DontNeed, 2 * first, 2 * count) };
    }
    #[cfg(not(unix))]
    let _ = (file, first, count);
}

/// Nodes for threads that write them at the same time.
pub(crate) fn shared(states: &mut [u16]) -> &[AtomicU16] {
    // SAFETY: AtomicU16 has the size and alignment of u16, and the exclusive borrow keeps every
    // non-atomic view away as long as this one is used.
    unsafe { std::slice::from_raw_parts(states.as_mut_ptr().cast(), states.len()) }
}
