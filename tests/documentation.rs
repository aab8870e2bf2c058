//! The commands of README and tutorials run as printed, links lead somewhere, every page is in the
//! book, and the reference of the command line is current.
//!
//! The line before each console block of README and tutorials says how it is tested:
//!
//! - `<!-- run -->`: each `$ ` line is run by a shell, in one directory per page, and what it prints is
//!   compared with the lines below it. `…` stands for anything within a line, and alone for any number
//!   of lines.
//! - `<!-- serve -->`: the server is started and must answer.
//! - `<!-- run by FILE -->`: another test runs it.
//! - `<!-- not run: REASON -->`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folders with pages.
const FOLDERS: [&str; 3] = ["docs", "docs/tutorials", "docs/results"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(page: &Path) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page:?}: {error}"))
}

/// The pages of a folder.
fn pages(folder: &str) -> Vec<PathBuf> {
    let names = fs::read_dir(root().join(folder)).expect(folder);
    let names = names.map(|entry| Path::new(folder).join(entry.expect("an entry").file_name()));
    let mut pages: Vec<_> = names
        .filter(|name| name.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
}

/// A command of a page, with the line that says how to test it, and the lines it should print.
struct Printed {
    marker: String,
    command: String,
    lines: Vec<String>,
}

/// The commands of all console blocks of a page.
fn commands(page: &str) -> Vec<Printed> {
    let mut found: Vec<Printed> = Vec::new();
    let mut before = "";
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == "```console" {
            for line in lines.by_ref().take_while(|line| *line != "```") {
                match line.strip_prefix("$ ") {
                    Some(command) => found.push(Printed {
                        marker: before.to_owned(),
                        command: command.to_owned(),
                        lines: Vec::new(),
                    }),
                    None => {
                        let last = found.last_mut().expect("a command first");
                        last.lines.push(line.to_owned());
                    }
                }
            }
        }
        before = line;
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
    let mut tested = pages("docs/tutorials");
    tested.push("README.md".into());
    for page in &tested {
        let commands = commands(&read(page));
        assert!(!commands.is_empty(), "{page:?} has commands to run");
        let directory = tempfile::tempdir().expect("a directory");
        for printed in &commands {
            match printed.marker.as_str() {
                "<!-- run -->" => run(page, printed, directory.path()),
                "<!-- serve -->" => serve(page, printed, directory.path()),
                marker if marker.starts_with("<!-- not run: ") => {}
                marker => {
                    let by = marker.strip_prefix("<!-- run by ");
                    let by = by.and_then(|rest| rest.strip_suffix(" -->"));
                    let exists = by.is_some_and(|test| root().join(test).exists());
                    assert!(exists, "{page:?}: {}: how is it tested?", printed.command);
                }
            }
        }
    }
}

/// A shell with the program on its path, and nothing of the user's.
fn shell(command: &str, directory: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_endmill"));
    let folder = program.parent().expect("a directory").display();
    let path = std::env::var("PATH").expect("PATH");
    let mut shell = Command::new("bash");
    shell
        .args(["-c", &format!("{command} 2>&1")])
        .current_dir(directory)
        .env("PATH", format!("{folder}:{path}"))
        .env("HOME", directory)
        .env("ENDMILL_DB", directory.join("db"))
        .env_remove("XDG_DATA_HOME")
        .stdin(Stdio::null());
    shell
}

fn run(page: &Path, printed: &Printed, directory: &Path) {
    let Printed { command, lines, .. } = printed;
    let output = shell(command, directory).output().expect("a shell");
    let answer = String::from_utf8(output.stdout).expect("text");
    let found: Vec<&str> = answer.lines().map(str::trim_end).collect();
    assert!(
        matches(lines, &found) || lines.is_empty() && output.status.success(),
        "{page:?}: {command}\nprints\n{answer}\nwhere the page has\n{}",
        lines.join("\n")
    );
}

/// Starts the server on a free port, and asks it for its page.
fn serve(page: &Path, printed: &Printed, directory: &Path) {
    let command = match printed.command.contains("--listen") {
        true => printed.command.replace(":8047", ":0"),
        false => format!("{} --listen 127.0.0.1:0", printed.command),
    };
    let mut server = shell(&format!("exec {command} --build no"), directory)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut log = BufReader::new(server.stdout.take().expect("the log")).lines();
    let address = log.by_ref().find_map(|line| {
        let line = line.expect("text");
        let (_, port) = line.split_once("address=")?.1.split_once(':')?;
        port.split_whitespace().next()?.parse::<u16>().ok()
    });
    let port = address.unwrap_or_else(|| panic!("{page:?}: {command} does not listen"));
    let mut client = TcpStream::connect(("127.0.0.1", port)).expect("the server");
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    client.write_all(request).expect("a request");
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).expect("an answer");
    server.kill().expect("a running server");
    server.wait().expect("the end of the server");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{page:?}: {command}");
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

/// A page without what stands in code blocks.
fn without_code(page: &str) -> String {
    let outside = page.split("```").step_by(2);
    outside.collect::<Vec<_>>().concat()
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut all: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(PathBuf::from)
        .into();
    all.extend(FOLDERS.iter().copied().flat_map(pages));
    let mut broken = Vec::new();
    for page in &all {
        let text = without_code(&read(page));
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = root().join(page.parent().expect("a folder"));
            let target = match file {
                "" => root().join(page),
                _ => folder.join(file),
            };
            let found = match fs::read_to_string(&target) {
                Ok(text) => anchor.is_empty() || anchors(&text).iter().any(|each| each == anchor),
                Err(_) => target.exists() && anchor.is_empty(),
            };
            // The rendered book has only what is in its folder.
            let book = root().join("docs").canonicalize().expect("the book");
            let leaves = page.starts_with("docs")
                && !target
                    .canonicalize()
                    .is_ok_and(|target| target.starts_with(book));
            if !found || leaves {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn every_page_is_in_the_book() {
    let summary = Path::new("docs/SUMMARY.md");
    let text = read(summary);
    let listed: Vec<PathBuf> = links(&text)
        .iter()
        .map(|link| Path::new("docs").join(link))
        .collect();
    for page in FOLDERS.iter().copied().flat_map(pages) {
        assert!(
            page == summary || listed.contains(&page),
            "{page:?} is not in SUMMARY.md"
        );
    }
}

#[test]
fn the_book_is_rendered_without_warnings() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut mdbook = Command::new("mdbook");
    mdbook.args(["build", "--dest-dir"]).arg(directory.path());
    let Ok(run) = mdbook.current_dir(root()).output() else {
        return endmill_testkit::skip("there is no mdbook here (cargo install mdbook)");
    };
    let log = String::from_utf8_lossy(&run.stderr) + String::from_utf8_lossy(&run.stdout);
    let complains = log.contains("WARN") || log.contains("ERROR");
    assert!(run.status.success() && !complains, "{log}");
    for page in links(&read(Path::new("docs/SUMMARY.md"))) {
        let rendered = directory.path().join(page).with_extension("html");
        assert!(rendered.exists(), "{page} is rendered");
    }
}

/// A line of help, broken where the descriptions of options begin.
fn wrapped(line: &str) -> String {
    let leading = line.len() - line.trim_start().len();
    let column = line[leading..].find("  ").map_or(leading, |gap| {
        let gap = leading + gap;
        gap + line[gap..].len() - line[gap..].trim_start().len()
    });
    let indent = " ".repeat(if column < 50 { column } else { leading });
    let options = textwrap::Options::new(104).subsequent_indent(&indent);
    textwrap::fill(line, options)
}

/// The help of all commands, and of commands of commands, as Markdown.
fn help(words: &[String], page: &mut String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_endmill"));
    let output = command
        .args(words)
        .arg("--help")
        .env("COLUMNS", "100")
        .output();
    let help = String::from_utf8(output.expect("the program").stdout).expect("text");
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let wrapped: Vec<String> = lines.iter().map(|line| wrapped(line)).collect();
    if words.is_empty() {
        *page += "## All commands\n\n";
    } else {
        *page += &format!("## endmill {}\n\n", words.join(" "));
    }
    *page += &format!("```text\n{}\n```\n\n", wrapped.join("\n").trim_end());
    let listed = lines
        .iter()
        .skip_while(|line| **line != "Commands:")
        .skip(1);
    for line in listed.take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().expect("a command");
        // A description may be broken into several lines, which are indented more.
        if name != "help" && line.starts_with("  ") && !line.starts_with("   ") {
            let more: Vec<String> = words.iter().cloned().chain([name.to_owned()]).collect();
            self::help(&more, page);
        }
    }
}

#[test]
fn the_reference_of_the_command_line_is_current() {
    let path = Path::new("docs/command-line.md");
    let page = read(path);
    let (begin, end) = ("<!-- begin help -->\n", "<!-- end -->");
    let (before, rest) = page.split_once(begin).expect("the beginning of the help");
    let (_, after) = rest.split_once(end).expect("the end of the help");
    let mut all = String::new();
    help(&[], &mut all);
    let current = format!("{before}{begin}{all}{end}{after}");
    if std::env::var_os("ENDMILL_UPDATE_DOCS").is_some() {
        return fs::write(root().join(path), current).expect("the page");
    }
    let advice = "docs/command-line.md is out of date: run ENDMILL_UPDATE_DOCS=1 cargo test --test documentation";
    assert!(page == current, "{advice}");
}
