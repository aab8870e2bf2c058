// The editor: men, hands, side to move, and what else the rules count. The server checks the position.
import * as api from './api';
import { h, setChildren, s } from './dom';
import { drawMan } from './men';
import type { Man, PositionAnswer, Ruleset, SetupRequest, Side } from './types';
import { announce, reason } from './view';

interface Calls {
  /** The men to show. */
  men(men: Man[]): void;
  /** A legal position. */
  done(position: string): void;
  /** Whether the position is illegal. */
  problem(there: boolean): void;
}

type Setup = SetupRequest & Pick<PositionAnswer, 'hand'>;
type Brush = { side: Side; kind: Man['kind'] } | null;

export class Editor {
  readonly el = h('section', { class: 'editor', 'aria-label': 'Editor' });
  private readonly trouble = h('p', { class: 'trouble', role: 'alert' });
  private setup: Setup;
  /** The last legal one. */
  private accepted: Setup;
  private brush: Brush = { side: 'white', kind: 'man' };
  private asked = 0;
  private checking: Promise<void> = Promise.resolve();
  /** The men that came from the hand, to which they return when cleared. */
  private readonly placed = new Set<string>();
  private readonly hands: HTMLInputElement[] = [];

  constructor(
    private readonly ruleset: Ruleset,
    answer: PositionAnswer,
    private readonly calls: Calls,
  ) {
    this.setup = this.accepted = read(answer);
    this.draw();
  }

  /** Takes over a new position: after undo, or because the server accepted it. Returns the men to show. */
  take(answer: PositionAnswer): Man[] {
    const setup = read(answer);
    // The server may answer an older state of the editor.
    if (!sameSetup(setup, this.accepted)) {
      this.asked += 1;
      this.setup = this.accepted = setup;
      this.placed.clear();
      this.say('');
      this.draw();
    }
    return this.setup.men;
  }

  /** Resolves to whether the position is legal, once the server has answered. */
  async settled(): Promise<boolean> {
    let last;
    do {
      last = this.checking;
      await last;
    } while (last !== this.checking);
    return this.problem === '';
  }

  /** Why the position is illegal. */
  get problem(): string {
    return this.trouble.textContent ?? '';
  }

  /** Places the chosen man on a point; the same man again, or the eraser, clears it. */
  put(at: string): void {
    const { brush } = this;
    const there = this.setup.men.find((man) => man.at === at);
    const men = this.setup.men.filter((man) => man.at !== at);
    const same = there && brush && there.side === brush.side && there.kind === brush.kind;
    if (brush && !same) men.push({ at, ...brush });
    announce(brush && !same ? `${brush.side} ${brush.kind} on ${at}` : `${at} cleared`);
    const hand: [number, number] = [...this.setup.hand];
    if (there && this.placed.delete(at)) hand[there.side === 'white' ? 0 : 1] += 1;
    if (brush && !same) {
      const i = brush.side === 'white' ? 0 : 1;
      if (hand[i] > 0) {
        hand[i] -= 1;
        this.placed.add(at);
      }
    }
    this.hands.forEach((input, i) => (input.value = String(hand[i])));
    this.change({ men, hand });
  }

  private change(part: Partial<Setup>): void {
    this.setup = { ...this.setup, ...part };
    this.calls.men(this.setup.men);
    this.checking = this.check();
  }

  private async check(): Promise<void> {
    const turn = (this.asked += 1);
    const { setup } = this;
    try {
      const { position } = await api.setup(this.ruleset.id, setup);
      if (turn !== this.asked) return;
      this.accepted = setup;
      this.say('');
      this.calls.done(position);
    } catch (error) {
      if (turn === this.asked) this.say(`Not a legal position: ${reason(error)}`);
    }
  }

  private say(problem: string): void {
    this.trouble.textContent = problem;
    this.calls.problem(problem !== '');
  }

