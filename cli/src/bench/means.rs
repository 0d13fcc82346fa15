//! Geometric means. In: rows. Out: what is ours to copies, to plain loops and to oneDNN, over classes of
//! them.

use std::fmt;

use super::report::Row;
use crate::layout::counted;

/// Over the rows of a class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) name: String,
    pub(crate) copy: f64,
    pub(crate) naive: f64,
    pub(crate) count: usize,
    /// Over those that oneDNN runs too, and how many these are.
    pub(crate) onednn: Option<(f64, usize)>,
}

/// Where the smallest class ends.
pub(crate) const SMALL: usize = 32 << 10;

type Class = (String, Box<dyn Fn(&Row) -> bool>);

/// Over all rows that move anything, by where their bytes fit, and by elements; classes without rows are left
/// out.
pub(crate) fn means(rows: &[&Row], l2: usize) -> Vec<Mean> {
    let small = SMALL >> 10;
    let class = |name: String, fits: fn(&Row, usize) -> bool| -> Class {
        (name, Box::new(move |row| fits(row, l2)))
    };
    let mut classes: Vec<Class> = vec![
        class("all".into(), |_, _| true),
        class(format!("up to {small} KiB"), |row, _| row.bytes <= SMALL),
        class(format!("up to {} KiB (L2)", l2 >> 10), |row, l2| {
            row.bytes > SMALL && row.bytes <= l2
        }),
        class("beyond".into(), |row, l2| row.bytes > SMALL.max(l2)),
        class(format!("all above {small} KiB"), |row, _| row.bytes > SMALL),
        class("f32".into(), |row, _| row.f32),
        class("1- and 2-byte types".into(), |row, _| row.element.is_some_and(|size| size < 4)),
    ];
    for (size, name) in [(1, "1 byte"), (2, "2 bytes"), (4, "4 bytes"), (8, "8 bytes")] {
        classes.push((name.into(), Box::new(move |row| row.element == Some(size))));
    }
    classes.push(class("conversions".into(), |row, _| row.element.is_none()));
    let mean = |(name, fits): Class| {
        let rows = || rows.iter().filter(|row| row.bytes > 0 && fits(row));
        let theirs = || rows().filter_map(|row| row.to_onednn());
        Some(Mean {
            name,
            copy: geometric(rows().map(|row| row.ratio))?,
            naive: geometric(rows().map(|row| row.ours_gbs / row.naive_gbs))?,
            count: rows().count(),
            onednn: geometric(theirs()).map(|mean| (mean, theirs().count())),
        })
    };
    classes.into_iter().filter_map(mean).collect()
}

/// The means of a tier, as lines below its table.
pub(crate) struct Printed<'a> {
    pub(crate) tier: &'a str,
    pub(crate) means: Vec<Mean>,
    /// oneDNN's version.
    pub(crate) onednn: &'a str,
}

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "geometric means, {}:", self.tier)?;
        for Mean { name, copy, naive, count, .. } in self.means.iter().take_while(|m| m.by_place())
        {
            writeln!(
                f,
                "  {name:<18} {copy:.3} of copy, {naive:.2} of naive, {}",
                counted(*count, "pair")
            )?;
        }
        let named = ["all", "f32", "1- and 2-byte types"];
        let of = |name: &str| self.means.iter().find(|mean| mean.name == name);
        for (mean, name) in named.iter().filter_map(|name| Some((of(name)?.onednn?, name))) {
            writeln!(
                f,
                "  {name:<18} {:.2} of onednn {}, {}",
                mean.0,
                self.onednn,
                counted(mean.1, "pair")
            )?;
        }
        Ok(())
    }
}

impl Mean {
    fn by_place(&self) -> bool {
        self.name == "all" || self.name == "beyond" || self.name.starts_with("up to")
    }
}

fn geometric(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        assert_eq!(geometric([].into_iter()), None);
        let found = geometric([0.5, 2.0, 4.0, 4.0].into_iter()).unwrap();
        assert!((found - 2.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn rows_belong_to_their_classes() {
        let row = |bytes, element, ratio, onednn: Option<f64>| Row {
            bytes,
            element: Some(element),
            f32: element == 4,
            ratio,
            ours_gbs: 8.0,
            naive_gbs: 2.0,
            onednn_gbs: onednn,
            ..Row::default()
        };
        let other = Row { element: None, f32: false, ..row(1 << 20, 4, 1.0, None) };
        let rows = [
            row(64, 1, 0.25, Some(4.0)),
            row(1 << 20, 4, 0.5, Some(16.0)),
            row(1 << 30, 4, 0.5, None),
            row(0, 4, 1.0, None),
            other,
        ];
        let found = means(&rows.iter().collect::<Vec<_>>(), 2 << 20);
        let named: Vec<(&str, usize)> = found.iter().map(|m| (&m.name[..], m.count)).collect();
        assert_eq!(
            named,
            [
                ("all", 4),
                ("up to 32 KiB", 1),
                ("up to 2048 KiB (L2)", 2),
                ("beyond", 1),
                ("all above 32 KiB", 3),
                ("f32", 2),
                ("1- and 2-byte types", 1),
                ("1 byte", 1),
                ("4 bytes", 2),
                ("conversions", 1),
            ]
        );
        assert_eq!(found[0].onednn, Some((1.0, 2)));
        assert_eq!((found[0].copy, found[0].naive), (0.5, 4.0));
        let said = Printed { tier: "avx2", means: found, onednn: "3.2.0" }.to_string();
        let last = "  beyond             0.500 of copy, 4.00 of naive, 1 pair
  all                1.00 of onednn 3.2.0, 2 pairs
  f32                0.50 of onednn 3.2.0, 1 pair
  1- and 2-byte types 2.00 of onednn 3.2.0, 1 pair\n";
        assert!(said.ends_with(last), "{said}");
    }
}
