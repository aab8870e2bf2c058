//! Shell completions and manual pages, generated from the definitions behind `--help`.

mod program;

use std::collections::BTreeSet;
use std::fs;

use program::{complaint, endmill, printed};

/// The commands that `--help` lists.
fn commands() -> Vec<String> {
    let help = printed(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").expect("a list of commands");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 15, "{names:?}");
    names
}

#[test]
fn completions_know_every_command_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell} does not know {command}");
        }
        assert!(script.contains("secval"), "{shell} does not know an option");
    }
    let refused = complaint(&["completions", "sh"]);
    assert!(refused.contains("possible values: bash"), "{refused}");
}

#[test]
fn every_command_has_a_manual_page_with_the_text_of_its_help() {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("man1");
    let stdout = printed(&["man", pages.to_str().unwrap()]);
    let names: BTreeSet<String> = (fs::read_dir(&pages).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(
        stdout,
        format!("{} pages in {}\n", names.len(), pages.display())
    );
    for command in commands().iter().filter(|command| *command != "help") {
        let name = format!("endmill-{command}.1");
        let page = fs::read_to_string(pages.join(&name)).expect(&name);
        let help = printed(&[command, "--help"]);
        let first = help.lines().next().unwrap().trim_end_matches('.');
        // Roff escapes some characters.
        let words = first.split([' ', '-', '\'', '`']);
        for word in words.filter(|word| word.chars().all(char::is_alphanumeric)) {
            assert!(page.contains(word), "{name} lacks {word:?} of {first:?}");
        }
    }
    assert!(names.contains("endmill.1"));
    let file = directory.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = endmill(&["man", file.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(1));
}
