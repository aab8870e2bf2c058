// Asking for a position in any notation.
import * as api from './api';
import { button, h } from './dom';
import type { Ruleset } from './types';
import { reason } from './view';

/** Opens a modal dialog; resolves to its return value. */
export function dialog(el: HTMLDialogElement): Promise<string> {
  document.body.append(el);
  el.showModal();
  return new Promise((resolve) => {
    el.addEventListener('close', () => {
      el.remove();
      resolve(el.returnValue);
    });
  });
}

/** A position that the server can read, or null if the user cancels. */
export async function askPosition(ruleset: Ruleset): Promise<string | null> {
  const field = h('textarea', { rows: 3, 'aria-label': 'Position', placeholder: ruleset.start, spellcheck: 'false' });
  const trouble = h('p', { class: 'trouble', role: 'alert' });
  const submit = async () => {
    try {
      el.close((await api.read(ruleset.id, field.value.trim())).position);
    } catch (error) {
      trouble.textContent = reason(error);
      if (error instanceof api.ApiError && error.at !== null) field.setSelectionRange(error.at, error.at + 1);
      field.focus();
    }
  };
  const el = h(
    'dialog',
    { 'aria-labelledby': 'paste-title' },
    h('h2', { id: 'paste-title' }, 'Paste a position'),
    h('p', { class: 'note' }, 'A position, a FEN of another morris program, or a PDN position of draughts.'),
    field,
    trouble,
    h(
      'div',
      { class: 'tools end' },
      button('Cancel', () => el.close('')),
      button('Show', () => void submit(), { class: 'primary' }),
    ),
  );
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void submit();
    }
  });
  return (await dialog(el)) || null;
}
