#!/usr/bin/env python3
"""Writes the tables and plots of docs/results.md from data/results/*.json.

    docs/results/generate.py            write them
    docs/results/generate.py --check    fail if they are not current

Needs Python 3.10 or later, and nothing else. The reports come from `endmill build --report` and
`endmill tree --json`.
"""

import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPORTS = HERE.parent.parent / "data" / "results"
TITLES = {
    "nine": "Nine men's morris",
    "nine-nofly": "Nine men's morris without flying",
    "twelve": "Twelve men's morris",
    "draughts": "English draughts up to 7 pieces",
}
# The day of each build, which the reports do not have.
BUILT = {"nine": "2026-11-17", "nine-nofly": "2026-11-18", "twelve": "2026-11-17", "draughts": "2026-11-18"}
# Bytes and hours of other programs, from their own pages (sources in results.md).
PEERS_BYTES = [
    ("nine, Malom: distances, ranked draws", 83.6e9),
    ("nine, jh85: outcomes", 18 * 2**30),
    ("twelve, jh85: outcomes", 46.9e9),
]
PEERS_HOURS = [("nine, jh85: outcomes, 64 threads", 4.5), ("twelve, jh85: outcomes, 64 threads", 10.0)]
INK, PAPER, GRID = "#2e2a25", "#fbf8ef", "#d8d2c2"
COLOURS = {"win": "#0067a5", "draw": "#b8b2a3", "loss": "#c0480a"}
FONT = 'font-family="system-ui, sans-serif" font-size="13"'


def load(name):
    return json.loads((REPORTS / f"{name}.json").read_text())


def table(head, rows, left=(0,)):
    rule = ["---" if i in left else "---:" for i in range(len(head))]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, rule, *rows])


def pieces(name):
    """The number of pieces on the board of a table: '3+2v4+1', '3v5@7', '12v03', '12.0v11.1'."""
    sides = name.split("@")[0].split("v")
    if "." in name or (len(sides[0]) == 2 and sides[0].isdigit() and len(sides[1]) == 2):
        return sum(sum(map(int, side.split("."))) if "." in side else sum(map(int, side)) for side in sides)
    return sum(int(side.split("+")[0]) for side in sides)


def in_hand(name):
    return "+" in name


def bits(size, positions):
    return f"{8 * size / positions:.3f}"


def sums(rows):
    total = {key: sum(row[key] for row in rows) for key in ("positions", "win", "draw", "loss", "wld_bytes", "dtw_bytes")}
    total["longest_win"] = max(row["longest_win"] for row in rows)
    total["longest_loss"] = max(row["longest_loss"] for row in rows)
    return total


def by_pieces(report):
    groups = {}
    for row in report["tables"]:
        if not in_hand(row["table"]):
            groups.setdefault(pieces(row["table"]), []).append(row)
    return {count: (groups[count], sums(groups[count])) for count in sorted(groups)}


# Tables


def whole_games():
    rows = []
    for name, title in TITLES.items():
        rows.append([f"[{title}](#{anchor(title)})", *values(load(name)["total"])])
    return table(["game", *VALUES], rows)


VALUES = ["positions", "won, drawn, lost (%)", "longest win, loss (plies)"]


def values(total):
    return [
        f"{total['positions']:,}",
        " · ".join(f"{100 * total[key] / total['positions']:.1f}" for key in ("win", "draw", "loss")),
        f"{total['longest_win']}, {total['longest_loss']}",
    ]


def costs():
    rows = []
    for name, title in TITLES.items():
        report = load(name)
        build = report["build"]
        rows.append([
            title,
            f"{total_bytes(report, 'wld_bytes') / 1e9:.2f} + {total_bytes(report, 'dtw_bytes') / 1e9:.2f}",
            f"{bits(total_bytes(report, 'wld_bytes'), report['total']['positions'])} + {bits_of_plies(report)}",
            f"{build['wall_seconds'] / 60:.1f}",
            f"{build['cpu_seconds']:,.0f}",
            f"{build['peak_memory_bytes'] / 2**30:.2f}",
            BUILT[name],
        ])
    return table(["outcomes + plies", "GB", "bits per position", "minutes", "CPU seconds", "GiB of memory", "built"], rows)


def bits_of_plies(report):
    """Bits per position of the tables that store plies."""
    rows = [row for row in report["tables"] if row["dtw_bytes"]]
    return bits(sum(row["dtw_bytes"] for row in rows), sum(row["positions"] for row in rows))


