// The trays above and below the board: name, turn, men in hand, men lost.
import { h, setChildren, s, type Child } from './dom';
import { drawMan } from './men';
import type { PositionAnswer, Ruleset, Side } from './types';

function pile(count: number, side: Side, what: string): HTMLElement | null {
  if (count <= 0) return null;
  const step = count > 9 ? 13 : 17;
  const width = (count - 1) * step + 28;
  const svg = s('svg', { viewBox: `0 0 ${width} 28`, width, height: 28, 'aria-hidden': 'true' });
  for (let i = 0; i < count; i += 1) {
    const man = drawMan(12, { side, kind: 'man' });
    man.setAttribute('transform', `translate(${14 + i * step} 13)`);
    svg.append(man);
  }
  return h('span', { class: `pile ${what}` }, svg, h('span', { class: 'count' }, `${count} ${what}`));
}

export class Tray {
  readonly el = h('div', { class: 'tray' });

  constructor(
    private readonly ruleset: Ruleset,
    readonly side: Side,
  ) {}

  /** `name` is the player, `extra` comes last (a clock). */
  show(answer: PositionAnswer | null, name?: string, extra?: Child): void {
    const { side } = this;
    const moves = answer !== null && !answer.finished && answer.side === side;
    this.el.classList.toggle('turn', moves);
    const hand = answer ? answer.hand[side === 'white' ? 0 : 1] : 0;
    const standing = answer ? answer.men.filter((man) => man.side === side).length : 0;
    const lost = answer ? Math.max(0, this.ruleset.men - hand - standing) : 0;
    setChildren(
      this.el,
      h(
        'span',
        { class: `who ${side}` },
        side === 'white' ? 'White' : 'Black',
        name ? h('span', { class: 'name' }, ` · ${name}`) : null,
        moves ? h('span', { class: 'moves' }, h('span', { class: 'hidden' }, ', '), 'to move') : null,
      ),
      h('span', { class: 'piles' }, pile(hand, side, 'in hand'), pile(lost, side, 'lost')),
      extra,
    );
  }
}

/** Both trays, Black's above the board. */
export function trays(ruleset: Ruleset): { white: Tray; black: Tray } {
  return { white: new Tray(ruleset, 'white'), black: new Tray(ruleset, 'black') };
}
