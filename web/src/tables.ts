// Tables: the contents of the database.
import * as api from './api';
import { Board } from './board';
import { button, h, setChildren } from './dom';
import { count, histogram } from './histogram';
import { go, href, readRoute, type Route } from './route';
import { figures, scroller } from './scroll';
import { tableGraph } from './tablegraph';
import { sign } from './turnlist';
import type { Ruleset, Table } from './types';
import { plies } from './value';
import { showError, type Context, type View } from './view';

function bytes(n: number): string {
  for (const [size, unit] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const)
    if (n >= size) return `${(n / size).toFixed(1)} ${unit}`;
  return `${n} B`;
}

const percent = (n: number, of: number): string => {
  const p = of ? (100 * n) / of : 0;
  if (n < of && p > 99.5) return p > 99.9 ? '> 99.9 %' : `${p.toFixed(1)} %`;
  return p === 0 || p >= 10 ? `${p.toFixed(0)} %` : p >= 0.1 ? `${p.toFixed(1)} %` : '< 0.1 %';
};

/** The first digits of a checksum; all of it is in the title. */
const brief = (checksum: string | null | undefined) =>
  checksum ? h('code', { class: 'checksum brief', title: checksum }, checksum.slice(0, 8)) : null;

const FIRST_ROWS = 14;

export class Tables implements View {
  readonly el = h('div', { class: 'tables' });
  private readonly summary = h('section', { class: 'summary' });
  private readonly graph = h('section', { class: 'graph-section', 'aria-label': 'Graph of tables' });
  private readonly detail = h('section', { class: 'detail', 'aria-label': 'Table' });
  private readonly list = h('section', { 'aria-label': 'All tables' });
  private readonly longest = h('section', { 'aria-label': 'Longest wins' });
  private readonly opening = h('section', { class: 'opening', 'aria-label': 'The opening' });
  private rows: Table[] = [];
  private all = false;
  private asked = 0;

  private ruleset: Ruleset;

  constructor(context: Context) {
    this.ruleset = context.ruleset;
    document.title = `Tables · ${context.ruleset.title} · Endmill`;
    this.el.append(
      h('h1', null, `Tables of ${context.ruleset.title}`),
      this.summary,
      this.detail,
      this.graph,
      this.longest,
      this.list,
      this.opening,
    );
    void this.load(context.route);
  }

  update(route: Route): void {
    void this.loadTable(route.table);
  }

  onNewTables(ruleset: Ruleset): void {
    this.ruleset = ruleset;
    void this.load(readRoute());
  }

  leave(): void {
    this.asked += 1;
  }

  private async load(route: Route): Promise<void> {
    try {
      this.rows = await api.tables(this.ruleset.id);
    } catch (error) {
      showError(this.summary, error);
      return;
    }
    this.drawSummary();
    this.drawList();
    await Promise.all([this.loadTable(route.table), this.drawLongest(), this.drawOpening()]);
  }

  private link(table: string): string {
    return href({ view: 'tables', ruleset: this.ruleset.id, table });
  }

  private drawSummary(): void {
    const { coverage, title } = this.ruleset;
    if (this.rows.length === 0) {
      setChildren(
        this.summary,
        h('p', null, `The database has no tables of ${title} yet. Answers are search estimates.`),
      );
      return;
    }
    const sum = (of: (row: Table) => number) => this.rows.reduce((total, row) => total + of(row), 0);
    const what = this.draughts ? 'pieces' : 'men';
    const fact = (text: string, name: string) => h('div', null, h('dd', null, text), h('dt', null, name));
    setChildren(
      this.summary,
      h(
        'dl',
        { class: 'facts' },
        fact(count(this.rows.length), this.rows.length === 1 ? 'table' : 'tables'),
        fact(count(sum((r) => r.positions)), 'positions, symmetric ones counted once'),
        fact(bytes(sum((r) => r.wld_bytes + r.dtw_bytes)), 'on disk'),
        fact(
          coverage.whole_game ? 'whole game' : coverage.complete_to ? `≤ ${coverage.complete_to} ${what}` : 'in part',
          'covered',
        ),
        fact(plies(Math.max(...this.rows.map((r) => r.longest_win))), 'longest win'),
      ),
    );
  }

