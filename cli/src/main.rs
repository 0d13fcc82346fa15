//! The `retile` command.
//!
//! Arguments become plain data, that becomes a layout, and that becomes a report or a picture. Wrong
//! texts and wrong arguments exit with 2, everything else that fails with 1.

mod args;
mod axis;
mod grid;
mod layout;
mod memory;
mod paint;
mod show;

use std::io::{self, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::Parser;
use clap::error::ErrorKind as ArgsFault;
use retile::{Attr, ErrorKind, GivenValues, Layout, Problem, Target};

use args::{Args, Color, Coords, LayoutArgs, PlanArgs, ShowArgs, Verb};
use layout::{Place, Report};
use memory::Entangled;
use paint::Drawing;
use show::Picture;

/// Why the command fails.
enum Failure {
    Layout(retile::Error),
    Values { name: &'static str, given: usize, needed: usize },
    Entangled,
    Output(io::Error),
}

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refuse(&error),
    };
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(failure) => {
            // Nothing is left to be said where standard error is gone too.
            let _ = writeln!(io::stderr(), "retile: {failure}");
            ExitCode::from(failure.status())
        }
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let choice = match args.color {
        Color::Auto => anstream::stdout().current_choice(),
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let text = match &args.verb {
        Verb::Layout(args) => say(args)?,
        Verb::Show(args) => draw(args, choice != ColorChoice::Never)?,
        Verb::Plan(args) => plan(args)?,
    };
    let text = match choice {
        ColorChoice::Never => plain(&text),
        _ => text,
    };
    let mut out = AutoStream::new(io::stdout().lock(), choice);
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Without colours, and without the spaces that only these make visible.
fn plain(text: &str) -> String {
    let text = anstream::adapter::strip_str(text).to_string();
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

/// `retile layout`.
fn say(args: &LayoutArgs) -> Result<String, Failure> {
    let layout: Layout = args.text.parse()?;
    let report = Report::of(&layout, place(&layout, &args.at)?);
    if args.json {
        let json = serde_json::to_string(&report).map_err(io::Error::from)?;
        return Ok(json + "\n");
    }
    Ok(report.to_string())
}

/// `retile plan`.
fn plan(args: &PlanArgs) -> Result<String, Failure> {
    let src: Layout = args.src.parse()?;
    let dst = src.destination(&args.dst)?;
    let target: Target = args.target.parse()?;
    let words = args.attr.words();
    let (attr, values) = Attr::from_words(words.iter().map(String::as_str))?;
    check_counts(&attr, &values, &src)?;
    let (problem, _) = Problem::new(&src, &dst, &attr)?;
    let plan = retile::plan::plan_with(&problem, &target, args.locality.into());
    Ok(if args.listing { plan.listing() } else { plan.to_string() })
}

/// Values may be left out, since a plan is the same for all; those given must be as many as asked for.
fn check_counts(attr: &Attr, values: &GivenValues, src: &Layout) -> Result<(), Failure> {
    let given = [
        ("--src-scale", values.src_scale.as_ref().map(Vec::len)),
        ("--dst-scale", values.dst_scale.as_ref().map(Vec::len)),
        ("--src-zp", values.src_zero_point.as_ref().map(Vec::len)),
        ("--dst-zp", values.dst_zero_point.as_ref().map(Vec::len)),
    ];
    for ((name, given), needed) in given.into_iter().zip(attr.value_counts(src.dims())) {
        if let Some(given) = given.filter(|given| *given != needed) {
            return Err(Failure::Values { name, given, needed });
        }
    }
    Ok(())
}

/// `retile show`.
fn draw(args: &ShowArgs, coloured: bool) -> Result<String, Failure> {
    let layout: Layout = args.text.parse()?;
    let place = place(&layout, &args.at)?;
    let terminal = || terminal_size::terminal_size().map_or(80, |(width, _)| width.0.max(20));
    let width = args.width.unwrap_or_else(terminal);
    let mark = place.as_ref().map(|place| place.offset);
    let picture = Picture::of(&layout, mark, width.into(), args.rows.into())?;
    let drawing = Drawing { picture: &picture, asked: &args.text, place: place.as_ref(), coloured };
    Ok(drawing.to_string())
}

fn place(layout: &Layout, at: &Option<Coords>) -> Result<Option<Place>, Failure> {
    let place = at.as_ref().map(|coords| Place::of(layout, &coords.0));
    Ok(place.transpose()?)
}

/// What the argument parser has to say: help and version to those who asked, else a fault.
fn refuse(error: &clap::Error) -> ExitCode {
    use ArgsFault::*;
    if let DisplayHelp | DisplayVersion | DisplayHelpOnMissingArgumentOrSubcommand = error.kind() {
        // Help that nobody reads to its end is no failure.
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    let message = error.render().to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    let _ = write!(io::stderr(), "retile: {message}");
    ExitCode::from(2)
}

impl Failure {
    fn status(&self) -> u8 {
        match self {
            Failure::Layout(error) if error.kind() == ErrorKind::Invalid => 2,
            Failure::Values { .. } => 2,
            _ => 1,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Layout(error) => error.fmt(f),
            Failure::Values { name, given, needed } => {
                write!(f, "{given} values given for {name}, which needs {needed}")
            }
            Failure::Entangled => f.write_str(
                "the strides of this layout overlap in more ways than can be searched for a picture",
            ),
            Failure::Output(error) => error.fmt(f),
        }
    }
}

impl From<retile::Error> for Failure {
    fn from(error: retile::Error) -> Failure {
        Failure::Layout(error)
    }
}

impl From<Entangled> for Failure {
    fn from(_: Entangled) -> Failure {
        Failure::Entangled
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
