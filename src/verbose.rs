//! Seeing what is made and run. In: what the environment asks for, and kernels as they are made and run. Out: lines on
//! standard error, files with machine code, and names for `perf`.
//!
//! | variable | value | what happens |
//! |---|---|---|
//! | `RETILE_VERBOSE` | `1` | a line on standard error for each kernel that is made |
//! | | `2` | for each run of it too |
//! | `RETILE_JIT_DUMP` | a directory | the machine code of each kernel goes there, and its listing |
//! | `RETILE_PERF` | `map` | `perf report` knows kernels by name: they go to `/tmp/perf-PID.map` |
//! | `RETILE_MAX_ISA` | a tier | no more than its instructions are used |
//!
//! Lines have fields with tabs between them:
//!
//! ```text
//! retile  make  TIER  SOURCE  DESTINATION  ATTRIBUTES  CODE BYTES  MICROSECONDS  [WHY PORTABLE]
//! retile  run   TIER  SOURCE  DESTINATION  ATTRIBUTES  TASK/TASKS  MICROSECONDS
//! ```
//!
//! The variables are read once, when the first kernel is made; `RETILE_MAX_ISA` when this CPU is first asked for.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::{Code, Kernel};

/// What is asked for.
#[derive(Debug, Default)]
struct Wishes {
    level: u8,
    dump: Option<PathBuf>,
    map: bool,
}

fn wishes() -> &'static Wishes {
    static WISHES: OnceLock<Wishes> = OnceLock::new();
    WISHES.get_or_init(|| {
        let (wishes, faults) = Wishes::read(|name| std::env::var_os(name));
        faults.iter().for_each(|fault| say(fault));
        wishes
    })
}

impl Wishes {
    /// What variables say, and what is wrong with them.
    fn read(variable: impl Fn(&str) -> Option<OsString>) -> (Wishes, Vec<String>) {
        let mut faults = Vec::new();
        let mut of = |name: &str, known: &[&str]| {
            let value = variable(name).filter(|value| !value.is_empty())?;
            let found = known.iter().position(|known| value == **known);
            if found.is_none() {
                let (value, known) = (value.display(), known.join(" or "));
                faults.push(format!("retile\tignored\t{name}={value}\texpected {known}"));
            }
            found
        };
        let level = of("RETILE_VERBOSE", &["0", "1", "2"]).unwrap_or(0) as u8;
        let map = of("RETILE_PERF", &["map"]).is_some();
        let dump = variable("RETILE_JIT_DUMP").filter(|value| !value.is_empty()).map(PathBuf::from);
        (Wishes { level, dump, map }, faults)
    }
}

/// When something starts, if somebody wants to know how long it takes.
pub(crate) fn start() -> Option<Instant> {
    (wishes().level > 0).then(Instant::now)
}

/// Whether kernels made now tell of each run.
pub(crate) fn tells_runs() -> bool {
    wishes().level > 1
}

/// A kernel was made; `new` where nobody else has its code yet.
pub(crate) fn made(kernel: &Kernel, start: Option<Instant>, new: bool) {
    let wishes = wishes();
    if let Some(start) = start {
        let bytes = kernel.mapped().map_or(0, |(_, bytes)| bytes);
        let why = kernel.why_portable().map(|why| format!("\t{why}")).unwrap_or_default();
        say(&format!("retile\tmake\t{}\t{bytes}\t{:.1}{why}", fields(kernel), micros(start)));
    }
    let Some((address, bytes)) = kernel.mapped().filter(|_| new) else { return };
    if wishes.map {
        let line = format!("{address:x} {bytes:x} retile::{}\n", name(kernel));
        let path = PathBuf::from(format!("/tmp/perf-{}.map", std::process::id()));
        let file = map_options().open(&path);
        told(&path, file.and_then(|mut file| file.write_all(line.as_bytes())));
    }
    if let Some(directory) = &wishes.dump
        && let Some(code) = kernel.code()
    {
        dump(directory, kernel, code);
    }
}

/// `perf` demands a name that anybody can foresee: where it is a link of somebody's, nothing is written to where that
/// leads.
fn map_options() -> std::fs::OpenOptions {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    {
        use std::os::unix::fs::OpenOptionsExt;
        /// Linux's on x86-64, where kernels have code to be named.
        const O_NOFOLLOW: i32 = 0o400_000;
        options.custom_flags(O_NOFOLLOW);
    }
    options
}

