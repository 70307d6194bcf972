// Actions that several places of the page offer.

import { t } from '../i18n/text.ts';
import type { Frame, PanelName } from './frame.ts';

export function togglePanel({ panel }: Frame, name: PanelName): void {
  panel.value = panel.peek() === name ? null : name;
}

export function showAuthor({ live, toast }: Frame): void {
  const author = live.authorAtCaret.peek();
  const name = author && (author.name || t('editor.unnamed'));
  toast({ text: name ? t('authorship.writtenBy', { name }) : t('authorship.writtenByNobody') });
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
