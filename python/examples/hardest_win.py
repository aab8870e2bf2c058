"""Finds the hardest win of a table and draws it.

    python hardest_win.py 5v4

The table must be there: `endmill.build("nine", "data/db", tables="5v4")`. The picture goes to
`hardest-5v4.svg`, the line of best play to the console.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import endmill


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the hardest win of a table.")
    parser.add_argument("table", help="for instance 5v4")
    parser.add_argument("--ruleset", default="nine", help="the id of a ruleset")
    parser.add_argument("--db", help="the database; $ENDMILL_DB by default")
    parser.add_argument("--out", type=Path, help="the picture; hardest-TABLE.svg by default")
    asked = parser.parse_args()

    try:
        with endmill.open_database(asked.db, asked.ruleset) as db:
            table = db.table(asked.table)
            position = table.longest_win_position
            if position is None:
                parser.exit(1, f"no position of {table.name} is won\n")
            winning = [move for move in db.moves(position) if move.outcome == "win"]
            line = db.line(position)
            picture = db.game.svg(position, winning[0].turn)
            board = db.game.diagram(position)
    except (endmill.EndmillError, OSError) as error:
        parser.exit(1, f"{error}\n")

    out = asked.out or Path(f"hardest-{asked.table}.svg")
    out.write_text(picture, encoding="utf-8")
    print(board)
    print(f"{position}: {line.verdict}, the longest of {table.win} wins of {table.name}")
    print(f"winning moves: {', '.join(str(move) for move in winning)}")
    print(f"best play: {' '.join(line)}")
    print(f"drawn in {out}")


if __name__ == "__main__":
    main()