def moving_phase():
    """The same of the tables without men in hand."""
    rows = []
    for name, title in TITLES.items():
        if name != "draughts":
            total = sums([row for row in load(name)["tables"] if not in_hand(row["table"])])
            rows.append([title, *values(total)])
    return table(["no men in hand", *VALUES], rows)


def longest(name):
    """The longest win and the longest loss of a game, with their positions."""
    total = load(name)["total"]
    rows = [[f"{what}, {total[f'longest_{key}']} plies", f"`{total[f'longest_{key}_position']}`"]
            for what, key in (("longest win", "win"), ("longest loss", "loss"))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [["", "position"], ["---", "---"], *rows])


def longest_by_pieces(name):
    rows = []
    for count, (group, _) in by_pieces(load(name)).items():
        row = max(group, key=lambda row: row["longest_win"])
        rows.append([count, row["longest_win"], f"`{row['longest_win_position']}`"])
    return table(["pieces", "longest win", "position"], rows, left=(0, 2))


def anchor(title):
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def total_bytes(report, key):
    return sum(row[key] for row in report["tables"])


def counts(rows, label):
    lines = []
    for value, total, number in rows:
        lines.append([value, f"{number:,}", *(f"{total[key]:,}" for key in ("positions", "win", "draw", "loss")),
                      total["longest_win"], total["longest_loss"], f"{total['wld_bytes']:,}", f"{total['dtw_bytes']:,}"])
    return table([label, "tables", "positions", "won", "drawn", "lost", "longest win", "longest loss", "`.wld` bytes",
                  "`.dtw` bytes"], lines)


def hand_counts(name):
    report = load(name)
    groups = {}
    for row in report["tables"]:
        groups.setdefault(sum(map(int, re.findall(r"\+(\d+)", row["table"]))), []).append(row)
    rows = [(hand, sums(groups[hand]), len(groups[hand])) for hand in sorted(groups)]
    return counts([*rows, ("all", sums(report["tables"]), len(report["tables"]))], "in hand")


def piece_counts(name):
    report = load(name)
    rows = [(count, total, len(group)) for count, (group, total) in by_pieces(report).items()]
    return counts([*rows, ("all", sums(report["tables"]), len(report["tables"]))], "pieces")


def every_table(name):
    report = load(name)
    rows = [row for row in report["tables"] if not in_hand(row["table"])]
    lines = [f"{'table':10}{'positions':>12}{'win %':>8}{'draw %':>8}{'loss %':>8}{'l.win':>7}{'l.loss':>7}{'wld b/p':>9}{'dtw b/p':>9}  longest win from"]
    for row in sorted(rows, key=lambda row: (pieces(row["table"]),)):
        share = "".join(f"{100 * row[key] / row['positions']:8.2f}" for key in ("win", "draw", "loss"))
        lines.append(f"{row['table']:10}{row['positions']:12}{share}{row['longest_win']:7}{row['longest_loss']:7}"
                     f"{bits(row['wld_bytes'], row['positions']):>9}{bits(row['dtw_bytes'], row['positions']):>9}"
                     f"  {row.get('longest_win_position', '')}")
    return "```text\n" + "\n".join(line.rstrip() for line in lines) + "\n```"


def opening(name):
    report = load(f"{name}-opening")
    rows = []
    for move in report["moves"]:
        outcomes = {}
        for reply in move["replies"]:
            outcomes.setdefault(reply["outcome"], []).append(reply["move"])
        replies = "; ".join(f"{outcome}: {len(moves)}" for outcome, moves in sorted(outcomes.items()))
        rows.append([f"`{move['move']}`", move["alike"], move["outcome"], replies])
    return table(["first move", "equivalent points", "value", "replies, by their value for Black"], rows)


# Plots


def svg(width, height, body, title):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" {FONT}>\n'
            f"<title>{title}</title>\n"
            f'<rect width="{width}" height="{height}" rx="6" fill="{PAPER}"/>\n{body}\n</svg>\n')


def text(x, y, content, anchor="start", extra=""):
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{INK}" {extra}>{content}</text>'


