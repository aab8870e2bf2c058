//! What a visit leaves pending is finished during the next visit if memory allows, otherwise before it,
//! and always before the run ends.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use endmill_solver::{
    Budget, Form, Memory, PendingSave, Plan, PlannedGroup, Resident, Schedule, SolveError, Source,
    Visitor, Way,
};

/// What happened, in order.
type Log = Mutex<Vec<String>>;

/// Bytes of the nodes of every group.
const NODES: u64 = 1000;

/// A chain of groups of one table each, every one of which leads to the one before.
fn chain(groups: u8) -> Plan<u8> {
    let groups = (0..groups).map(|table| {
        let depends_on: Vec<u8> = table.checked_sub(1).into_iter().collect();
        let memory = Memory {
            all: NODES * (1 + depends_on.len() as u64),
            outside: NODES * depends_on.len() as u64,
        };
        PlannedGroup {
            tables: vec![(table, NODES / 2)],
            depends_on,
            sweeps: false,
            placing: false,
            memory,
            memory_with_plies: memory,
        }
    });
    Plan {
        groups: groups.collect(),
    }
}

struct Chain<'a> {
    log: &'a Log,
    budget: &'a Budget,
    /// Signals to the pending group before that the visit has begun.
    begun: Option<Sender<()>>,
    /// The group that fails to be finished.
    fails: Option<u8>,
}

struct Left<'a> {
    table: u8,
    log: &'a Log,
    next_has_begun: Receiver<()>,
    fails: bool,
}

impl PendingSave<u8> for Left<'_> {
    fn tables(&self) -> Vec<u8> {
        vec![self.table]
    }

    fn memory(&self, _: &Resident<u8>) -> u64 {
        NODES / 2
    }

    fn finish(self) -> Result<(), SolveError> {
        self.end("alone")
    }

    fn finish_beside(self) -> Result<(), SolveError> {
        // Two threads: the next group is visited at the same time.
        let waited = self.next_has_begun.recv_timeout(Duration::from_secs(600));
        waited.expect("the next visit does not wait for this");
        self.end("beside")
    }
}

impl Left<'_> {
    fn end(self, how: &str) -> Result<(), SolveError> {
        (self.log.lock().unwrap()).push(format!("finish {} {how}", self.table));
        match self.fails {
            true => Err(SolveError::TooDeep),
            false => Ok(()),
        }
    }
}

impl<'a> Visitor<u8> for Chain<'a> {
    type Pending = Left<'a>;

    fn needs(&self, _: &PlannedGroup<u8>) -> Form {
        Form::Nodes
    }

    fn memory(&self, group: &PlannedGroup<u8>) -> Memory {
        group.memory
    }

    fn source(&self, table: u8, _: Form) -> Source<u8> {
        panic!("{table} is resident: it cannot be fetched before it is finished")
    }

    fn fetch(
        &mut self,
        table: u8,
        _: Form,
        _: Way,
        _: &mut Resident<u8>,
    ) -> Result<(), SolveError> {
        panic!("{table} is resident")
    }

    fn visit(
        &mut self,
        group: &PlannedGroup<u8>,
        resident: &mut Resident<u8>,
    ) -> Result<Option<Left<'a>>, SolveError> {
        let (table, size) = group.tables[0];
        if let Some(begun) = self.begun.take() {
            // It is not received if the pending group was finished before.
            let _ = begun.send(());
        }
        self.log.lock().unwrap().push(format!("visit {table}"));
        resident.put(table, self.budget.nodes(size as usize)?);
        let (begun, next_has_begun) = channel();
        self.begun = Some(begun);
        Ok(Some(Left {
            table,
            log: self.log,
            next_has_begun,
            fails: self.fails == Some(table),
        }))
    }
}

/// Runs a chain of three groups; gives what happened, sorted, and how it ended.
fn run(threads: usize, memory: u64, fails: Option<u8>) -> (Vec<String>, Result<(), SolveError>) {
    let directory = tempfile::tempdir().unwrap();
    let (plan, log) = (chain(3), Log::default());
    let budget = Budget::new(memory, directory.path().into());
    let mut visitor = Chain {
        log: &log,
        budget: &budget,
        begun: None,
        fails,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().unwrap();
    let end = pool.install(|| Schedule::new(&plan, &budget).run(&mut visitor, &()));
    (log.into_inner().unwrap(), end.map(drop))
}

#[test]
fn a_group_is_finished_during_the_next_visit() {
    let (mut log, end) = run(2, 10 * NODES, None);
    end.unwrap();
    log.sort();
    let finished = ["finish 0 beside", "finish 1 beside", "finish 2 alone"];
    assert_eq!(
        log,
        [&finished[..], &["visit 0", "visit 1", "visit 2"]].concat()
    );
}

#[test]
fn with_too_little_memory_or_one_thread_it_is_finished_before() {
    let in_turn = [
        "visit 0",
        "finish 0 alone",
        "visit 1",
        "finish 1 alone",
        "visit 2",
        "finish 2 alone",
    ];
    for (threads, memory) in [(1, 10 * NODES), (2, 2 * NODES)] {
        let (log, end) = run(threads, memory, None);
        end.unwrap();
        assert_eq!(log, in_turn, "{threads} threads, {memory} bytes");
    }
}

#[test]
fn a_group_that_fails_to_be_finished_ends_the_run() {
    for (threads, memory) in [(1, 10 * NODES), (2, 10 * NODES)] {
        let (log, end) = run(threads, memory, Some(0));
        assert!(matches!(end, Err(SolveError::TooDeep)), "{end:?}");
        assert!(!log.iter().any(|line| line == "visit 2"), "{log:?}");
    }
}