  private get draughts(): boolean {
    return this.ruleset.geometry.kind === 'squares';
  }

  private drawGraph(chosen?: string): void {
    if (this.rows.length === 0) return;
    const old = this.graph.querySelector('.scroll');
    const [left, top] = [old?.scrollLeft ?? 0, old?.scrollTop ?? 0];
    const what = this.draughts ? 'pieces' : 'men';
    const hands = this.rows.some((row) => row.in_hand > 0);
    const scroll = scroller(
      'Graph of tables',
      tableGraph(this.rows, (t) => this.link(t), what, chosen),
    );
    setChildren(
      this.graph,
      h('h2', null, 'The graph of tables'),
      h(
        'p',
        { class: 'note' },
        this.draughts
          ? 'The name of a table counts the men and the kings of the side to move, then those of the other: 10v11 is a man against a man and a king. '
          : hands
            ? 'The name of a table counts the men of the side to move, on the board and in hand, then those of the other: 2+1v4+0 is two and one in hand against four. '
            : 'The name of a table counts the men of the side to move, then those of the other. ',
        `Fewer ${what} to the left${hands ? ', men in hand further down' : ''}. The bar under a name: won, drawn, lost. Choose a table to open it.`,
      ),
      scroll,
    );
    scroll.scrollTo(left, top);
  }

  private drawList(): void {
    if (this.rows.length === 0) return;
    const shown = this.all ? this.rows : this.rows.slice(0, FIRST_ROWS);
    const bar = (row: Table) =>
      h(
        'div',
        { class: 'bar3', 'aria-hidden': 'true' },
        ...(['win', 'draw', 'loss'] as const).map((kind) => {
          const part = h('span', { class: kind });
          part.style.flexGrow = String(row.positions ? row[kind] / row.positions : 0);
          return part;
        }),
      );
    setChildren(
      this.list,
      h('h2', null, 'All tables'),
      figures(
        'All tables',
        [
          'Table',
          'Positions',
          'Won',
          'Drawn',
          'Lost',
          h('td', { class: 'wide' }),
          'Longest',
          'Size',
          h('th', { scope: 'col', class: 'wide' }, 'BLAKE3'),
        ],
        shown.map((row) =>
          h(
            'tr',
            null,
            h('th', { scope: 'row' }, h('a', { href: this.link(row.table) }, row.table)),
            h('td', null, count(row.positions)),
            h('td', null, percent(row.win, row.positions)),
            h('td', null, percent(row.draw, row.positions)),
            h('td', null, percent(row.loss, row.positions)),
            h('td', { class: 'wide' }, bar(row)),
            h('td', null, row.longest_win),
            h('td', null, bytes(row.wld_bytes + row.dtw_bytes)),
            h('td', { class: 'wide' }, ...[row.wld_checksum, row.dtw_checksum].map(brief)),
          ),
        ),
      ),
      shown.length < this.rows.length
        ? button(`Show all ${this.rows.length}`, () => {
            this.all = true;
            this.drawList();
          })
        : null,
    );
  }

  private async loadTable(name: string | undefined): Promise<void> {
    this.drawGraph(name);
    if (!name) {
      setChildren(this.detail);
      return;
    }
    const turn = (this.asked += 1);
    try {
      const table = await api.table(this.ruleset.id, name);
      if (turn !== this.asked) return;
      await this.drawTable(table);
      this.detail.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      if (turn === this.asked) showError(this.detail, error);
    }
  }

