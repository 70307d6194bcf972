// Keys as one writes them on a page: "Ctrl+Shift+L" here, "⌘⇧L" on a Mac.

const MAC_SIGNS: Record<string, string> = { Ctrl: '⌘', Shift: '⇧', Alt: '⌥' };

export const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

export function keysOf(shortcut: string, mac = isMac): string[] {
  const keys = shortcut.split('+');
  return mac ? keys.map((key) => MAC_SIGNS[key] ?? key) : keys;
}

export function shortcutText(shortcut: string, mac = isMac): string {
  return keysOf(shortcut, mac).join(mac ? '' : '+');
}

// The form aria-keyshortcuts wants.
export function ariaShortcut(shortcut: string, mac = isMac): string {
  return shortcut.replace('Ctrl', mac ? 'Meta' : 'Control');
}
