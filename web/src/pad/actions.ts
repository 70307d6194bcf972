// Actions that several places of the page offer.

import { later } from '../load/later.ts';
import type { Frame, PanelName } from './frame.ts';
import { withSentences } from './latePart.ts';

export const whoWrote = later(withSentences(() => import('./whoWrote.ts')));

export function togglePanel({ panel }: Frame, name: PanelName): void {
  panel.value = panel.peek() === name ? null : name;
}

export function showAuthor(frame: Frame): void {
  void whoWrote.load().then((part) => part.sayAuthor(frame));
}

// Of the selection at once; of the whole pad only after a question.
export function clearAuthorship({ live, dialog }: Frame): void {
  if (live.hasSelection()) live.clearAuthorship(false);
  else dialog.value = 'clear';
}

// Into the chat, and from there back to the text.
export function toggleChatFocus(frame: Frame): void {
  if (!frame.view.peek().chat) return;
  const field = document.getElementById('chat-message');
  if (field && field === document.activeElement) {
    frame.panel.value = null;
    frame.live.focus();
    return;
  }
  frame.panel.value = 'chat';
  requestAnimationFrame(() => document.getElementById('chat-message')?.focus());
}