  private async drawTable(table: Table): Promise<void> {
    const boards = h('div', { class: 'boards' });
    const row = (name: string, text: string | null | undefined) =>
      text ? [h('dt', null, name), h('dd', null, text)] : [];
    const sum = (name: string, text: string | null | undefined) =>
      text ? [h('dt', null, name), h('dd', null, h('code', { class: 'checksum' }, text))] : [];
    const share = (kind: 'win' | 'draw' | 'loss', n: number) =>
      h(
        'li',
        null,
        sign({ outcome: kind, plies: null }),
        `${count(n)} ${kind === 'win' ? 'won' : kind === 'draw' ? 'drawn' : 'lost'} (${percent(n, table.positions)})`,
      );
    setChildren(
      this.detail,
      h('h2', null, `Table ${table.table}`),
      h(
        'div',
        { class: 'columns' },
        h(
          'div',
          null,
          h('ul', { class: 'signs' }, share('win', table.win), share('draw', table.draw), share('loss', table.loss)),
          h(
            'dl',
            { class: 'keys' },
            ...row('Positions', count(table.positions)),
            ...row('Outcomes', bytes(table.wld_bytes)),
            ...sum('BLAKE3', table.wld_checksum),
            ...row('Plies', table.dtw_bytes ? bytes(table.dtw_bytes) : 'not stored'),
            ...sum('BLAKE3', table.dtw_checksum),
          ),
          boards,
        ),
        histogram(table) ?? h('p', { class: 'note' }, 'No distances are stored for this table.'),
      ),
    );
    await this.fillBoards(boards, [
      ['Longest win', table.longest_win, table.longest_win_position],
      ['Longest loss', table.longest_loss, table.longest_loss_position],
    ]);
  }

  /** Small boards that open the position. */
  private async fillBoards(box: HTMLElement, wanted: [string, number, string | null | undefined][]): Promise<void> {
    const { ruleset } = this;
    const there = wanted.filter((w): w is [string, number, string] => w[2] != null && w[1] > 0);
    if (there.length === 0) return;
    const answers = await api
      .batch(
        ruleset.id,
        there.map((w) => w[2]),
      )
      .catch(() => []);
    setChildren(
      box,
      ...answers.map((answer, i) => {
        const [title, n] = there[i]!;
        const board = new Board(ruleset.geometry, title);
        board.show(answer.men, false);
        return h(
          'a',
          { class: 'small', href: href({ view: 'explore', ruleset: ruleset.id, position: answer.position }) },
          board.el,
          h('span', null, `${title}: ${plies(n)}`),
        );
      }),
    );
  }

  private async drawLongest(): Promise<void> {
    const best = this.rows
      .filter((r) => r.longest_win_position)
      .sort((a, b) => b.longest_win - a.longest_win)
      .slice(0, 6);
    if (best.length === 0) return;
    const boards = h('div', { class: 'boards wide' });
    setChildren(this.longest, h('h2', null, 'The longest wins'), boards);
    await this.fillBoards(
      boards,
      best.map((r) => [r.table, r.longest_win, r.longest_win_position]),
    );
  }

  /** The value of every first placement. */
  private async drawOpening(): Promise<void> {
    const { ruleset } = this;
    const answer = await api.probe(ruleset.id, ruleset.start).catch(() => null);
    if (!answer || answer.moves.length === 0 || answer.moves.some((m) => m.path.from !== null)) return;
    const board = new Board(ruleset.geometry, 'First placements', (name) => {
      const move = answer.moves.find((m) => m.path.to === name);
      if (move) go({ view: 'explore', ruleset: ruleset.id, position: move.position });
    });
    board.show(answer.men, false);
    board.mark(answer.moves.map((move) => ({ at: move.path.to, role: 'to', worth: move })));
    const classes = new Set(answer.moves.map((m) => m.class)).size;
    const known = answer.moves.every((m) => m.outcome !== null);
    setChildren(
      this.opening,
      h('h2', null, 'The opening'),
      h(
        'p',
        { class: 'note' },
        `The value of each first placement: ${answer.moves.length} points, ${classes} of them distinct.`,
        known ? '' : ' The opening is not in the database: these are estimates.',
        ' Choose one to explore it.',
      ),
      h('div', { class: 'holder' }, board.el),
    );
  }
}
