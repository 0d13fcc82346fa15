//! The command as the tests run it.
#![allow(dead_code)] // every test binary uses its own part

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

use retile::target::Tier;

pub(crate) fn retile(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_retile"));
    command.args(args);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    // Where the system has one, tests that mean it ask for it.
    command.env("RETILE_ONEDNN", "none");
    command
}

/// The names of all targets, as messages list them.
pub(crate) fn targets() -> String {
    let names: Vec<&str> = retile::target::TARGETS.iter().map(|target| target.name).collect();
    names.join(", ")
}

#[track_caller]
pub(crate) fn fails(args: &[&str], status: i32, message: &str) {
    assert_eq!(error(args, status), format!("retile: {message}"), "{args:?}");
}

/// The first line of what is said where the command fails.
#[track_caller]
pub(crate) fn error(args: &[&str], status: i32) -> String {
    let output = retile(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?}");
    // Tiers that this machine has not are named before.
    let absent = Tier::ALL.map(|tier| format!("skipped {tier}: "));
    let absent = |line: &&str| absent.iter().any(|start| line.starts_with(start));
    said.lines().find(|line| !absent(line)).unwrap_or("").to_owned()
}

pub(crate) fn stdout(args: &[&str]) -> String {
    let output = retile(args);
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the command on a batch, and returns its exit code and what it printed.
pub(crate) fn batch(args: &[&str], lines: impl AsRef<[u8]>) -> (Option<i32>, String, String) {
    let child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    // Who refuses at once may be gone before anything is written.
    let written = child.stdin.take().unwrap().write_all(lines.as_ref());
    assert!(written.is_ok() || written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}
