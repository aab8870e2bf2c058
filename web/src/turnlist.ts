// The moves of a position, grouped by outcome, best first, then by distance.
import { button, h, keepFocus, setChildren } from './dom';
import type { Move } from './types';
import { distance, grouped, heading, kindOf, score, verb, type Kind } from './value';
import type { Worth } from './types';

/** The meaning of the number before a row of moves. */
const MEANING: Partial<Record<Kind, string>> = { estimate: 'Men ahead, by search', draw: 'How good the draw is' };

/** A sign for an outcome in a text: shape, colour and letter. */
export function sign(worth: Worth): HTMLElement {
  const kind = kindOf(worth);
  const letter = kind === 'estimate' ? '≈' : kind === 'unknown' ? '?' : { win: 'W', draw: 'D', loss: 'L' }[kind];
  return h('span', { class: `sign ${kind}`, 'aria-hidden': 'true' }, letter);
}

function far(kind: Kind, worth: Worth): string {
  if (kind === 'estimate') return worth.estimate ? score(worth.estimate.score) : '';
  const plies = distance(worth);
  return plies && (kind === 'draw' ? plies : `in ${plies}`);
}

interface Calls {
  /** The move under the pointer, or none. */
  point(move: Move | null): void;
  play(move: Move): void;
}

const MAX_SHOWN = 24;

export class TurnList {
  readonly el = h('section', { class: 'turns', 'aria-label': 'Moves' });
  private open = new Set<Kind>();

  constructor(private readonly calls: Calls) {}

  show(moves: Move[]): void {
    keepFocus(this.el, () => this.draw(moves));
  }

  private draw(moves: Move[]): void {
    const groups = grouped(moves);
    setChildren(
      this.el,
      ...groups.map((group) => {
        const whole = this.open.has(group.kind) || group.count <= MAX_SHOWN;
        const el = h(
          'div',
          { class: `group ${group.kind}` },
          h('h2', null, sign(group.rows[0]!.worth), heading(group.kind), h('span', { class: 'count' }, group.count)),
        );
        let left = whole ? Infinity : MAX_SHOWN;
        for (const row of group.rows) {
          if (left <= 0) break;
          const turns = row.moves.slice(0, left);
          left -= turns.length;
          const text = far(group.kind, row.worth);
          el.append(
            h(
              'div',
              { class: 'row' },
              text ? h('span', { class: 'far', title: MEANING[group.kind] ?? 'Plies to the end' }, text) : null,
              h(
                'div',
                { class: 'chips' },
                ...turns.map((move, i) => this.chip(move, turns[i - 1]?.class === move.class)),
              ),
            ),
          );
        }
        if (!whole) {
          el.append(
            button(
              `Show all ${group.count}`,
              () => {
                this.open.add(group.kind);
                this.show(moves);
              },
              { class: 'more' },
            ),
          );
        }
        return el;
      }),
    );
  }

  private chip(move: Move, alike: boolean): HTMLElement {
    const point = () => this.calls.point(move);
    const away = () => this.calls.point(null);
    return button(move.move, () => this.calls.play(move), {
      class: alike ? 'chip alike' : 'chip',
      'aria-label': `${move.move}, ${verb(move)}${alike ? ', symmetric to the previous move' : ''}`,
      title: alike ? 'Symmetric to the previous move' : null,
      onpointerenter: point,
      onpointerleave: away,
      onfocus: point,
      onblur: away,
    });
  }
}
