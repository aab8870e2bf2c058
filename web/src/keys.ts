// Help on keys and signs.
import { button, h } from './dom';
import { dialog } from './paste';
import { sign } from './turnlist';

const KEYS: [string, string][] = [
  ['Tab', 'to the board, then to the controls'],
  ['← ↑ → ↓', 'from point to point'],
  ['Enter, Space', 'choose the point'],
  ['Esc', 'undo the last choice'],
  ['U, R', 'undo, forward'],
  ['B', 'play the best move (Explore)'],
  ['F, M, S', 'flip, mirror, swap sides (Explore)'],
  ['E', 'edit the position (Explore)'],
];

export async function showKeys(): Promise<void> {
  const value = (outcome: 'win' | 'draw' | 'loss', text: string) => h('li', null, sign({ outcome, plies: null }), text);
  const el = h(
    'dialog',
    { 'aria-labelledby': 'keys-title' },
    h('h2', { id: 'keys-title' }, 'Keyboard shortcuts and symbols'),
    h(
      'ul',
      { class: 'signs' },
      value('win', 'The side to move wins; the number is the distance in plies under best play.'),
      value('draw', 'Neither side can force a win.'),
      value('loss', 'The side to move loses; the number is the distance in plies under best play.'),
      h(
        'li',
        null,
        sign({ outcome: null, plies: null, estimate: { score: 0, depth: 0, outcome: null, plies: null } }),
        'Not in the tables: a search estimate, in men.',
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
