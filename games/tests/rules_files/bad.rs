//! Rules files with mistakes, and what is said of each: line, field, what is expected.

/// The text of a file, and its mistakes.
pub const BAD: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "line 1: id: is missing, expected at most 32 letters, digits and hyphens, in quotes",
            "line 1: board: is missing, expected \"nine\", \"twelve\", \"six\", \"three\" or a [board] with lines",
            "line 1: men: is missing, expected a whole number from 3 to 12",
        ],
    ),
    (
        "id = \"x\"\nboard = \"six\"",
        &["line 1: men: is missing, expected a whole number from 3 to 12"],
    ),
    (
        "id = \"x y\"\nboard = \"six\"\nmen = 4",
        &["line 1: id: expected at most 32 letters, digits and hyphens, in quotes, found \"x y\""],
    ),
    (
        "id = \"\"\nboard = \"six\"\nmen = 4",
        &["line 1: id: expected at most 32 letters, digits and hyphens, in quotes, found \"\""],
    ),
    (
        "id = \"../six\"\nboard = \"six\"\nmen = 4",
        &[
            "line 1: id: expected at most 32 letters, digits and hyphens, in quotes, found \"../six\"",
        ],
    ),
    (
        "id = \"an-id-of-thirty-three-characters-0\"\nboard = \"six\"\nmen = 4",
        &[
            "line 1: id: expected at most 32 letters, digits and hyphens, in quotes, found \"an-id-of-thirty-three-characters-0\"",
        ],
    ),
    (
        "id = 7\nboard = \"six\"\nmen = 4",
        &["line 1: id: expected at most 32 letters, digits and hyphens, in quotes, found 7"],
    ),
    (
        "board = \"six\"\nmen = 4\n\nid = \"six\"",
        &[
            "line 4: id: expected an id that is not built in, found \"six\", which has other rules than these",
        ],
    ),
    (
        "id = \"draughts\"\nboard = \"six\"\nmen = 4",
        &["line 1: id: expected an id that is not built in, found \"draughts\""],
    ),
    (
        "id = \"x\"\ntitle = \"two\\nlines\"\nboard = \"six\"\nmen = 4",
        &[
            "line 2: title: expected one line of at most 100 characters, in quotes, found \"two\\nlines\"",
        ],
    ),
    (
        "id = \"x\"\nboard = \"seven\"\nmen = 4",
        &[
            "line 2: board: expected \"nine\", \"twelve\", \"six\", \"three\" or a [board] with lines, found \"seven\"",
        ],
    ),
    (
        "id = \"x\"\nboard = [\"a1 b1 c1\"]\nmen = 4",
        &[
            "line 2: board: expected \"nine\", \"twelve\", \"six\", \"three\" or a [board] with lines, found a list",
        ],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 2",
        &["line 3: men: expected a whole number from 3 to 12, found 2"],
    ),
    (
        "id = \"x\"\nboard = \"nine\"\nmen = 13",
        &["line 3: men: expected a whole number from 3 to 12, found 13"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 9",
        &["line 3: men: expected at most 8, half the points of the board, found 9"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = \"four\"",
        &["line 3: men: expected a whole number from 3 to 12, found \"four\""],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4.0",
        &["line 3: men: expected a whole number from 3 to 12, found 4.0"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 99999999999999999999",
        &["line 3: men: expected a whole number from 3 to 12, found 99999999999999999999"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nflying = \"yes\"",
        &["line 4: flying: expected true or false, found \"yes\""],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nmoves-while-placing = 1",
        &["line 4: moves-while-placing: expected true or false, found 1"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nfull-board = \"win\"",
        &["line 4: full-board: expected \"loss\" or \"draw\", found \"win\""],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\ntaking = \"all\"",
        &["line 4: taking: expected \"outside-mills-first\" or \"any\", found \"all\""],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nremovals = 2",
        &["line 4: removals: expected \"one\" or \"each-mill\", found 2"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nquiet-limit = 101",
        &["line 4: quiet-limit: expected a whole number from 0 to 100, found 101"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nquiet-limit = -1",
        &["line 4: quiet-limit: expected a whole number from 0 to 100, found -1"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\nbroken-mill = true",
        &["line 4: broken-mill: expected \"free\" or \"banned\", found true"],
    ),
    (
        "id = \"x\"\nboard = \"six\"\nmen = 4\n# a comment\nFlying = true",
        &[
            "line 5: Flying: unknown field, expected one of id, title, board, men, flying, moves-while-placing, full-board, taking, removals, quiet-limit, broken-mill",
        ],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nspokes = [\"a1 b1\"]",
        &[
            "line 3: board.lines: is missing, expected lists of three points, such as [\"a1 d1 g1\"]",
        ],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = \"a1 b1 c1\"",
        &[
            "line 4: board.lines: expected a list, each entry three points in order, such as \"a1 d1 g1\", found \"a1 b1 c1\"",
        ],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = [\n  \"a1 b1 c1\",\n  \"a2 b2\",\n  \"a3 b3 c99\",\n  7,\n]",
        &[
            "line 6: board.lines: expected three points in order, such as \"a1 d1 g1\", found \"a2 b2\"",
            "line 7: board.lines: expected points that are a letter and a number from 1 to 26, found \"c99\"",
            "line 8: board.lines: expected three points in order, such as \"a1 d1 g1\", found 7",
        ],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = [\"a1 b1 c1\", \"a2 b2 a2\"]",
        &["line 4: board.lines: expected different points, found a2 twice"],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = [\"a1 b1 c1\", \"a2 b2 c2\",\n\"c1 b1 a1\"]",
        &["line 5: board.lines: expected each line once, found \"c1 b1 a1\" again"],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = [\"a1 b1 c1\", \"a2 b2 c2\"]\nspokes = [\"b1 a1\"]",
        &[
            "line 5: board.spokes: expected edges that are on no line, found \"b1 a1\", which is on one",
        ],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = [\"a1 b1 c1\", \"a2 b2 c2\"]\nspokes = [\"a1 a2\", \"a2 a1\"]",
        &["line 5: board.spokes: expected each spoke once, found \"a2 a1\" again"],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = []",
        &[
            "line 3: board.lines: expected 1 to 64 lines, found 0",
            "line 3: board: expected 6 to 24 points, found 0",
        ],
    ),
    (
        "id = \"x\"\nmen = 3\n[board]\nlines = [\"a1 b1 c1\"]\ncolour = \"red\"",
        &[
            "line 3: board: expected 6 to 24 points, found 3",
            "line 5: board.colour: unknown field, expected one of lines, spokes",
        ],
    ),
    (
        "id = \"x\"\nmen = 4\nboard = six",
        &[
            "line 3: board: expected \"nine\", \"twelve\", \"six\", \"three\" or a [board] with lines; this is not TOML: ",
        ],
    ),
    (
        "id = \"x\"\nmen = 4\nboard = \"six\"\nmen = 5",
        &["line 4: men: expected once, found again"],
    ),
    (
        "id = \"x\"\nmen = 4\nboard = \"six\"\nflying = yes\ntaking = any",
        &[
            "line 4: flying: expected true or false; this is not TOML: ",
            "line 5: taking: expected \"outside-mills-first\" or \"any\"; this is not TOML: ",
        ],
    ),
    (
        "id = \"a-name-of-more-than-forty-letters-is-refused\"\nmen = 4\nboard = \"six\"",
        &[
            "line 1: id: expected at most 32 letters, digits and hyphens, in quotes, found \"a-name-of-more-than-forty-letters-is-refused\"",
        ],
    ),
    ("\u{0}\u{1}", &["line 1: this is not TOML: "]),
];
