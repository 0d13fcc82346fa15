//! Where the system refuses executable memory, and where `RETILE_MAX_ISA` caps the tier, kernels are still
//! made, say why they are what they are, and are right. Each is tried in a process of its own: what is
//! forbidden a process stays forbidden.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(unsafe_code)] // the system is asked to forbid

use std::io::Write;
use std::process::{Command, Output};

use retile::{
    Attr, ErrorKind, Isa, Kernel, Layout, Options, Reorder, Tier, Values, cache, reference,
};

/// Says to this very test, run again, what it is to be a child for.
const CHILD: &str = "RETILE_TEST_CHILD";
const CAP: &str = "RETILE_MAX_ISA";

/// Moves, with padding and without, and one that has arithmetic.
const CASES: [(&str, &str); 4] = [
    ("f32:nchw:1x17x9x7", "nChw16c"),
    ("u8:ab:33x65", "ba"),
    ("bf16:nchw:2x5x6x7", "nhwc:lower=0,0,1,1:fill=2"),
    ("f32:nchw:1x17x9x7", "s8:nhwc"),
];

/// Runs one test of this binary again as a child.
fn child(test: &str, role: &str, cap: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]);
    command.env_remove(CAP).env(CHILD, role).env("RETILE_VERBOSE", "1");
    if let Some(cap) = cap {
        command.env(CAP, cap);
    }
    command.output().unwrap()
}

fn role() -> Option<String> {
    std::env::var(CHILD).ok()
}

/// Past libtest, which keeps what passing tests print.
fn skip(what: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED refusal: {what}");
}

/// Runs a case and holds it against the reference.
fn right(kernel: &Kernel) {
    let (src, dst, attr) = (kernel.src(), kernel.dst(), kernel.attr());
    let sizes = kernel.sizes();
    let source: Vec<u64> =
        (1..).map(|i: u64| i.wrapping_mul(0x0101_3101_0151_0101)).take(sizes.src / 8 + 1).collect();
    let source = &bytemuck::cast_slice::<u64, u8>(&source)[..sizes.src];
    let before = vec![0x5au8; sizes.dst];
    let mut expected = before.clone();
    let none = Values::default();
    reference::reorder(src, source, dst, &mut expected, attr, &none).unwrap();
    let mut found = vec![0x5a5a_5a5a_5a5a_5a5au64; sizes.dst / 8 + 1];
    let found = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut found)[..sizes.dst];
    Reorder::new(src, dst).unwrap().run_bytes(source, found, &none).unwrap();
    assert_eq!(found, expected, "{src} {dst}");
    let tasks = 3;
    found.fill(0x5a);
    for task in (0..tasks).rev() {
        // SAFETY: both are as long as the sizes say, aligned to 8 bytes, and apart.
        unsafe { kernel.run_task(task, tasks, source.as_ptr(), found.as_mut_ptr(), &none) };
    }
    assert_eq!(found, expected, "{src} {dst} in {tasks} tasks");
}

fn kernels(options: Options) -> Vec<Kernel> {
    let kernel = |(src, dst): (&str, &str)| {
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        Kernel::with_options(&src, &dst, &Attr::new(), &options).unwrap()
    };
    CASES.into_iter().map(kernel).collect()
}

/// The child's part: all is portable, says that memory was refused, and is kept, as it would be no better another time.
fn all_is_refused() {
    let best = Isa::detect().unwrap().target();
    for options in
        [Options::new(), Options::new().max_tier(Tier::Avx2), Options::new().target(best)]
    {
        for kernel in kernels(options) {
            let (src, dst) = (kernel.src(), kernel.dst());
            assert_eq!(kernel.tier(), Tier::Portable, "{src} {dst}");
            assert!(kernel.code().is_none(), "{src} {dst}");
            let why = kernel.why_portable().unwrap_or("nothing");
            let refused = why.starts_with("executable memory was refused: ");
            assert!(refused, "{src} {dst} is portable because of {why}");
            right(&kernel);
        }
    }
    assert_eq!(cache::stats().entries, CASES.len());
}

