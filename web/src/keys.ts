// What the keys do and what the signs mean.
import { button, h } from './dom';
import { dialog } from './paste';
import { sign } from './turnlist';

const KEYS: [string, string][] = [
  ['Tab', 'to the board, then to what stands beside it'],
  ['← ↑ → ↓', 'from point to point'],
  ['Enter, Space', 'choose the point'],
  ['Esc', 'take the last choice back'],
  ['U, R', 'undo, forward'],
  ['B', 'play the best turn (Explore)'],
  ['F, M, S', 'flip, mirror, swap sides (Explore)'],
  ['E', 'edit the position (Explore)'],
];

export async function showKeys(): Promise<void> {
  const value = (outcome: 'win' | 'draw' | 'loss', text: string) => h('li', null, sign({ outcome, plies: null }), text);
  const el = h(
    'dialog',
    { 'aria-labelledby': 'keys-title' },
    h('h2', { id: 'keys-title' }, 'Keys and signs'),
    h(
      'ul',
      { class: 'signs' },
      value('win', 'The side that moves wins; the number is how many plies it takes when both play their best.'),
      value('draw', 'Neither side can force a win.'),
      value('loss', 'The side that moves loses; the number is how long it can hold out.'),
      h(
        'li',
        null,
        sign({ outcome: null, plies: null, estimate: { score: 0, depth: 0, outcome: null, plies: null } }),
        'Beyond the tables: what a search believes, in men ahead.',
      ),
    ),
    h('dl', { class: 'keys' }, ...KEYS.flatMap(([key, text]) => [h('dt', null, key), h('dd', null, text)])),
    h('p', { class: 'note' }, 'The letters work while the board has the focus.'),
    h(
      'div',
      { class: 'tools end' },
      button('Close', () => el.close(), { class: 'primary' }),
    ),
  );
  await dialog(el);
}