def bars(title, rows, unit):
    """Horizontal bars on a linear scale; ours in blue."""
    label, width, line = 330, 860, 30
    largest = max(value for _, value, _ in rows)
    body = [text(16, 26, title, extra='font-weight="600"')]
    for i, (name, value, ours) in enumerate(rows):
        y = 46 + i * line
        length = max(2, (width - label - 110) * value / largest)
        colour = COLOURS["win"] if ours else COLOURS["draw"]
        body += [text(label - 10, y + 15, name, "end"),
                 f'<rect x="{label}" y="{y}" width="{length:.1f}" height="20" rx="3" fill="{colour}"/>',
                 text(label + length + 8, y + 15, f"{value:,.1f} {unit}" if value < 100 else f"{value:,.0f} {unit}")]
    return svg(width, 60 + line * len(rows), "\n".join(body), title)


def shares(name):
    """Won, drawn and lost positions by the number of pieces on the board."""
    groups = by_pieces(load(name))
    width, top, line = 860, 44, 22
    by = "by pieces" if name == "draughts" else "by men on the board, none in hand"
    body = [text(16, 26, f"{TITLES[name]}: won, drawn and lost {by}", extra='font-weight="600"')]
    for i, (count, (_, total)) in enumerate(groups.items()):
        y, x = top + i * line, 60.0
        body.append(text(48, y + 14, count, "end"))
        for key in ("win", "draw", "loss"):
            length = (width - 80) * total[key] / total["positions"]
            body.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="18" fill="{COLOURS[key]}"/>')
            if length > 44:
                colour = INK if key == "draw" else "#fff"
                share = 100 * total[key] / total["positions"]
                body.append(f'<text x="{x + length / 2:.1f}" y="{y + 14}" text-anchor="middle" fill="{colour}">{share:.0f} %</text>')
            x += length
    return svg(width, top + line * len(groups) + 12, "\n".join(body), f"{TITLES[name]}: shares of outcomes")


