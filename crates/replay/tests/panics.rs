//! Recordings of an optimiser that does not come back.

use expect_test::expect;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_backend::{Backend, BackendError, Oracle};
use verdigris_jitcode::{Unit, parse};
use verdigris_ops::{ClassId, DataOp, FnId};
use verdigris_opt::{Host, Optimiser, Passes};
use verdigris_replay::{
    JobName, Recorder, Recording, RecordingHost, RecordingSettings, ReplaySettings, replay,
};
use verdigris_specialise::{OptRequest, SpecialiserHistory};
use verdigris_trace::{Descr, RecordedTrace, parse as parse_trace};

/// A program whose memory cannot be read.
struct Broken;

impl Host for Broken {
    fn load(&mut self, _: DataOp, _: &[u64], _: Descr) -> u64 {
        panic!("the memory is broken")
    }

    fn call(&mut self, _: FnId, _: &[u64]) -> Option<Vec<u64>> {
        None
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        Some(ClassId::from_u32(0))
    }
}

fn unit() -> Unit {
    let text = "class A { x: int }\ncode run(i0 r1) -> int {\nmerge_point (i0) (r1)\nreturn i0\n}\nportal run @0\n";
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_piece_is_there_when_the_optimiser_panics() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("recording");
    let unit = unit();
    let setting = RecordingSettings {
        unit: &unit,
        parameters: "on",
        passes: "all",
        backend: "oracle",
        fails_guards: false,
    };
    let recorder = Recorder::create(&file, &setting).expect("a file");
    let text = "[p0]\ni1 = getfield_i(ref(0)) A.x\nfinish(i1)";
    let trace: RecordedTrace = parse_trace(&unit.descrs, text).expect("a trace");
    let mut optimiser = Optimiser::new(Passes::all());
    let request = OptRequest::Loop {
        trace: &trace,
        arrival: None,
    };
    let job = JobName {
        number: 0,
        title: "trace 0: a loop",
        labels: optimiser.next_label(),
    };
    recorder.request(&unit.descrs, &Broken, job, &request);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let mut host = RecordingHost {
            inner: &mut Broken,
            recorder: &recorder,
            descrs: &unit.descrs,
        };
        let history = &mut SpecialiserHistory::default();
        request.perform(&unit, history, &mut optimiser, &mut host)
    }));
    assert!(panicked.is_err());
    // The recorder is still there: nothing waits to be written.
    let recording = Recording::read(&file).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(recording.len(), 1);
    let oracle = || -> Result<Box<dyn Backend>, BackendError> { Ok(Box::new(Oracle::new())) };
    let settings = ReplaySettings {
        passes: None,
        repeat: 0,
    };
    let report = replay(&recording, &oracle, &settings).expect("passes");
    assert!(!report.is_same());
    let report = report.to_string();
    let below: Vec<&str> = report
        .lines()
        .filter(|line| line.starts_with(' '))
        .map(str::trim_start)
        .collect();
    expect![[r#"
        when it was recorded: the optimiser did not come back
        trace: the recording does not say what it asks: load getfield_i 0x10 of A.x
    "#]]
    .assert_eq(&(below.join("\n") + "\n"));
}
