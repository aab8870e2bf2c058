// The address: which view, which ruleset, which position. Paths, not fragments, so that a shared link can show its
// picture; only a friend's game is in the fragment, where its secret is not sent to the server's log.

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

export function readRoute(place: Location = location): Route {
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

// Colons, commas and plus signs may stand in a query as they are, but a plus would be read as a blank.
const readable = (text: string): string => encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2C/g, ',');

export function href(route: Route): string {
  if (route.view === 'game') return `/#/game/${route.game}${route.secret ? `/${route.secret}` : ''}`;
  const table = route.table ? `/${encodeURIComponent(route.table)}` : '';
  const position = route.position ? `?position=${readable(route.position)}` : '';
  return `/${route.view}/${encodeURIComponent(route.ruleset)}${table}${position}`;
}

let listener: (route: Route) => void = () => {};
let depth = 0;
let deepest = 0;

/** Calls back whenever the address changes. */
export function onRoute(callback: (route: Route) => void): void {
  listener = callback;
  depth = deepest = Number(history.state?.depth ?? 0);
  history.replaceState({ depth }, '');
  addEventListener('popstate', (event) => {
    depth = Number(event.state?.depth ?? 0);
    listener(readRoute());
  });
}

/** Goes to an address; `replace` keeps the history as long as it is. */
export function go(route: Route, replace = false): void {
  const address = href(route);
  if (address === href(readRoute())) return;
  if (!replace) deepest = depth += 1;
  history[replace ? 'replaceState' : 'pushState']({ depth }, '', address);
  listener(readRoute());
}

export const canUndo = (): boolean => depth > 0;
export const canRedo = (): boolean => depth < deepest;
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
    deepest = depth += 1;
    history.pushState({ depth }, '', address);
    listener(readRoute());
  });
}
