// The men on a board, animated from one position to the next: a moving man slides, a placed man
// appears, a removed man fades.
import { s, reducedMotion } from './dom';
import type { Scale } from './scale';
import type { Man } from './types';

interface Standing extends Man {
  el: SVGGElement;
}

const CROWN = 'M-15 9 -19 -9 -8 -1 0 -13 8 -1 19 -9 15 9Z';

/** A man at the origin. */
export function drawMan(radius: number, man: Pick<Man, 'side' | 'kind'>): SVGGElement {
  const g = s(
    'g',
    { class: `man ${man.side}` },
    s('circle', { class: 'shadow', r: radius, cx: radius * 0.04, cy: radius * 0.12 }),
    s('circle', { class: 'body', r: radius }),
    s('circle', { class: 'rim', r: radius * 0.94 }),
    s('circle', { class: 'groove', r: radius * 0.66 }),
  );
  if (man.kind === 'king') g.append(s('path', { class: 'crown', d: CROWN, transform: `scale(${radius / 38})` }));
  return g;
}

export class Men {
  readonly layer = s('g', { class: 'men', 'aria-hidden': 'true' });
  private standing = new Map<string, Standing>();
  private carried: { name: string; x: number; y: number } | null = null;

  constructor(
    private readonly scale: Scale,
    private readonly place: (name: string) => { x: number; y: number },
  ) {}

  /** The man on a point. */
  at(name: string): Man | undefined {
    return this.standing.get(name);
  }

  /** Shows these men; `via` are the points that the moving man passes. */
  show(men: Man[], move = true, via: string[] = []): void {
    const next = new Map<string, Standing>();
    const came: Man[] = [];
    const gone = new Map(this.standing);
    for (const man of men) {
      const old = this.standing.get(man.at);
      if (old && old.side === man.side && old.kind === man.kind) {
        next.set(man.at, old);
        gone.delete(man.at);
      } else came.push(man);
    }
    const slow = move && !reducedMotion() && came.length <= 3 && gone.size <= 6;
    for (const man of came) {
      const old =
        [...gone.values()].find((g) => g.side === man.side && g.kind === man.kind) ??
        [...gone.values()].find((g) => g.side === man.side);
      if (old && came.length <= 2) {
        gone.delete(old.at);
        next.set(man.at, this.slide(old, man, slow, via));
      } else {
        next.set(man.at, this.appear(man, slow));
      }
    }
    for (const man of gone.values()) this.leave(man, slow);
    this.standing = next;
  }

  /** Moves a man with the mouse. */
  carry(name: string, x: number, y: number): void {
    const man = this.standing.get(name);
    if (!man) return;
    this.carried = { name, x, y };
    man.el.setAttribute('transform', `translate(${x} ${y})`);
    if (man.el !== this.layer.lastElementChild) this.layer.append(man.el);
  }

  /** Drops it: unless it has moved to another point, it returns to its own. */
  release(): void {
    if (this.carried) {
      const man = this.standing.get(this.carried.name);
      if (man) this.put(man.el, man.at);
    }
    this.carried = null;
  }

  /** Repositions every man after the board was rotated. */
  settle(): void {
    for (const man of this.standing.values()) this.put(man.el, man.at);
  }

  private put(el: SVGGElement, name: string): void {
    const { x, y } = this.place(name);
    el.setAttribute('transform', `translate(${x} ${y})`);
  }

  private slide(old: Standing, man: Man, slow: boolean, via: string[]): Standing {
    let el = old.el;
    if (old.kind !== man.kind) {
      el = drawMan(this.scale.radius, man);
      old.el.replaceWith(el);
    }
    this.put(el, man.at);
    this.layer.append(el);
    if (slow) {
      const from = this.carried?.name === old.at ? this.carried : this.place(old.at);
      const stops = [from, ...[...via, man.at].map((name) => this.place(name))].map(({ x, y }) => ({
        transform: `translate(${x}px, ${y}px)`,
      }));
      el.animate(stops, { duration: 240 + 130 * via.length, easing: 'cubic-bezier(.3,.7,.3,1)' });
    }
    return { ...man, el };
  }

  private appear(man: Man, slow: boolean): Standing {
    const el = drawMan(this.scale.radius, man);
    this.put(el, man.at);
    this.layer.append(el);
    if (slow) {
      const { x, y } = this.place(man.at);
      const at = (size: number, opacity: number) => ({
        transform: `translate(${x}px, ${y}px) scale(${size})`,
        opacity,
      });
      el.animate([at(1.35, 0), at(1, 1)], { duration: 200, easing: 'ease-out' });
    }
    return { ...man, el };
  }

  private leave(man: Standing, slow: boolean): void {
    if (!slow) {
      man.el.remove();
      return;
    }
    man.el.classList.add('leaving');
    const fading = man.el.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 320, easing: 'ease-in' });
    fading.onfinish = () => man.el.remove();
    fading.oncancel = () => man.el.remove();
  }
}
