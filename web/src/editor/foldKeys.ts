// The keys that fold and unfold the section of the caret, as CodeMirror writes them.

export const FOLD_KEYS = {
  fold: { key: 'Ctrl-Shift-[', mac: 'Cmd-Alt-[' },
  unfold: { key: 'Ctrl-Shift-]', mac: 'Cmd-Alt-]' },
};

// As they are written on a page.
export function foldKeyText(name: keyof typeof FOLD_KEYS, isMac: boolean): string {
  const { key, mac } = FOLD_KEYS[name];
  return (isMac ? mac.replace('Cmd', 'Ctrl') : key).replaceAll('-', '+');
}
