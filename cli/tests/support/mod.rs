//! The command as the tests run it.
#![allow(dead_code)] // every test binary uses its own part

use std::process::{Command, Output};

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
    let output = retile(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
    assert!(output.stdout.is_empty(), "{args:?}");
    // What this machine has not is said before.
    let first = said.lines().find(|line| !line.starts_with("skipped ")).unwrap_or("");
    assert_eq!(first, format!("retile: {message}"), "{args:?}");
}

pub(crate) fn stdout(args: &[&str]) -> String {
    let output = retile(args);
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}
