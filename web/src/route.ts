// The address: view, ruleset, position. Paths, not fragments, so that a shared link can show its
// picture; only a game by link is in the fragment, where its secret is not sent to the log of the server.

export type ViewName = 'explore' | 'play' | 'review' | 'puzzles' | 'tables' | 'game';

export interface Route {
  view: ViewName;
  /** Empty until the rulesets are known. */
  ruleset: string;
  position?: string;
  table?: string;
  game?: string;
  secret?: string;
}

const VIEWS: readonly string[] = ['explore', 'play', 'review', 'puzzles', 'tables'];

export function readRoute(place: Pick<Location, 'hash' | 'pathname' | 'search'> = location): Route {
  const game = /^#\/game\/([^/]+)(?:\/([^/]+))?$/.exec(place.hash);
  if (game) return { view: 'game', ruleset: '', game: game[1]!, secret: game[2] };
  const [view = '', ruleset = '', table] = place.pathname.split('/').filter(Boolean).map(decode);
  return {
    view: VIEWS.includes(view) ? (view as ViewName) : 'explore',
    ruleset,
    position: new URLSearchParams(place.search).get('position') ?? undefined,
    table,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Colons and commas are allowed in a query; a plus sign would be decoded as a space.
const readable = (text: string): string => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',');

export function href(route: Route): string {
  if (route.view === 'game') return `/#/game/${route.game}${route.secret ? `/${route.secret}` : ''}`;
  const table = route.table ? `/${encodeURIComponent(route.table)}` : '';
  const position = route.position ? `?position=${readable(route.position)}` : '';
  return `/${route.view}/${encodeURIComponent(route.ruleset)}${table}${position}`;
}

let listener: (route: Route) => void = () => {};
/** The number of earlier history entries, and where the run of entries with this view and ruleset begins. */
let depth = 0;
let base = 0;
/** The view and ruleset of every entry since the page was loaded. */
const trail: string[] = [];

const run = ({ view, ruleset }: Route): string => `${view}/${ruleset}`;

/** Calls back whenever the address changes. */
export function onRoute(callback: (route: Route) => void): void {
  listener = callback;
  const read = (state: { depth?: number; base?: number } | null) => {
    depth = Number(state?.depth ?? 0);
    base = Number(state?.base ?? depth);
    trail[depth] = run(readRoute());
  };
  read(history.state);
  history.replaceState({ depth, base }, '');
  addEventListener('popstate', (event) => {
    read(event.state);
    listener(readRoute());
  });
}

/** Notes the ruleset of an address that names none. */
export function named(ruleset: string): void {
  trail[depth] = run({ ...readRoute(), ruleset });
}

function enter(address: string, replace: boolean): void {
  const before = trail[depth] ?? '';
  const to = readRoute(new URL(address, location.href));
  const same = to.ruleset ? run(to) === before : before.startsWith(run(to));
  if (!replace) trail.length = depth += 1;
  if (!same) base = depth;
  trail[depth] = same ? before : run(to);
  history[replace ? 'replaceState' : 'pushState']({ depth, base }, '', address);
  listener(to);
}

/** Goes to an address; `replace` does not add a history entry. */
export function go(route: Route, replace = false): void {
  const address = href(route);
  if (address === href(readRoute())) return;
  enter(address, replace);
}

/** Whether the previous, or next, entry has the same view and ruleset. */
export const canUndo = (): boolean => depth > base;
export const canRedo = (): boolean => trail[depth + 1] === trail[depth];
export const undo = (): void => history.back();
export const redo = (): void => history.forward();

/** Follows links inside the page without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="/"]');
    if (!link || link.target || link.hasAttribute('download')) return;
    event.preventDefault();
    const before = location.pathname + location.search + location.hash;
    const address = link.getAttribute('href')!;
    if (address === before) return;
    enter(address, false);
  });
}