  private draw(): void {
    const { geometry, memory } = this.ruleset;
    const brushes: [string, Brush][] = [
      ['White man', { side: 'white', kind: 'man' }],
      ['Black man', { side: 'black', kind: 'man' }],
    ];
    if (geometry.kind === 'squares') {
      brushes.push(['White king', { side: 'white', kind: 'king' }], ['Black king', { side: 'black', kind: 'king' }]);
    }
    brushes.push(['Eraser', null]);
    const hands = (['White', 'Black'] as const).map((name, i) =>
      this.number(`${name} in hand`, this.setup.hand[i]!, this.ruleset.men, (n) =>
        this.change({ hand: i === 0 ? [n, this.setup.hand[1]] : [this.setup.hand[0], n] }),
      ),
    );
    this.hands.splice(0, 2, ...hands.map((label) => label.querySelector('input')!));
    setChildren(
      this.el,
      h('h2', null, 'Set up a position'),
      choice(
        'Place',
        'brush',
        brushes.map(([label, brush]) => ({
          label: brush ? small(brush) : '✕',
          name: label,
          on: JSON.stringify(brush) === JSON.stringify(this.brush),
          pick: () => (this.brush = brush),
        })),
      ),
      choice(
        'To move',
        'mover',
        (['white', 'black'] as const).map((side) => ({
          label: side === 'white' ? 'White' : 'Black',
          name: side,
          on: this.setup.side === side,
          pick: () => this.change({ side }),
        })),
      ),
      geometry.kind === 'points' ? h('div', { class: 'numbers' }, ...hands) : null,
      memory?.quiet
        ? this.number('Plies without a removal', this.setup.quiet ?? 0, memory.quiet, (quiet) => this.change({ quiet }))
        : null,
      memory?.bans ? this.bans() : null,
      h('div', { class: 'tools' }, h('button', { type: 'button', onclick: () => this.clear() }, 'Clear the board')),
      this.trouble,
    );
  }

  private clear(): void {
    this.placed.clear();
    this.change({ men: [] });
  }

  private number(label: string, value: number, max: number, set: (n: number) => void): HTMLElement {
    return h(
      'label',
      null,
      label,
      h('input', {
        type: 'number',
        min: 0,
        max,
        value,
        inputmode: 'numeric',
        onchange: (event: Event) =>
          set(Math.max(0, Math.min(max, Number((event.target as HTMLInputElement).value) || 0))),
      }),
    );
  }

  private bans(): HTMLElement {
    return h(
      'label',
      null,
      'Banned mills',
      h('input', {
        type: 'text',
        value: (this.setup.banned ?? []).join(' '),
        placeholder: 'a1-a4-a7',
        autocomplete: 'off',
        spellcheck: 'false',
        onchange: (event: Event) =>
          this.change({ banned: (event.target as HTMLInputElement).value.split(/[\s,;]+/).filter(Boolean) }),
      }),
    );
  }
}

function read({ men, hand, side, quiet, banned }: PositionAnswer): Setup {
  return { men, hand, side, ...(quiet === undefined ? {} : { quiet }), ...(banned === undefined ? {} : { banned }) };
}

function sameSetup(a: Setup, b: Setup): boolean {
  const text = ({ men, ...rest }: Setup) =>
    JSON.stringify([
      men.map((man) => `${man.at} ${man.side} ${man.kind}`).sort(),
      rest.hand,
      rest.side,
      rest.quiet ?? 0,
      rest.banned ?? [],
    ]);
  return text(a) === text(b);
}

function small(brush: NonNullable<Brush>): SVGSVGElement {
  const man = drawMan(12, brush);
  man.setAttribute('transform', 'translate(15 14)');
  return s('svg', { class: 'brush', viewBox: '0 0 30 30', width: 30, height: 30, 'aria-hidden': 'true' }, man);
}

interface Choice {
  label: Node | string;
  name: string;
  on: boolean;
  pick: () => void;
}

/** A row of radio buttons. */
export function choice(title: string, group: string, choices: Choice[]): HTMLElement {
  return h(
    'fieldset',
    { class: 'choice' },
    h('legend', null, title),
    h(
      'div',
      { class: 'options' },
      ...choices.map((c) =>
        h(
          'label',
          { title: typeof c.label === 'string' && c.label.length > 1 ? null : c.name },
          h('input', {
            type: 'radio',
            name: group,
            value: c.name,
            checked: c.on,
            'aria-label': c.name,
            onchange: c.pick,
          }),
          h('span', null, c.label),
        ),
      ),
    ),
  );
}
