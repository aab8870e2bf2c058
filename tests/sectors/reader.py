"""Reads sector files, written from the description of the format and sharing nothing with Endmill.

    reader.py values DIR NAME                    positions on standard input; a value a line out
    reader.py slots DIR NAME W B WF BF N         N slots evenly spread: position, tab, value
    reader.py redirect DIR NAME W B WF BF        redirections and exceptions, the same meaning
    reader.py spoil DIR NAME W B WF BF SLOT KEY1 KEY2    overwrites a cell

NAME is the beginning of the files' names: std, lask or mora. A position is written as Endmill
writes it: W:Wa1,…:Bb2,…:H2,1.
"""

import itertools
import os
import re
import struct
import sys

ORDER = (
    "a4 a7 d7 g7 g4 g1 d1 a1 b4 b6 d6 f6 f4 f2 d2 b2 c4 c5 d5 e5 e4 e3 d3 c3".split()
)
OFFSET = {"std": 12, "lask": 14, "mora": 14}
ALL = (1 << 24) - 1


def symmetries():
    """Eight of the square, with and without the outer and inner ring changed: bit by bit."""
    found = []
    for swap, mirror, turn in itertools.product((False, True), (False, True), range(0, 8, 2)):
        images = []
        for bit in range(24):
            ring, place = divmod(bit, 8)
            if swap:
                ring = 2 - ring
            if mirror:
                place = -place
            images.append(8 * ring + (place + turn) % 8)
        found.append(images)
    return found


SYMMETRIES = symmetries()


def members(mask):
    return [bit for bit in range(24) if mask >> bit & 1]


def moved(mask, images):
    return sum(1 << images[bit] for bit in members(mask))


def masks(size, points=24):
    return sorted(sum(1 << bit for bit in set_) for set_ in itertools.combinations(range(points), size))


class Sector:
    """One file, with the values of the list."""

    def __init__(self, directory, name, w, b, wf, bf):
        self.path = os.path.join(directory, f"{name}_{w}_{b}_{wf}_{bf}.sec2")
        with open(self.path, "rb") as file:
            self.bytes = bytearray(file.read())
        self.w, self.b, self.hands = w, b, (wf, bf)
        self.offset = OFFSET[name]
        version, size, offset, flag = struct.unpack_from("<iiib", self.bytes)
        assert (version, size, offset, flag) == (2, 3, self.offset, 0), "header"
        assert not any(self.bytes[13:64]), "zeros up to byte 64"
        self.least = [mask for mask in masks(w) if all(moved(mask, s) >= mask for s in SYMMETRIES)]
        self.orbit = {mask: number for number, mask in enumerate(self.least)}
        self.columns = masks(b, 24 - w)
        self.rank = {mask: number for number, mask in enumerate(self.columns)}
        self.slots = len(self.least) * len(self.columns)
        end = 64 + 3 * self.slots
        (count,) = struct.unpack_from("<i", self.bytes, end)
        assert len(self.bytes) == end + 4 + 8 * count, "size"
        pairs = struct.iter_unpack("<ii", bytes(self.bytes[end + 4 :]))
        self.exceptions = dict(pairs)
        self.loss, self.win, self.value = sector_value(directory, name, (w, b, wf, bf))

    def keys(self, slot):
        raw = int.from_bytes(self.bytes[64 + 3 * slot : 67 + 3 * slot], "little")
        first = raw & ((1 << self.offset) - 1)
        if first >= 1 << (self.offset - 1):
            first -= 1 << self.offset
        second = raw >> self.offset
        bits = 24 - self.offset
        if second >= 1 << (bits - 1):
            second -= 1 << bits
        if second == -(1 << (bits - 1)):
            second = self.exceptions[slot]
        return first, second

    def put(self, slot, first, second):
        raw = (second & ((1 << (24 - self.offset)) - 1)) << self.offset
        raw |= first & ((1 << self.offset) - 1)
        self.bytes[64 + 3 * slot : 67 + 3 * slot] = raw.to_bytes(3, "little")

    def save(self):
        end = 64 + 3 * self.slots
        tail = struct.pack("<i", len(self.exceptions))
        for slot, value in sorted(self.exceptions.items()):
            tail += struct.pack("<ii", slot, value)
        with open(self.path, "wb") as file:
            file.write(bytes(self.bytes[:end]) + tail)

    def squeezed(self, own, other):
        """The opponent's bits over the mover's points."""
        free = [bit for bit in range(24) if not own >> bit & 1]
        return sum(1 << i for i, bit in enumerate(free) if other >> bit & 1)

    def spread(self, own, squeezed):
        free = [bit for bit in range(24) if not own >> bit & 1]
        return sum(1 << bit for i, bit in enumerate(free) if squeezed >> i & 1)

    def slot(self, own, other):
        images = min(SYMMETRIES, key=lambda images: moved(own, images))
        least = moved(own, images)
        column = self.rank[self.squeezed(least, moved(other, images))]
        return self.orbit[least] * len(self.columns) + column

    def place(self, slot):
        orbit, column = divmod(slot, len(self.columns))
        own = self.least[orbit]
        return own, self.spread(own, self.columns[column])

    def symmetric(self, slot):
        """The other slots of a position, by the symmetries that keep the mover's mask."""
        own, other = self.place(slot)
        first = slot // len(self.columns) * len(self.columns)
        for number, images in enumerate(SYMMETRIES):
            if moved(own, images) == own:
                yield number, first + self.rank[self.squeezed(own, moved(other, images))]

    def text(self, slot):
        first, second = self.keys(slot)
        if first == 0 and second < 0:
            found = [self.keys(other) for _, other in self.symmetric(slot)]
            found = {keys for keys in found if not (keys[0] == 0 and keys[1] < 0)}
            assert len(found) == 1, f"slot {slot} is redirected to {found}"
            ((first, second),) = found
        absolute = first + self.value
        if absolute == self.win:
            return f"win {second}"
        if absolute == self.loss:
            return f"loss {second}"
        return "draw"

    def position(self, slot):
        reading = lambda name: (name[1], name[0])
        points = [[ORDER[bit] for bit in members(mask)] for mask in self.place(slot)]
        names = [",".join(sorted(side, key=reading)) for side in points]
        own, other = self.hands
        # While men are placed in turn, Black is to move with one more in hand than White.
        black = own > other
        white = 1 if black else 0
        hands = self.hands[::-1] if black else self.hands
        hand = f":H{hands[0]},{hands[1]}" if any(hands) else ""
        return f"{'B' if black else 'W'}:W{names[white]}:B{names[1 - white]}{hand}"


