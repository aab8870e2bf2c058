// The graph of tables: more men to the right, more men in hand further down. Pointing at a table shows what it
// leads to and what leads to it.
import { s } from './dom';
import type { Table } from './types';

const CELL = { w: 84, h: 34 };
const GAP = 26;

interface Node {
  row: Table;
  x: number;
  y: number;
}

/** Places tables of the same material and hand together. */
function place(
  rows: Table[],
  what: string,
): {
  nodes: Map<string, Node>;
  width: number;
  height: number;
  columns: { text: string; x: number }[];
} {
  const cells = new Map<number, Map<number, Table[]>>();
  for (const row of rows) {
    const column = cells.get(row.pieces + row.in_hand) ?? new Map<number, Table[]>();
    cells.set(row.pieces + row.in_hand, column);
    column.set(row.in_hand, [...(column.get(row.in_hand) ?? []), row]);
  }
  const across = new Map<number, number>();
  for (const [total, column] of cells) {
    const most = Math.max(...[...column.values()].map((list) => list.length));
    across.set(total, Math.max(1, Math.min(most, rows.length > 60 ? 3 : Math.ceil(Math.sqrt(most)))));
  }
  const nodes = new Map<string, Node>();
  const columns: { text: string; x: number }[] = [];
  const hands = [...new Set(rows.map((row) => row.in_hand))].sort((a, b) => a - b);
  const tops = new Map<number, number>();
  let y = 34;
  for (const hand of hands) {
    tops.set(hand, y);
    const lines = Math.max(
      ...[...cells].map(([total, column]) => Math.ceil((column.get(hand)?.length ?? 0) / across.get(total)!)),
    );
    y += lines * CELL.h + GAP;
  }
  let x = 8;
  for (const total of [...cells.keys()].sort((a, b) => a - b)) {
    const n = across.get(total)!;
    columns.push({ text: `${total} ${what}`, x: x + (n * CELL.w) / 2 });
    for (const [hand, list] of cells.get(total)!) {
      list.forEach((row, i) =>
        nodes.set(row.table, { row, x: x + (i % n) * CELL.w, y: tops.get(hand)! + Math.floor(i / n) * CELL.h }),
      );
    }
    x += n * CELL.w + GAP * 1.6;
  }
  return { nodes, width: x - GAP, height: y - GAP + 8, columns };
}

/** `what` names the unit: men, or pieces if there are kings. */
export function tableGraph(
  rows: Table[],
  href: (table: string) => string,
  what: string,
  chosen?: string,
): SVGSVGElement {
  const { nodes, width, height, columns } = place(rows, what);
  const arrows = s('g', { class: 'arrows' });
  const quiet = s('g', { class: 'quiet' });
  const svg = s('svg', {
    class: 'tablegraph',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'group',
    'aria-label': 'Graph of tables',
  });
  svg.append(quiet, ...columns.map((c) => s('text', { class: 'axis', x: c.x, y: 16 }, c.text)), arrows);
  const connect = (a: Node, b: Node, kind: string) => {
    const [x1, y1, x2, y2] = [a.x + 38, a.y + 13, b.x + 38, b.y + 13];
    const bend = Math.max(20, Math.abs(x1 - x2) / 3);
    return s('path', {
      class: kind,
      d: `M${x1} ${y1}C${x1 + Math.sign(x2 - x1) * bend} ${y1} ${x2 - Math.sign(x2 - x1) * bend} ${y2} ${x2} ${y2}`,
    });
  };
  quiet.classList.toggle('dense', rows.length > 60);
  for (const node of nodes.values()) {
    for (const to of node.row.leads_to) if (nodes.has(to)) quiet.append(connect(node, nodes.get(to)!, 'edge'));
  }
  const point = (node: Node | null) => {
    arrows.textContent = '';
    svg.classList.toggle('pointing', node !== null);
    for (const el of svg.querySelectorAll('.near')) el.classList.remove('near');
    if (!node) return;
    const near = new Set([node.row.table]);
    for (const to of node.row.leads_to) {
      if (nodes.has(to)) arrows.append(connect(node, nodes.get(to)!, 'out'));
      near.add(to);
    }
    for (const from of nodes.values()) {
      if (!from.row.leads_to.includes(node.row.table)) continue;
      arrows.append(connect(from, node, 'in'));
      near.add(from.row.table);
    }
    for (const el of svg.querySelectorAll<SVGElement>('.node'))
      el.classList.toggle('near', near.has(el.dataset.table!));
  };
  for (const node of nodes.values()) {
    const { row } = node;
    const part = (n: number) => (row.positions ? (n / row.positions) * 76 : 0);
    svg.append(
      s(
        'a',
        {
          class: `node${row.table === chosen ? ' chosen' : ''}`,
          href: href(row.table),
          'data-table': row.table,
          transform: `translate(${node.x} ${node.y})`,
          'aria-label': `Table ${row.table}, leads to ${row.leads_to.join(', ') || 'none'}`,
          'aria-current': row.table === chosen ? 'true' : null,
          onpointerenter: () => point(node),
          onpointerleave: () => point(null),
          onfocus: () => point(node),
          onblur: () => point(null),
        },
        s('rect', { class: 'back', width: 76, height: 27, rx: 6 }),
        s('text', { x: 38, y: 16 }, row.table),
        s('rect', { class: 'win', x: 5, y: 20.5, width: part(row.win) * 0.87, height: 3 }),
        s('rect', { class: 'draw', x: 5 + part(row.win) * 0.87, y: 20.5, width: part(row.draw) * 0.87, height: 3 }),
        s('rect', {
          class: 'loss',
          x: 5 + part(row.win + row.draw) * 0.87,
          y: 20.5,
          width: part(row.loss) * 0.87,
          height: 3,
        }),
      ),
    );
  }
  return svg;
}