/// Starts `test` again as the child that forbids itself executable memory and looks at what comes of it, by `work`,
/// which says why it could not.
#[track_caller]
fn refused(test: &str, work: fn() -> Result<(), String>) {
    if role().is_some_and(|role| role == test) {
        assert!(kernels(Options::new())[0].code().is_some(), "there is no code to begin with");
        if let Err(why) = work() {
            return skip(&why);
        }
        return println!("all was refused");
    }
    if Isa::of_this_cpu().tier() == Tier::Portable {
        return skip("this CPU has no tier whose code could be refused memory");
    }
    let output = child(test, test, None);
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{}:\n{out}{err}", output.status);
    match err.lines().find(|line| line.starts_with("SKIPPED")) {
        Some(line) => drop(writeln!(std::io::stderr(), "{line}")),
        None => {
            assert!(out.contains("all was refused"), "the child did nothing:\n{out}{err}");
            let told = |line: &str| {
                line.starts_with("retile\tmake\tportable\t")
                    && line.contains("\texecutable memory was refused: ")
            };
            assert!(err.lines().any(told), "no line says so:\n{err}");
        }
    }
}

#[test]
fn memory_deny_write_execute() {
    const PR_SET_MDWE: libc::c_int = 65;
    const REFUSE_EXEC_GAIN: libc::c_ulong = 1;
    refused("memory_deny_write_execute", || {
        let zero: libc::c_ulong = 0;
        // SAFETY: takes numbers, and forbids.
        let result = unsafe { libc::prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, zero, zero, zero) };
        let error = std::io::Error::last_os_error();
        (result == 0).then_some(()).ok_or(format!("prctl(PR_SET_MDWE): {error}"))?;
        all_is_refused();
        Ok(())
    });
}

#[test]
fn seccomp_filter() {
    refused("seccomp_filter", || {
        filter(libc::EACCES)?;
        all_is_refused();
        Ok(())
    });
}

/// A kernel for which there was no memory is portable, and the next one for the same need not be.
#[test]
fn memory_that_is_there_later() {
    refused("memory_that_is_there_later", || {
        let ask = || {
            let src: Layout = CASES[0].0.parse().unwrap();
            let reorder = Reorder::new(&src, &src.destination(CASES[0].1).unwrap()).unwrap();
            right(&reorder);
            reorder
        };
        std::thread::scope(|threads| {
            // A thread that the filter is not for, as it was there before.
            let (when, other) = std::sync::mpsc::channel();
            let other = threads.spawn(move || other.recv().map(|()| ask().code().is_some()));
            filter(libc::ENOMEM)?;
            for _ in 0..2 {
                let reorder = ask();
                let why = reorder.why_portable().unwrap_or("nothing");
                assert!(why.contains("refused: the system refused "), "portable because of {why}");
                assert_eq!(cache::stats().entries, 0);
            }
            when.send(()).unwrap();
            assert_eq!(other.join().unwrap(), Ok(true));
            assert_eq!(cache::stats().entries, 1);
            assert!(ask().code().is_some(), "it was kept");
            Ok(())
        })
    });
}

