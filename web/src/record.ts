// The moves of a game in pairs, like a scoresheet.
import { h } from './dom';

export function record(moves: string[]): HTMLElement | null {
  if (moves.length === 0) return null;
  const list = h('ol', { class: 'record', tabindex: 0, 'aria-label': 'Moves played' });
  for (let i = 0; i < moves.length; i += 2) {
    list.append(h('li', null, h('span', null, moves[i]), h('span', null, moves[i + 1] ?? '')));
  }
  requestAnimationFrame(() => (list.scrollTop = list.scrollHeight));
  return list;
}
