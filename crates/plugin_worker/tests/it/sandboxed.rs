//! What the kernel takes from the worker, and what a small plugin allocates.

use std::fs::File;

use plugin::Hook;
use plugin::wire::{FromWorker, ToWorker};
use rustix::io::{FdFlags, fcntl_setfd};

use crate::worker::{MEMORY, Worker, start};

#[test]
fn nothing_of_the_machine_can_be_reached() {
    let mut worker = Worker::spawn();
    worker.send(&ToWorker::Start(Box::new(start(""))));
    let Some(FromWorker::Ready { sandbox, .. }) = worker.receive() else {
        panic!();
    };
    assert!(sandbox.no_new_privileges, "{sandbox:?}");
    assert!(sandbox.limits, "{sandbox:?}");
    // A container may forbid either of these. What they promise is seen by trying.
    if sandbox.seccomp {
        assert!(sandbox.is_tight(), "{sandbox:?}");
    } else {
        println!("this kernel refuses the filter of system calls: {sandbox:?}");
    }
    if sandbox.landlock {
        assert!(sandbox.no_files, "{sandbox:?}");
    } else {
        println!("this kernel has no landlock: {sandbox:?}");
    }
}

/// What the service itself was started with cannot be used by workers.
#[test]
fn no_file_is_inherited() {
    let file = File::open("/dev/null").unwrap();
    fcntl_setfd(&file, FdFlags::empty()).unwrap();
    let mut worker = Worker::spawn();
    worker.send(&ToWorker::Start(Box::new(start(""))));
    let Some(FromWorker::Ready { sandbox, .. }) = worker.receive() else {
        panic!();
    };
    assert_eq!(sandbox.inherited == 0, sandbox.seccomp, "{sandbox:?}");
    drop(file);
}

#[test]
fn a_small_plugin_takes_little_memory_and_gives_it_back() {
    let mut worker = Worker::with(
        "padsvc.on('message', async a => {
           const words = 'a b c d e f '.repeat(100).split(' ').map(word => ({ word }));
           const ring = {}; ring.ring = ring;
           await null;
           return words.length;
         })",
    );
    let mut memory = Vec::new();
    for _ in 0..2_000 {
        memory.push(worker.call(Hook::Message).unwrap().memory);
    }
    let most = memory.iter().max().unwrap();
    assert!(*most < MEMORY / 8, "{most} bytes");
    let (early, late) = (memory[100], memory[1_999]);
    assert!(late < early + 512 * 1024, "it grows: {early}, {late}");
}
