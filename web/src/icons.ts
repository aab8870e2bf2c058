// The icons, drawn with strokes in the colour of the text.
import { button, s, type Props } from './dom';

const PATHS = {
  undo: 'M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 5 5 5-5 5M20 10H10a6 6 0 0 0 0 12h3',
  flip: 'M12 3v18M12 3 8 7m4-4 4 4M12 21l-4-4m4 4 4-4',
  mirror: 'M3 12h18M3 12l4-4m-4 4 4 4M21 12l-4-4m4 4-4 4',
  swap: 'M4 8h13l-4-4M20 16H7l4 4',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  paste: 'M9 4h6v3H9zM9 5H6v16h12V5h-3M9 12h6M9 16h4',
  start: 'M4 11 12 4l8 7M6 10v10h12V10',
  first: 'M6 5v14M19 5l-9 7 9 7z',
  prev: 'm16 5-9 7 9 7z',
  next: 'm8 5 9 7-9 7z',
  last: 'M18 5v14M5 5l9 7-9 7z',
  play: 'm7 4 13 8-13 8z',
  pause: 'M8 5v14M16 5v14',
  light:
    'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.6v.2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  explore: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 21 21',
  board: 'M4 4h16v16H4zM9 9h6v6H9zM12 4v5M12 15v5M4 12h5M15 12h5',
  review: 'M3 17l5-6 4 4 5-8 4 5M3 21h18',
  puzzle: 'M12 3l2.6 5.6 6 .8-4.4 4.2 1.1 6L12 16.8 6.700 19.600l1.100-6L3.400 9.400l6-.8z',
  tables: 'M4 20V10M9.500 20V4M15 20v-7M20.500 20v-4',
} as const;

export type Icon = keyof typeof PATHS;

/** An icon, hidden from screen readers: its button has a label. */
export function icon(name: Icon): SVGSVGElement {
  return s('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
}

/** A button with an icon and a label. */
export function tool(name: Icon, label: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return button(icon(name), onclick, { class: 'tool', 'aria-label': label, title: label, ...props });
}
