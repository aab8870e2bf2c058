// The page: the header, and the view that the address names.
import * as api from './api';
import { h, setChildren, s } from './dom';
import { Explore } from './explore';
import { Friend } from './friend';
import { icon, tool, type Icon } from './icons';
import { showKeys } from './keys';
import { Play } from './play';
import { Puzzles } from './puzzles';
import { Review } from './review';
import { followLinks, go, href, named, onRoute, readRoute, type Route, type ViewName } from './route';
import { store, stored } from './store';
import { Tables } from './tables';
import { themeButton } from './theme';
import type { Ruleset } from './types';
import { announcer, showError, toastBox, type Context, type View } from './view';

const VIEWS: [Exclude<ViewName, 'game'>, string, Icon][] = [
  ['explore', 'Explore', 'explore'],
  ['play', 'Play', 'board'],
  ['review', 'Review', 'review'],
  ['puzzles', 'Puzzles', 'puzzle'],
  ['tables', 'Tables', 'tables'],
];

const make: Record<ViewName, (context: Context) => View> = {
  explore: (context) => new Explore(context),
  play: (context) => new Play(context),
  review: (context) => new Review(context),
  puzzles: (context) => new Puzzles(context),
  tables: (context) => new Tables(context),
  game: (context) => new Friend(context),
};

const main = h('main', { id: 'main', tabindex: -1 });
const links = new Map(
  VIEWS.map(([name, title, sign]) => [name, h('a', { href: `/${name}` }, icon(sign), h('span', null, title))]),
);
const nav = h('nav', { 'aria-label': 'Views' }, ...links.values());
const notice = h('div', { class: 'notice', role: 'status', hidden: true });
const select = h('select', { 'aria-label': 'Ruleset' });
let rulesets: Ruleset[] = [];
let shown: { view: View; name: ViewName; ruleset: string; game?: string } | null = null;

function show(route: Route): void {
  const ruleset =
    rulesets.find((r) => r.id === route.ruleset) ?? (route.view === 'game' || !route.ruleset ? lastRuleset() : null);
  if (!ruleset) {
    shown?.view.leave?.();
    shown = null;
    showError(main, `This server has no ruleset “${route.ruleset}”.`);
    return;
  }
  drawHeader(route.view, ruleset.id);
  if (!route.ruleset && route.view !== 'game') named(ruleset.id);
  if (
    shown &&
    shown.name === route.view &&
    shown.ruleset === ruleset.id &&
    shown.game === route.game + '/' + route.secret
  ) {
    shown.view.update(route);
    return;
  }
  shown?.view.leave?.();
  if (route.view !== 'game') store('ruleset', ruleset.id);
  const view = make[route.view]({ ruleset, rulesets, route, played: (id) => drawHeader(route.view, id) });
  shown = { view, name: route.view, ruleset: ruleset.id, game: route.game + '/' + route.secret };
  setChildren(main, view.el);
}

function lastRuleset(): Ruleset | null {
  const id = stored<string>('ruleset');
  return rulesets.find((r) => r.id === id) ?? rulesets[0] ?? null;
}

function drawHeader(view: ViewName, ruleset: string): void {
  const shown = view === 'game' ? 'play' : view;
  for (const [name, link] of links) {
    link.setAttribute('href', href({ view: name, ruleset }));
    if (name === shown) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  select.value = ruleset;
}

/** Shows the progress of the first build. */
function drawBuilding(): void {
  const busy = rulesets.filter((r) => r.building);
  notice.hidden = busy.length === 0;
  const now = busy.find((r) => r.building?.phase !== 'waiting') ?? busy[0];
  if (!now?.building) return;
  const { done, of, phase, seconds_left } = now.building;
  const left = seconds_left === null ? '' : `, about ${Math.max(1, Math.round(seconds_left))} s left`;
  setChildren(
    notice,
    h('span', null, `Building the tables of ${now.title}: ${phase}${left}. Until then answers are estimates.`),
    h('progress', { value: done, max: of, 'aria-label': 'Built' }),
  );
  setTimeout(async () => {
    rulesets = await api.rulesets().catch(() => rulesets);
    drawBuilding();
    if (rulesets.some((r) => r.building)) return;
    api.clearCache();
    const ruleset = rulesets.find((r) => r.id === shown?.ruleset);
    if (ruleset) shown?.view.onNewTables?.(ruleset);
  }, 2000);
}

/** The colours of the men, shared by all boards. */
function paints(): SVGSVGElement {
  const paint = (side: string) =>
    s(
      'radialGradient',
      { id: `paint-${side}`, cx: '38%', cy: '30%', r: '75%' },
      s('stop', { class: `${side} high`, offset: '0' }),
      s('stop', { class: `${side} mid`, offset: '.55' }),
      s('stop', { class: `${side} low`, offset: '1' }),
    );
  return s(
    'svg',
    { class: 'hidden', width: 0, height: 0, 'aria-hidden': 'true' },
    s('defs', null, paint('white'), paint('black')),
  );
}

async function begin(): Promise<void> {
  const page = document.getElementById('page')!;
  setChildren(
    page,
    paints(),
    h(
      'a',
      {
        class: 'skip',
        href: '#main',
        onclick: (event: Event) => {
          event.preventDefault();
          main.focus();
        },
      },
      'To the board',
    ),
    h(
      'header',
      null,
      h(
        'a',
        { class: 'brand', href: '/' },
        h('img', {
          src: document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href,
          alt: '',
          width: 28,
          height: 28,
        }),
        'Endmill',
      ),
      select,
      nav,
      h(
        'div',
        { class: 'tools' },
        tool('help', 'Keyboard shortcuts and symbols', () => void showKeys()),
        themeButton(),
      ),
    ),
    notice,
    main,
    announcer(),
    toastBox(),
  );
  const first = readRoute();
  // Request the position of the address at once; it is shown when the rulesets have arrived.
  if (first.view === 'explore' && first.ruleset && first.position)
    api.probe(first.ruleset, first.position).catch(() => {});
  try {
    rulesets = await api.rulesets();
  } catch (error) {
    showError(main, error);
    return;
  }
  setChildren(select, ...rulesets.map((r) => h('option', { value: r.id }, r.title)));
  select.addEventListener('change', () => {
    const view = readRoute().view;
    go({ view: view === 'game' ? 'play' : view, ruleset: select.value });
  });
  onRoute(show);
  followLinks();
  drawBuilding();
  show(readRoute());
}

void begin();
