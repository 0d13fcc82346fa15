//! The `retile` command.
//!
//! Arguments become plain data, that becomes a layout, and that becomes a report or a picture. Wrong
//! texts and wrong arguments exit with 2, everything else that fails with 1.

#![deny(clippy::print_stderr)] // It panics where nobody listens: `tell!` does not.

mod args;
mod axis;
mod bench;
mod buffer;
mod check;
mod draw;
mod explain;
mod failure;
mod grid;
mod host;
mod layout;
mod memory;
mod names;
mod paint;
mod pair;
mod run;
mod show;
mod tell;

use std::io::{self, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::Parser;
use clap::error::ErrorKind as ArgsFault;
use retile::{Layout, Problem};

use args::{Args, Color, Coords, LayoutArgs, PlanArgs, ShowArgs, Verb};
use failure::Failure;
use layout::{Place, Report};
use paint::Drawing;
use pair::Pair;
use show::Picture;
use tell::tell;

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
            tell!("retile: {failure}");
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
    let mut out = AutoStream::new(io::stdout().lock(), choice);
    let text = match &args.verb {
        Verb::Layout(args) => say(args)?,
        Verb::Show(args) => draw(args, choice != ColorChoice::Never)?,
        Verb::Plan(args) => plan(args)?,
        Verb::Explain(args) => explain::explain(args)?,
        Verb::Names(args) => names::names(args)?,
        // These take a while, and say each thing as soon as it is known.
        Verb::Check(args) => return check::check(args, &mut out),
        Verb::Bench(args) => return bench::bench(args, &mut out),
    };
    let text = match choice {
        ColorChoice::Never => plain(&text),
        _ => text,
    };
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
    let pair = Pair::new(&args.src, &args.dst, args.attr.words())?;
    let target = host::target(args.target, args.tier)?;
    let (problem, _) = Problem::new(&pair.src, &pair.dst, &pair.attr)?;
    let plan = retile::plan::plan_with(&problem, &target, args.locality);
    Ok(if args.listing { plan.listing() } else { plan.to_string() })
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
        return match error.print().and_then(|()| io::stdout().flush()) {
            // Help that nobody reads to its end is no failure.
            Err(fault) if fault.kind() != io::ErrorKind::BrokenPipe => {
                tell!("retile: {}", Failure::Output(fault));
                ExitCode::FAILURE
            }
            _ => ExitCode::from(error.exit_code() as u8),
        };
    }
    if error.kind() == InvalidUtf8 {
        let wrong = std::env::args_os().find(|word| word.to_str().is_none());
        tell!("retile: {:?} is not UTF-8", wrong.unwrap_or_default());
        return ExitCode::from(2);
    }
    let message = error.render().to_string();
    tell!("retile: {}", message.strip_prefix("error: ").unwrap_or(&message).trim_end());
    ExitCode::from(2)
}
