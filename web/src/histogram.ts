// How many positions are decided at each ply, on a logarithmic scale: won ones up, lost ones down.
import { h, s } from './dom';
import { figures } from './scroll';
import type { Table } from './types';

const H = 250;
const LEFT = 52;
const BOTTOM = 34;
const TOP = 10;

export const count = (n: number): string => n.toLocaleString('en');

export function histogram(table: Table): HTMLElement | null {
  const entries = Object.entries(table.plies ?? {})
    .map(([ply, n]) => [Number(ply), n] as const)
    .sort((a, b) => a[0] - b[0]);
  if (entries.length === 0) return null;
  // Letters keep their size on narrow screens.
  const W = Math.max(330, Math.min(640, innerWidth - 40));
  const last = entries.at(-1)![0];
  const most = Math.max(...entries.map(([, n]) => n));
  const decades = Math.max(1, Math.ceil(Math.log10(most + 1)));
  const x = (ply: number) => LEFT + (ply / (last + 1)) * (W - LEFT - 4);
  const y = (n: number) => H - BOTTOM - (Math.log10(Math.max(1, n)) / decades) * (H - BOTTOM - TOP);
  const wide = Math.max(1.5, ((W - LEFT) / (last + 1)) * 0.82);
  const svg = s('svg', {
    class: 'histogram',
    viewBox: `0 0 ${W} ${H}`,
    role: 'img',
    'aria-label': `Positions of ${table.table} by plies, up to ${last}; the numbers are in the list below.`,
  });
  for (let d = 0; d <= decades; d += 1) {
    const at = y(10 ** d);
    svg.append(
      s('line', { class: 'grid', x1: LEFT, x2: W, y1: at, y2: at }),
      s('text', { class: 'axis y', x: LEFT - 8, y: at + 5 }, power(d)),
    );
  }
  for (const [ply, n] of entries) {
    const top = y(n);
    // Even one position gets a visible bar.
    svg.append(
      s(
        'rect',
        {
          class: ply % 2 ? 'win' : 'loss',
          x: x(ply),
          y: Math.min(top, H - BOTTOM - 3),
          width: wide,
          height: Math.max(3, H - BOTTOM - top),
        },
        s('title', null, `${ply % 2 ? 'won' : 'lost'} in ${ply}: ${count(n)}`),
      ),
    );
  }
  const step = [1, 2, 5, 10, 20, 50, 100].find((step) => (last + 1) / step <= W / 45) ?? 100;
  for (let ply = 0; ply <= last; ply += step)
    svg.append(s('text', { class: 'axis', x: x(ply) + wide / 2, y: H - 12 }, ply));
  return h(
    'figure',
    null,
    svg,
    h(
      'figcaption',
      { class: 'note' },
      h('span', { class: 'key win' }),
      ' won and ',
      h('span', { class: 'key loss' }),
      ' lost for the side to move, by plies to the end; each line is ten times the one below.',
    ),
    h(
      'details',
      null,
      h('summary', null, 'The numbers'),
      figures(
        'Positions by plies',
        ['Plies', 'Outcome', 'Positions'],
        entries.map(([ply, n]) =>
          h(
            'tr',
            null,
            h('th', { scope: 'row' }, ply),
            h('td', null, ply % 2 ? 'won' : 'lost'),
            h('td', null, count(n)),
          ),
        ),
      ),
    ),
  );
}

function power(d: number): string {
  return d < 3 ? String(10 ** d) : d < 6 ? `${10 ** (d - 3)}k` : d < 9 ? `${10 ** (d - 6)}M` : `${10 ** (d - 9)}G`;
}
