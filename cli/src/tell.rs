//! What is said beside the output. In: a line. Out: the line on standard error; nothing
//! where that cannot be written, which is no reason to stop.

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

/// An output whose reader may leave: what is written from then on is lost, and no reason to stop.
pub(crate) struct Unheard<'a> {
    out: &'a mut dyn Write,
    left: bool,
}

impl<'a> Unheard<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Unheard<'a> {
        Unheard { out, left: false }
    }

    /// What a write came to; `lost` where nobody is there.
    fn heard<T>(&mut self, done: io::Result<T>, lost: T) -> io::Result<T> {
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.left = true;
                Ok(lost)
            }
            done => done,
        }
    }
}

impl Write for Unheard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left {
            return Ok(bytes.len());
        }
        let done = self.out.write(bytes);
        self.heard(done, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.left {
            return Ok(());
        }
        let done = self.out.flush();
        self.heard(done, ())
    }
}
