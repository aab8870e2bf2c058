// The interface of the views, and what they share.
import { h, setChildren } from './dom';
import { ApiError } from './api';
import type { Route } from './route';
import type { Ruleset } from './types';

export interface View {
  el: HTMLElement;
  /** The address changed, but not the view or the ruleset. */
  update(route: Route): void;
  /** The database has onNewTables, so estimates may be known values now. */
  onNewTables?(ruleset: Ruleset): void;
  /** Another view opens. */
  leave?(): void;
}

export interface Context {
  ruleset: Ruleset;
  rulesets: Ruleset[];
  route: Route;
  /** Reports the ruleset of a game by link, which is known only after it has loaded. */
  played(ruleset: string): void;
}

const live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });

/** The live region for screen readers. */
export const announcer = (): HTMLElement => live;

/** Announces a text to a screen reader. */
export function announce(text: string): void {
  // A screen reader would not repeat the same text.
  live.textContent = live.textContent === text ? `${text} ` : text;
}

let toastTimer = 0;
const toast = h('div', { class: 'toast', hidden: true });
export const toastBox = (): HTMLElement => toast;

/** Shows a short message for a few seconds. */
export function say(text: string): void {
  toast.textContent = text;
  toast.hidden = false;
  announce(text);
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => (toast.hidden = true), 4000);
}

/** The message of an error. */
export function reason(error: unknown): string {
  if (error instanceof ApiError) return capital(error.message);
  return error instanceof Error ? error.message : String(error);
}

/** Shows an error. */
export function showError(box: Element, error: unknown): void {
  setChildren(box, h('p', { class: 'trouble', role: 'alert' }, reason(error)));
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Copies a text to the clipboard. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    window.prompt(`Copy the ${what.toLowerCase()}:`, text);
  }
}

/** The board on one side, a panel on the other. */
export function table(
  board: Element,
  above: Element | null,
  below: Element | null,
  ...panel: (Element | null)[]
): HTMLElement {
  const el = h(
    'div',
    { class: 'table' },
    h('div', { class: 'stage' }, above, h('div', { class: 'holder' }, board), below),
    h('div', { class: 'panel' }, ...panel),
  );
  return el;
}