def sector_value(directory, name, sector):
    with open(os.path.join(directory, f"{name}.secval")) as file:
        lines = file.read().split("\n")
    loss = int(re.fullmatch(r"virt_loss_val: (-?\d+)", lines[0])[1])
    win = int(re.fullmatch(r"virt_win_val: (\d+)", lines[1])[1])
    count = int(lines[2])
    entries = [line for line in lines[3:] if line]
    assert len(entries) == count == {"std": 498, "lask": 3070, "mora": 1216}[name], "sectors"
    values = {}
    for entry in entries:
        numbers = re.fullmatch(r"(\d+) (\d+) (\d+) (\d+)  (-?\d+)", entry).groups()
        values[tuple(map(int, numbers[:4]))] = int(numbers[4])
    assert len(values) == count, "each once"
    return loss, win, values[sector]


def of_position(text):
    """Mover and opponent as masks, and their hands."""
    mover, white, black, *rest = text.split(":")
    mask = lambda names: sum(1 << ORDER.index(point) for point in names[1:].split(",") if point)
    hands = [0, 0]
    if rest:
        hands = [int(hand) for hand in rest[0][1:].split(",")]
    sides = [(mask(white), hands[0]), (mask(black), hands[1])]
    return sides if mover == "W" else sides[::-1]


def opened(directory, name, numbers, known={}):
    key = (directory, name, *numbers)
    if key not in known:
        known[key] = Sector(directory, name, *numbers)
    return known[key]


def main():
    what, directory, name, *rest = sys.argv[1:]
    if what == "values":
        for line in sys.stdin:
            (own, own_hand), (other, other_hand) = of_position(line.strip())
            numbers = (len(members(own)), len(members(other)), own_hand, other_hand)
            sector = opened(directory, name, numbers)
            print(sector.text(sector.slot(own, other)))
        return
    numbers = tuple(map(int, rest[:4]))
    sector = opened(directory, name, numbers)
    if what == "slots":
        wanted = min(int(rest[4]), sector.slots)
        for i in range(wanted):
            slot = i * sector.slots // wanted
            print(sector.position(slot), sector.text(slot), sep="\t")
    elif what == "redirect":
        redirected = 0
        for slot in range(sector.slots):
            number, least = min(sector.symmetric(slot), key=lambda pair: pair[1])
            keys = sector.keys(slot)
            if least < slot:
                sector.put(slot, 0, -(number + 1))
                redirected += 1
            elif slot % 5 == 0 and keys[1] >= 0:
                sector.put(slot, keys[0], -(1 << (23 - sector.offset)))
                sector.exceptions[slot] = keys[1]
        sector.save()
        print(redirected, len(sector.exceptions))
    elif what == "spoil":
        slot, first, second = map(int, rest[4:])
        sector.put(slot, first, second)
        sector.save()
        print(sector.position(slot))


main()