/// A task was run.
pub(crate) fn ran(kernel: &Kernel, task: usize, count: usize, start: Instant) {
    say(&format!("retile\trun\t{}\t{}/{count}\t{:.1}", fields(kernel), task + 1, micros(start)));
}

fn fields(kernel: &Kernel) -> String {
    format!("{}\t{}\t{}\t{}", kernel.tier(), kernel.src(), kernel.dst(), kernel.attr())
}

fn micros(start: Instant) -> f64 {
    start.elapsed().as_nanos() as f64 / 1000.0
}

/// A line, whole, though others write theirs.
fn say(line: &str) {
    // Nobody is there to be told that standard error is closed.
    let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

fn told(path: &Path, result: std::io::Result<()>) {
    if let Err(error) = result {
        say(&format!("retile\tfailed\t{}\t{error}", path.display()));
    }
}

/// What a kernel is called in files and by `perf`.
fn name(kernel: &Kernel) -> String {
    let attr = kernel.attr().to_string();
    let text = format!("{} to {} {attr}", kernel.src(), kernel.dst());
    let mut name = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_alphanumeric() {
            true => name.push(c),
            false if name.ends_with('_') => {}
            false => name.push('_'),
        }
    }
    name.trim_end_matches('_').chars().take(150).collect()
}

/// The bytes of a kernel, and what they mean.
fn dump(directory: &Path, kernel: &Kernel, code: &Code) {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("retile-{}-{number}-{}", std::process::id(), name(kernel));
    let made = std::fs::create_dir_all(directory);
    if made.is_err() {
        // Nor can a file be written there.
        return told(directory, made);
    }
    let path = directory.join(format!("{name}.bin"));
    told(&path, std::fs::write(&path, code.bytes()));
    let path = directory.join(format!("{name}.txt"));
    told(&path, std::fs::write(&path, listing(code)));
}

#[cfg(feature = "listing")]
fn listing(code: &Code) -> String {
    format!("{}\n{}", code.plan(), code.listing())
}

/// Without the disassembler that feature `listing` brings.
#[cfg(not(feature = "listing"))]
fn listing(code: &Code) -> String {
    let how = "objdump -D -b binary -m i386:x86-64 -M intel";
    format!("{}\nBuilt without feature `listing`; {how} shows the instructions.\n", code.plan())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attr, Layout};

    fn read(variables: &[(&str, &str)]) -> (Wishes, Vec<String>) {
        let of = |name: &str| variables.iter().find(|(own, _)| *own == name);
        Wishes::read(|name| of(name).map(|(_, value)| OsString::from(value)))
    }

    #[test]
    fn variables_say_what_is_wanted() {
        let (wishes, faults) =
            read(&[("RETILE_VERBOSE", "2"), ("RETILE_PERF", "map"), ("RETILE_JIT_DUMP", "here")]);
        assert_eq!((wishes.level, wishes.map, faults.len()), (2, true, 0));
        assert_eq!(wishes.dump.as_deref(), Some(Path::new("here")));
        let (wishes, faults) = read(&[("RETILE_VERBOSE", ""), ("RETILE_JIT_DUMP", "")]);
        assert_eq!((wishes.level, wishes.map, wishes.dump, faults.len()), (0, false, None, 0));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        let (wishes, faults) = read(&[("RETILE_VERBOSE", "loud"), ("RETILE_PERF", "jit")]);
        assert_eq!((wishes.level, wishes.map), (0, false));
        let all = faults.join("\n");
        let said = "retile\tignored\tRETILE_VERBOSE=loud\texpected 0 or 1 or 2\n\
                    retile\tignored\tRETILE_PERF=jit\texpected map";
        assert_eq!(all, said);
    }

    #[test]
    fn names_are_of_letters_and_digits() {
        let src: Layout = "f32:nchw:1x3x2x2".parse().unwrap();
        let dst = src.destination("s8:nChw16c:upper=0,0,1,1").unwrap();
        let kernel = Kernel::new(&src, &dst, &Attr::new().dst_scale(2)).unwrap();
        let name = name(&kernel);
        let known = "f32_abcd_1x3x2x2_to_s8_aBcd16b_1x3x2x2_upper_0_0_1_1_dst_scale_mask_2";
        assert_eq!(name, known);
    }
}
