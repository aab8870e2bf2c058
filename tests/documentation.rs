//! The commands of the README and the tutorials run as printed, and links lead somewhere.
//!
//! A console block after a line `<!-- run -->` is run: each `$ ` line by a shell, in one directory
//! per page, and what it prints is compared with the lines below it. `…` stands for anything within
//! a line, and alone for any number of lines.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages whose blocks are run.
const RUN: [&str; 4] = [
    "README.md",
    "docs/tutorials/first-database.md",
    "docs/tutorials/play-and-review.md",
    "docs/tutorials/own-rules.md",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The commands of a page that are to be run, each with the lines it should print.
fn commands(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line != "<!-- run -->" {
            continue;
        }
        assert_eq!(
            lines.next(),
            Some("```console"),
            "a block follows <!-- run -->"
        );
        for line in lines.by_ref().take_while(|line| *line != "```") {
            match line.strip_prefix("$ ") {
                Some(command) => found.push((command.to_owned(), Vec::new())),
                None => found
                    .last_mut()
                    .expect("a command first")
                    .1
                    .push(line.to_owned()),
            }
        }
    }
    found
}

/// Whether a line is as expected, where `…` stands for any text.
fn line_matches(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn matches(expected: &[String], lines: &[&str]) -> bool {
    match expected {
        [] => lines.is_empty(),
        [any, rest @ ..] if any == "…" => {
            (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..]))
        }
        [first, rest @ ..] => {
            !lines.is_empty() && line_matches(first, lines[0]) && matches(rest, &lines[1..])
        }
    }
}

#[test]
fn the_commands_of_readme_and_tutorials_run_as_printed() {
    for page in RUN {
        let text = std::fs::read_to_string(root().join(page)).expect(page);
        let commands = commands(&text);
        assert!(!commands.is_empty(), "{page} has commands to run");
        let directory = tempfile::tempdir().expect("a directory");
        let program = Path::new(env!("CARGO_BIN_EXE_endmill"))
            .parent()
            .expect("a directory");
        let path = format!(
            "{}:{}",
            program.display(),
            std::env::var("PATH").expect("PATH")
        );
        for (command, expected) in commands {
            // The README's quick start compiles first; here the program is there.
            let command = command.replace("cargo run --release --", "endmill");
            let output = Command::new("bash")
                .args(["-c", &format!("{command} 2>&1")])
                .current_dir(directory.path())
                .env("PATH", &path)
                .env("ENDMILL_DB", directory.path().join("db"))
                .output()
                .expect("a shell");
            let printed = String::from_utf8(output.stdout).expect("text");
            let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
            assert!(
                matches(&expected, &lines) || expected.is_empty() && output.status.success(),
                "{page}: {command}\nprints\n{printed}\nwhere the page has\n{}",
                expected.join("\n")
            );
        }
    }
}

/// The places that a page links to: `](TARGET)`.
fn links(page: &str) -> Vec<&str> {
    page.split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next())
        .collect()
}

/// The anchors of a page, as repository browsers and mdBook make them from headings.
fn anchors(page: &str) -> Vec<String> {
    let heading = page.lines().filter_map(|line| line.strip_prefix('#'));
    heading
        .map(|text| {
            let text = text.trim_start_matches('#').trim().to_lowercase();
            let kept = text
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages: Vec<PathBuf> = vec![
        "README.md".into(),
        "CONTRIBUTING.md".into(),
        "CHANGELOG.md".into(),
    ];
    for folder in ["docs", "docs/tutorials", "docs/results"] {
        for entry in std::fs::read_dir(root().join(folder)).expect(folder) {
            let name = entry.expect("an entry").file_name();
            if name.to_string_lossy().ends_with(".md") {
                pages.push(Path::new(folder).join(name));
            }
        }
    }
    let mut broken = Vec::new();
    for page in &pages {
        let text = std::fs::read_to_string(root().join(page)).expect("a page");
        for link in links(&text)
            .into_iter()
            .filter(|link| !link.contains("://"))
        {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = root().join(page.parent().expect("a folder"));
            let target = if file.is_empty() {
                root().join(page)
            } else {
                folder.join(file)
            };
            let found = match std::fs::read_to_string(&target) {
                Ok(text) => anchor.is_empty() || anchors(&text).iter().any(|each| each == anchor),
                Err(_) => target.exists() && anchor.is_empty(),
            };
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}