/// A filter as sandboxes have them, for this thread: whatever asks for PROT_EXEC is told `error`.
fn filter(error: libc::c_int) -> Result<(), String> {
    const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    const HAS: u32 = libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K;
    const GIVE: u32 = libc::BPF_RET | libc::BPF_K;
    // Of seccomp_data: the call's number, and the low half of its third argument.
    const NUMBER: u32 = 0;
    const PROTECTION: u32 = 16 + 2 * 8;
    let op = |code: u32, k: u32, jt: u8, jf: u8| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut program = [
        op(LOAD, NUMBER, 0, 0),
        op(EQUAL, libc::SYS_mmap as u32, 2, 0),
        op(EQUAL, libc::SYS_mprotect as u32, 1, 0),
        op(EQUAL, libc::SYS_pkey_mprotect as u32, 0, 3),
        op(LOAD, PROTECTION, 0, 0),
        op(HAS, libc::PROT_EXEC as u32, 0, 1),
        op(GIVE, libc::SECCOMP_RET_ERRNO | error as u32, 0, 0),
        op(GIVE, libc::SECCOMP_RET_ALLOW, 0, 0),
    ];
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    let (zero, one): (libc::c_ulong, libc::c_ulong) = (0, 1);
    // SAFETY: numbers, and a program that is read before the call returns. It holds for this thread, which
    // makes the kernels.
    let result = unsafe {
        match libc::prctl(libc::PR_SET_NO_NEW_PRIVS, one, zero, zero, zero) {
            0 => libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program),
            failed => failed,
        }
    };
    let error = std::io::Error::last_os_error();
    (result == 0).then_some(()).ok_or(format!("prctl(PR_SET_SECCOMP): {error}"))
}

#[test]
fn the_environment_caps_the_tier() {
    const TEST: &str = "the_environment_caps_the_tier";
    if role().is_some_and(|role| role == TEST) {
        let cap = match std::env::var(CAP).unwrap().as_str() {
            "" => Tier::ALL.into_iter().max().unwrap(),
            named => named.parse().unwrap(),
        };
        let isa = Isa::detect().unwrap();
        assert_eq!(isa.tier(), cap.min(Isa::of_this_cpu().tier()));
        for kernel in kernels(Options::new()) {
            let (src, dst) = (kernel.src(), kernel.dst());
            assert_eq!(kernel.tier(), isa.tier(), "{src} {dst}, {:?}", kernel.why_portable());
            // Nothing is amiss where no more was asked for.
            assert_eq!(kernel.why_portable(), None, "{src} {dst}");
            right(&kernel);
        }
        // Nor can a target be had that is beyond the cap.
        let target = "spr".parse().unwrap();
        let src: Layout = CASES[0].0.parse().unwrap();
        let dst = src.destination(CASES[0].1).unwrap();
        let made = Kernel::with_options(&src, &dst, &Attr::new(), &Options::new().target(target));
        match isa.runs_target(&target) {
            true => assert_eq!(made.unwrap().tier(), target.tier),
            false => {
                let error = made.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                assert!(error.to_string().contains("target spr needs avx512vbmi"), "{error}");
            }
        }
        return println!("capped at {cap}");
    }
    // An empty one is none, which is the same as the most there is.
    let most = Tier::ALL.into_iter().max().unwrap();
    for (named, tier) in Tier::ALL.map(|tier| (tier.name(), tier)).into_iter().chain([("", most)]) {
        let output = child(TEST, TEST, Some(named));
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{tier}: {}:\n{out}{err}", output.status);
        assert!(out.contains(&format!("capped at {tier}")), "the child did nothing:\n{out}{err}");
    }
}

#[test]
fn what_is_no_tier_is_named() {
    const TEST: &str = "what_is_no_tier_is_named";
    if role().is_some_and(|role| role == TEST) {
        let named = format!("{CAP}={}", std::env::var_os(CAP).unwrap().display());
        let src: Layout = CASES[0].0.parse().unwrap();
        let dst = src.destination(CASES[0].1).unwrap();
        let errors = [
            Isa::detect().unwrap_err(),
            Kernel::new(&src, &dst, &Attr::new()).unwrap_err(),
            Reorder::new(&src, &dst).map(|_| ()).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains(&named), "{error}, which does not name {named}");
            assert!(
                error.to_string().contains("avx512vbmi"),
                "{error}, which does not name the tiers"
            );
        }
        return println!("it was named");
    }
    for cap in ["nonsense", "AVX2", "avx2 "] {
        let output = child(TEST, TEST, Some(cap));
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success(), "{cap:?}: {}:\n{out}{err}", output.status);
        assert!(out.contains("it was named"), "the child did nothing:\n{out}{err}");
    }
}
