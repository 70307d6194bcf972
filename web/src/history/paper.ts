// The document of a revision, in the editor that nobody can write in.

import { effect } from '@preact/signals';
import { loadSpec } from '../editor/apply.ts';
import { Authors, authorsChanged } from '../editor/authors.ts';
import { PadEditor } from '../editor/setup.ts';
import type { Boot } from '../pad/boot.ts';
import type { Parameters } from '../pad/parameters.ts';
import { readServerOptions } from '../pad/parameters.ts';
import { resolveView } from '../pad/view.ts';
import { editorWords } from '../pad/words.ts';
import { prefs } from '../prefs/prefs.ts';
import type { Archive } from './archive.ts';

export function showPast(
  place: HTMLElement,
  archive: Archive,
  boot: Boot,
  parameters: Parameters,
): void {
  const authors = new Authors();
  let editor: PadEditor | null = null;
  const look = () => {
    const info = archive.joined.value?.info;
    const server = readServerOptions(info?.serverOptions ?? {});
    return resolveView({ parameters, prefs: prefs.value, options: info?.options ?? null, server })
      .look;
  };

  effect(() => {
    const looks = archive.joined.value?.authors;
    if (looks && authors.set(looks)) editor?.view.dispatch({ effects: authorsChanged.of(null) });
  });
  effect(() => {
    const now = look();
    editor?.setLook(now);
  });
  effect(() => {
    const document = archive.shown.value?.document;
    if (!document) return;
    if (editor) {
      editor.view.dispatch(loadSpec(editor.view.state, document));
      return;
    }
    const config = {
      place,
      nonce: boot.nonce,
      words: { ...editorWords(boot.padId), placeholder: '' },
      author: '',
      authors,
      readOnly: true,
      look: look(),
      shortcuts: {},
      indents: false,
      actions: {
        undo: () => {},
        redo: () => {},
        find: () => void find(),
        saveRevision: () => {},
      },
      record: () => {},
      shown: () => {},
      failed: () => {
        const now = archive.shown.peek()?.document;
        if (now) editor?.reset(now);
      },
    };
    editor = new PadEditor(config, document);
  });

  async function find(): Promise<void> {
    const { openSearch } = await import('../editor/search.ts');
    if (editor) openSearch(editor.view);
  }
}
