//! Texts held in files. In: a folder with a cases.txt, whose lines are `NAME WORDS..`, and what makes a
//! case's text. Out: nothing, or where a text is not that of the file NAME.EXTENSION beside it.

use std::fs;
use std::path::Path;

/// Holds the text of each case to its file, `differ` showing where name, file and text part;
/// `RETILE_BLESS` writes the files instead.
pub(crate) fn hold(
    folder: &str,
    extension: &str,
    text: impl Fn(&str, &[&str]) -> String,
    differ: impl Fn(&str, &str, &str) -> String,
) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let cases = fs::read_to_string(path.join("cases.txt")).unwrap();
    let bless = std::env::var_os("RETILE_BLESS").is_some();
    let mut changed = Vec::new();
    let lines = cases.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines.clone() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let file = path.join(format!("{}.{extension}", words[0]));
        let found = text(words[0], &words[1..]);
        let golden = fs::read_to_string(&file).unwrap_or_default();
        if found != golden {
            match bless {
                true => fs::write(&file, &found).unwrap(),
                false => changed.push(differ(words[0], &golden, &found)),
            }
        }
    }
    assert!(changed.is_empty(), "{}\nRETILE_BLESS=1 accepts these", changed.join("\n"));
    // Nor is a file left over that no case stands for.
    let files = fs::read_dir(&path).unwrap().count();
    assert_eq!(files, lines.count() + 1, "files in {folder} without a case");
}