def distances(name):
    """How many positions are decided in each number of plies, on a logarithmic scale."""
    plies = {int(key): value for key, value in load(name)["total"]["plies"].items()}
    width, height, left, bottom = 860, 260, 60, 40
    last = max(plies)
    scale = (width - left - 20) / (last + 1)
    peak = len(str(max(plies.values())))
    body = [text(16, 26, f"{TITLES[name]}: decided positions by distance in plies", extra='font-weight="600"')]
    for power in range(0, peak + 1, 3):
        y = height - bottom - (height - bottom - 50) * power / peak
        body += [f'<path d="M{left} {y:.1f}H{width - 20}" stroke="{GRID}"/>', text(left - 8, y + 4, ["1", "10³", "10⁶", "10⁹"][power // 3], "end")]
    from math import log10
    for ply, number in sorted(plies.items()):
        size = (height - bottom - 50) * log10(number) / peak if number > 1 else 1
        colour = COLOURS["win" if ply % 2 else "loss"]
        body.append(f'<rect x="{left + ply * scale:.1f}" y="{height - bottom - size:.1f}" width="{max(1, scale - 0.6):.1f}" height="{size:.1f}" fill="{colour}"/>')
    for ply in range(0, last + 1, 25 if last > 60 else 10):
        body.append(text(left + (ply + 0.5) * scale, height - bottom + 18, ply, "middle"))
    return svg(width, height, "\n".join(body), f"{TITLES[name]}: distances")


MORRIS_LINES = ["a1g1g7a7", "b2f2f6b6", "c3e3e5c5"]
SPOKES = [("d1", "d3"), ("d5", "d7"), ("a4", "c4"), ("e4", "g4")]
DIAGONALS = [("a1", "c3"), ("g1", "e3"), ("a7", "c5"), ("g7", "e5")]


def morris_board(position, twelve):
    at = lambda point: (30 + 40 * "abcdefg".index(point[0]), 30 + 40 * (int(point[1:]) - 1))
    line = lambda a, b: 'M{} {}L{} {}'.format(*at(a), *at(b))
    path = "".join("M" + "L".join("{} {}".format(*at(ring[i:i + 2])) for i in range(0, 8, 2)) + "Z" for ring in MORRIS_LINES)
    path += "".join(line(*spoke) for spoke in SPOKES + (DIAGONALS if twelve else []))
    body = [f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="2"/>']
    for side, fill in (("W", "#fff"), ("B", INK)):
        for point in re.findall(r"[a-g]\d", re.search(rf":{side}([^:]*)", position).group(1)):
            x, y = at(point)
            body.append(f'<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="{INK}" stroke-width="2"/>')
    return svg(300, 300, "\n".join(body), position)


def draughts_board(position):
    body = [f'<rect x="18" y="18" width="264" height="264" fill="#efe8d6"/>']
    place = lambda square: (18 + 33 * (2 * ((square - 1) % 4) + (1 - (square - 1) // 4 % 2)), 18 + 33 * ((square - 1) // 4))
    for square in range(1, 33):
        x, y = place(square)
        body.append(f'<rect x="{x}" y="{y}" width="33" height="33" fill="#b59b6d"/>')
    for side, fill, ink in (("W", "#fff", INK), ("B", INK, "#fff")):
        for king, square in re.findall(r"(K?)(\d+)", re.search(rf":{side}([^:]*)", position).group(1)):
            x, y = place(int(square))
            body.append(f'<circle cx="{x + 16.5}" cy="{y + 16.5}" r="13" fill="{fill}" stroke="{INK}" stroke-width="2"/>')
            if king:
                body.append(f'<text x="{x + 16.5}" y="{y + 21}" text-anchor="middle" fill="{ink}" font-weight="600">K</text>')
    return svg(300, 300, "\n".join(body), position)


def files():
    reports = {name: load(name) for name in TITLES}
    gigabytes = lambda name, *keys: sum(total_bytes(reports[name], key) for key in keys) / 1e9
    ours = [
        ("nine, Endmill: outcomes", gigabytes("nine", "wld_bytes"), True),
        ("nine, Endmill: exact distances", gigabytes("nine", "wld_bytes", "dtw_bytes"), True),
        ("twelve, Endmill: outcomes", gigabytes("twelve", "wld_bytes"), True),
        ("twelve, Endmill: distances without men in hand", gigabytes("twelve", "wld_bytes", "dtw_bytes"), True),
    ]
    yield "bytes.svg", bars("Size of the whole game on disk", ours + [(name, value / 1e9, False) for name, value in PEERS_BYTES], "GB")
    hours = [(f"{name}, Endmill: 2 threads", reports[name]["build"]["wall_seconds"] / 3600, True) for name in ("nine", "twelve")]
    yield "hours.svg", bars("Time to solve and store the whole game", hours + [(name, value, False) for name, value in PEERS_HOURS], "h")
    for name in TITLES:
        yield f"{name}-shares.svg", shares(name)
        yield f"{name}-distances.svg", distances(name)
        position = reports[name]["total"]["longest_win_position"]
        yield f"{name}-longest.svg", draughts_board(position) if name == "draughts" else morris_board(position, name == "twelve")


REGIONS = {
    "whole-games": whole_games,
    "costs": costs,
    "moving-phase": moving_phase,
    **{f"{name}-longest": lambda name=name: longest(name) for name in TITLES},
    "draughts-longest-by-pieces": lambda: longest_by_pieces("draughts"),
    "nine-hand": lambda: hand_counts("nine"),
    "nine-opening": lambda: opening("nine"),
    "nine-nofly-opening": lambda: opening("nine-nofly"),
    "twelve-opening": lambda: opening("twelve"),
    "nine-nofly-hand": lambda: hand_counts("nine-nofly"),
    "twelve-hand": lambda: hand_counts("twelve"),
    "draughts-pieces": lambda: piece_counts("draughts"),
    "nine-tables": lambda: every_table("nine"),
    "nine-nofly-tables": lambda: every_table("nine-nofly"),
    "twelve-tables": lambda: every_table("twelve"),
    "draughts-tables": lambda: every_table("draughts"),
}


def page(source):
    """Fills each region between `<!-- begin NAME -->` and `<!-- end -->`."""
    fill = lambda found: f"<!-- begin {found[1]} -->\n{REGIONS[found[1]]()}\n<!-- end -->"
    return re.sub(r"<!-- begin ([\w-]+) -->\n.*?<!-- end -->", fill, source, flags=re.S)


def main():
    written = {HERE / name: content for name, content in files()}
    for path in (HERE.parent / "results.md", HERE / "tables.md"):
        written[path] = page(path.read_text())
    stale = [path for path, content in written.items() if not path.exists() or path.read_text() != content]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path} is not current; run docs/results/generate.py")
        return 1 if stale else 0
    for path in stale:
        path.write_text(written[path])
    print(f"{len(stale)} of {len(written)} files written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
