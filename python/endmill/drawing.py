"""Boards as SVG pictures, from nothing but the geometry that the game answers."""

from __future__ import annotations

from xml.sax.saxutils import escape

from .answers import Geometry, Man, Place, State, Turn

_MARGIN = 0.9
_COLOURS = {"white": ("#fdfdfb", "#333"), "black": ("#2b2b2b", "#000")}
_STYLE = (
    ".line{stroke:#6b5b45;stroke-width:.06}"
    ".dark{fill:#b08d63}.light{fill:#eeddc0}"
    ".name{font:.28px sans-serif;fill:#6b5b45}"
    ".turn{stroke:#c0392b;stroke-width:.1;fill:none;stroke-linecap:round}"
)


def svg(board: Geometry, state: State, turn: Turn | None = None, *, size: int = 400) -> str:
    """Draws a board with its men, and an arrow for a turn if one is given.

    The picture is ``size`` pixels wide unless it is scaled.
    """
    width, height = board.width + 2 * _MARGIN, board.height + 2 * _MARGIN
    places = {place.name: place for place in board.places}
    occupied = {man.at for man in state.men}
    pixels = f'width="{size}" height="{size * height / width:.0f}"'
    view = f"{-_MARGIN:g} {-_MARGIN:g} {width:g} {height:g}"
    corner = f'x="{-_MARGIN:g}" y="{-_MARGIN:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {pixels} viewBox="{view}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="light" {corner} width="{width:g}" height="{height:g}"/>',
        *(_squares(board) if board.kind == "squares" else _lines(board)),
        *(_name(board, place) for place in board.places if place.name not in occupied),
        *(_man(man, places[man.at]) for man in state.men),
        *(_hand(state, board)),
    ]
    if turn is not None:
        parts += _arrow(turn, places)
    return "\n".join([*parts, "</svg>\n"])


def _lines(board: Geometry) -> list[str]:
    ends = [(board.places[a], board.places[b]) for a, b in board.edges]
    lines = [
        f'<line class="line" x1="{a.x:g}" y1="{a.y:g}" x2="{b.x:g}" y2="{b.y:g}"/>' for a, b in ends
    ]
    points = [
        f'<circle cx="{at.x:g}" cy="{at.y:g}" r=".09" fill="#6b5b45"/>' for at in board.places
    ]
    return lines + points


def _squares(board: Geometry) -> list[str]:
    squares = [
        f'<rect class="dark" x="{at.x - 0.5:g}" y="{at.y - 0.5:g}" width="1" height="1"/>'
        for at in board.places
    ]
    edge = (
        f'<rect class="line" fill="none" x="0" y="0" '
        f'width="{board.width:g}" height="{board.height:g}"/>'
    )
    return [*squares, edge]


def _name(board: Geometry, at: Place) -> str:
    """In the corner of a square, or beside a point."""
    right, down = (-0.47, -0.23) if board.kind == "squares" else (0.12, -0.14)
    return f'<text class="name" x="{at.x + right:g}" y="{at.y + down:g}">{escape(at.name)}</text>'


def _man(man: Man, at: Place) -> str:
    fill, stroke = _COLOURS[man.side]
    disc = (
        f'<circle class="{man.side} {man.kind}" cx="{at.x:g}" cy="{at.y:g}" r=".36" '
        f'fill="{fill}" stroke="{stroke}" stroke-width=".04"/>'
    )
    if man.kind != "king":
        return disc
    return disc + (
        f'<path d="M{at.x - 0.2:g} {at.y + 0.14:g}v-.3l.1 .14l.1-.2l.1 .2l.1-.14v.3z" '
        f'fill="{_COLOURS["black" if man.side == "white" else "white"][0]}"/>'
    )


def _hand(state: State, board: Geometry) -> list[str]:
    """Small discs for the men still to be placed, Black's above the board, White's below."""
    discs = []
    for side, count, y in (
        ("black", state.hand[1], -0.68),
        ("white", state.hand[0], board.height + 0.68),
    ):
        fill, stroke = _COLOURS[side]
        discs += [
            f'<circle class="{side} in-hand" cx="{0.4 * number + 0.2:g}" cy="{y:g}" r=".15" '
            f'fill="{fill}" stroke="{stroke}" stroke-width=".03"/>'
            for number in range(count)
        ]
    return discs


def _arrow(turn: Turn, places: dict[str, Place]) -> list[str]:
    end = places[turn.end]
    names = [turn.start, *turn.via, turn.end]
    way = [places[name] for name in names if name is not None]
    drawn = [
        f'<circle class="turn" cx="{end.x:g}" cy="{end.y:g}" r=".42"/>',
        *(_cross(places[name]) for name in turn.taken),
    ]
    if len(way) > 1:
        points = " ".join(f"{at.x:g},{at.y:g}" for at in way)
        drawn.insert(0, f'<polyline class="turn" points="{points}"/>')
    return drawn


def _cross(at: Place) -> str:
    x, y = at.x, at.y
    return (
        f'<path class="turn" d="M{x - 0.25:g} {y - 0.25:g}l.5 .5M{x - 0.25:g} {y + 0.25:g}l.5-.5"/>'
    )
