//! What is said beside the output. In: a line. Out: the line on standard error; nothing where that cannot be written,
//! which is no reason to stop.

use std::fmt;
use std::io::{self, Write};

/// [`eprintln`], but that nobody has to listen.
macro_rules! tell {
    ($($line:tt)*) => {
        $crate::tell::line(format_args!($($line)*))
    };
}
pub(crate) use tell;

/// What a terminal would take as a command, in texts that came from elsewhere, is shown and not done.
pub(crate) fn line(line: fmt::Arguments<'_>) {
    let mut text = String::new();
    for c in line.to_string().chars() {
        match c {
            '\n' | '\t' => text.push(c),
            c if c.is_control() => text.extend(c.escape_default()),
            c => text.push(c),
        }
    }
    let _ = writeln!(io::stderr(), "{text}");
}
