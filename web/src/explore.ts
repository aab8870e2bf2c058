// Explore: the value of a position and of all its moves.
import * as api from './api';
import { Board } from './board';
import { button, h, setChildren } from './dom';
import { Editor } from './editor';
import { explain } from './game';
import { tool } from './icons';
import { after, Match } from './match';
import { askPosition } from './paste';
import * as route from './route';
import { Strip } from './strip';
import { trays } from './tray';
import { sign, TurnList } from './turnlist';
import { Chooser } from './turns';
import type { Move, PositionAnswer, Worth } from './types';
import { kindOf, noun, plies, pressing } from './value';
import { announce, capital, showError, copy, reason, say, table, type Context, type View } from './view';

type Change = 'flip' | 'mirror' | 'swap';

export class Explore implements View {
  readonly el: HTMLElement;
  private readonly board: Board;
  private readonly trays;
  private readonly verdict = h('section', { class: 'verdict', 'aria-label': 'Verdict' });
  private readonly list = new TurnList({
    point: (move) => this.board.point(move?.path ?? null, this.answer?.side, move ?? undefined),
    play: (move) => this.play(move),
  });
  private readonly strip = new Strip(async (position, step) => {
    this.visit(position, step > 1);
    await this.settled();
    return !this.waiting;
  });
  private readonly undo = tool('undo', 'Undo', () => route.undo());
  private readonly redo = tool('redo', 'Forward', () => route.redo());
  private readonly side = h('div', { class: 'side' });
  private answer: PositionAnswer | null = null;
  private chooser = new Chooser([], 'points');
  private editor: Editor | null = null;
  private turned = false;
  private asked = 0;
  /** The last requested position. */
  private wanted = '';
  /** Whether the last requested position is not shown yet. */
  private waiting = false;
  private loading: Promise<void> = Promise.resolve();
  /** Actions that wait for the previous one. */
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly context: Context) {
    const { ruleset } = context;
    this.trays = trays(ruleset);
    this.board = new Board(
      ruleset.geometry,
      'Board',
      (name) => this.pick(name),
      (event) => this.key(event),
    );
    this.el = table(
      this.board.el,
      this.trays.black.el,
      this.trays.white.el,
      h('h1', { class: 'hidden' }, `Explore ${ruleset.title}`),
      this.verdict,
      this.tools(),
      this.side,
    );
    setChildren(this.side, this.strip.el, this.list.el);
    this.update(context.route);
  }

  update(to: route.Route): void {
    this.loading = this.load(to.position ?? this.context.ruleset.start);
  }

  leave(): void {
    this.strip.stop();
    this.asked += 1;
    this.wanted = '';
  }

  /** Not while the editor is open: the answer would replace its position. */
  onNewTables(): void {
    if (!this.editor) this.loading = this.load(this.wanted);
  }

  private tools(): HTMLElement {
    const { board, geometry } = this.context.ruleset;
    const change = (by: Change) => () => this.transform(by);
    return h(
      'div',
      { class: 'tools main', role: 'group', 'aria-label': 'Position' },
      this.undo,
      this.redo,
      tool('start', 'Start of the game', () => this.visit(this.context.ruleset.start)),
      board.symmetries > 1 ? tool('flip', 'Flip top and bottom', change('flip')) : null,
      board.symmetries > 1 ? tool('mirror', 'Mirror left and right', change('mirror')) : null,
      geometry.kind === 'squares' ? tool('flip', 'Rotate the board', () => this.turn()) : null,
      tool('swap', 'Swap sides', change('swap')),
      tool('edit', 'Edit the position', () => this.toggleEditor(), { 'data-tool': 'edit' }),
      tool('paste', 'Paste a position', () => void this.paste()),
      tool('link', 'Copy a link to this position', () => void copy(location.href, 'Link')),
    );
  }

  private async load(position: string): Promise<void> {
    const turn = (this.asked += 1);
    this.wanted = position;
    this.wait(true);
    try {
      const answer = await api.probe(this.context.ruleset.id, position);
      if (turn !== this.asked) return;
      this.wait(false);
      this.show(answer);
    } catch (error) {
      if (turn === this.asked) this.fail(error);
    }
  }

  private wait(waiting: boolean): void {
    this.waiting = waiting;
    this.el.classList.toggle('waiting', waiting);
  }

  /** Resolves when the last request has been answered. */
  private async settled(): Promise<void> {
    let last;
    do {
      last = this.loading;
      await last;
    } while (last !== this.loading);
  }

  private fail(error: unknown): void {
    this.el.classList.remove('waiting');
    showError(this.verdict, error);
    if (!(error instanceof api.ApiError) || !error.isTemporary) return;
    const again = () => (this.loading = this.load(this.wanted));
    this.verdict.append(
      h(
        'div',
        { class: 'tools' },
        button('Try again', () => void again()),
      ),
    );
  }

  private show(answer: PositionAnswer): void {
    if (!this.answer) performance.mark('first-board');
    const last = this.answer?.moves.find((move) => move.position === answer.position);
    this.answer = answer;
    this.chooser = new Chooser(answer.moves, this.context.ruleset.geometry.kind);
    this.board.point(null);
    this.board.show(this.editor ? this.editor.take(answer) : answer.men);
    this.board.last(Match.points(last));
    this.trays.white.show(answer);
    this.trays.black.show(answer);
    this.undo.disabled = !route.canUndo();
    this.redo.disabled = !route.canRedo();
    this.drawMarks();
    this.drawVerdict(answer);
    if (!this.editor) this.list.show(answer.moves);
    if (!this.strip.holds(answer.position)) void this.loadLine(answer);
    announce(this.sentence(answer));
    document.title = `${this.sentence(answer)} · ${this.context.ruleset.title} · Endmill`;
  }

  private async loadLine(answer: PositionAnswer): Promise<void> {
    this.strip.show(null);
    if (answer.outcome === null || answer.finished) return;
    const turn = this.asked;
    try {
      const line = await api.line(this.context.ruleset.id, answer.position);
      if (turn === this.asked) this.strip.show(line);
    } catch {
      // Without stored distances there is no line.
    }
  }

  private sentence(answer: PositionAnswer): string {
    if (answer.finished) {
      const { winner } = answer.finished;
      return winner ? `${capital(winner)} has won: ${explain(answer.finished)}` : `Drawn: ${explain(answer.finished)}`;
    }
    const rank = answer.draw_rank ? `, ${pressing(answer.draw_rank, answer.side)}` : '';
    return `${capital(answer.side)} to move: ${noun(answer)}${rank}`;
  }

  private drawVerdict(answer: PositionAnswer): void {
    const { ruleset } = this.context;
    const { estimate } = answer;
    const worth: Worth = answer;
    setChildren(
      this.verdict,
      h(
        'p',
        { class: `headline ${answer.finished ? 'over' : kindOf(answer)}` },
        answer.finished ? null : sign(worth),
        h('strong', null, this.sentence(answer)),
      ),
      estimate && answer.outcome === null && estimate.outcome === null
        ? h('p', { class: 'note' }, `Not in the tables: estimated by a search of ${plies(estimate.depth)}, not proven.`)
        : null,
      h(
        'p',
        { class: 'note' },
        answer.table ? 'Table ' : null,
        !answer.table || answer.error === 'table_missing'
          ? answer.table
          : h('a', { href: route.href({ view: 'tables', ruleset: ruleset.id, table: answer.table }) }, answer.table),
        answer.table ? (answer.error === 'table_missing' ? ', not in the database · ' : ' · ') : null,
        h(
          'a',
          { href: route.href({ view: 'play', ruleset: ruleset.id, position: answer.position }) },
          'Play from here',
        ),
        ' · ',
        h(
          'a',
          { href: `/api/${ruleset.id}/image.svg?position=${encodeURIComponent(answer.position)}`, target: '_blank' },
          'Picture',
        ),
      ),
      h('p', { class: 'text' }, h('code', null, answer.position)),
    );
  }

  private drawMarks(): void {
    const { answer } = this;
    this.board.free(this.editor !== null);
    if (!answer || this.editor) {
      this.board.mark([]);
      return;
    }
    const chosen = this.chooser.points.at(-1);
    this.board.mark([
      ...this.chooser.options().map(({ at, role, worth }) => ({ at, role, worth })),
      ...(chosen ? [{ at: chosen, role: 'chosen' as const }] : []),
    ]);
  }

  private pick(name: string): void {
    if (!this.answer) return;
    if (this.editor) {
      this.editor.put(name);
      return;
    }
    if (this.waiting) return;
    const move = this.chooser.choose(name);
    if (move) {
      this.play(move);
      return;
    }
    this.board.show(this.chooser.shown(this.answer.men, this.answer.side));
    this.drawMarks();
    if (this.chooser.options()[0]?.role === 'take') announce('Mill closed: choose a man to remove');
  }

  /** Shows the move at once; the new position comes with the answer. */
  private play(move: Move): void {
    if (this.waiting || !this.answer?.moves.includes(move)) return;
    this.board.point(null);
    this.board.mark([]);
    this.board.show(after(this.answer, move), true, move.path.via);
    this.board.last(Match.points(move));
    this.visit(move.position);
  }

  private visit(position: string, replace = false): void {
    route.go({ view: 'explore', ruleset: this.context.ruleset.id, position }, replace);
  }

  private key(event: KeyboardEvent): boolean {
    switch (event.key.toLowerCase()) {
      case 'escape':
        if (this.chooser.back() && this.answer) {
          this.board.show(this.chooser.shown(this.answer.men, this.answer.side));
          this.drawMarks();
        }
        return true;
      case 'u':
        if (route.canUndo()) route.undo();
        return true;
      case 'r':
        if (route.canRedo()) route.redo();
        return true;
      case 'b':
        if (this.answer?.moves[0]) this.play(this.answer.moves[0]);
        return true;
      case 'f':
        this.transform('flip');
        return true;
      case 'm':
        this.transform('mirror');
        return true;
      case 's':
        this.transform('swap');
        return true;
      case 'e':
        this.toggleEditor();
        return true;
      default:
        return false;
    }
  }

  private turn(): void {
    this.turned = !this.turned;
    this.board.turn(this.turned);
    const stage = this.board.el.closest('.stage');
    stage?.prepend((this.turned ? this.trays.white : this.trays.black).el);
    stage?.append((this.turned ? this.trays.black : this.trays.white).el);
  }

  private inTurn(act: () => Promise<void>): void {
    this.queue = this.queue.then(act).catch((error) => say(reason(error)));
  }

  private transform(by: Change): void {
    this.inTurn(async () => {
      const { wanted } = this;
      if (!wanted) return;
      const { position } = await api.transform(this.context.ruleset.id, wanted, by);
      // Skip it if another position was requested meanwhile.
      if (wanted === this.wanted) this.visit(position);
    });
  }

  private async paste(): Promise<void> {
    const position = await askPosition(this.context.ruleset);
    if (position) this.visit(position);
  }

  private toggleEditor(): void {
    this.inTurn(async () => {
      await this.settled();
      const { editor } = this;
      if (!editor) this.edit();
      else if (await editor.settled()) await this.endEdit();
      else announce(editor.problem);
    });
  }

  private edit(): void {
    if (!this.answer) return;
    this.strip.stop();
    const discard = button('Discard', () => this.inTurn(() => this.endEdit()), { hidden: true });
    this.editor = new Editor(this.context.ruleset, this.answer, {
      men: (men) => this.board.show(men),
      done: (position) => this.visit(position),
      problem: (there) => (discard.hidden = !there),
    });
    const done = button('Done', () => this.toggleEditor(), { class: 'primary' });
    setChildren(this.side, this.editor.el, h('div', { class: 'tools' }, done, discard));
    this.drawMarks();
    this.editor.el.querySelector('input')?.focus();
  }

  /** Back to the moves of the last legal position. */
  private async endEdit(): Promise<void> {
    this.editor = null;
    setChildren(this.side, this.strip.el, this.list.el);
    await (this.loading = this.load(this.wanted));
    this.el.querySelector<HTMLElement>('[data-tool=edit]')?.focus();
  }
}
