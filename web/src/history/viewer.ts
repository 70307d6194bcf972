// Read-only editor that shows a revision, or two that are compared.

import { StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { loadSpec } from '../editor/apply.ts';
import { Authors, authorsChanged } from '../editor/authors.ts';
import { PadEditor } from '../editor/setup.ts';
import type { Boot } from '../pad/boot.ts';
import type { View } from '../pad/view.ts';
import { editorWords } from '../pad/words.ts';
import type { Archive } from './archive.ts';
import { differenceName } from './changeNames.ts';
import type { CompareState } from './compareState.ts';
import { differenceMarks, setMarks } from './differences.ts';

export function showRevision(
  place: HTMLElement,
  archive: Archive,
  comparing: CompareState,
  boot: Boot,
  view: ReadonlySignal<View>,
): void {
  const authors = new Authors();
  const marks = differenceMarks((kind, author) =>
    differenceName(kind, author ? authors.lookOf(author)?.name : undefined),
  );
  let editor: PadEditor | null = null;
  const look = () => view.value.look;

  effect(() => {
    const looks = archive.joined.value?.authors;
    if (looks && authors.set(looks)) editor?.view.dispatch({ effects: authorsChanged.of(null) });
  });
  effect(() => {
    const now = look();
    editor?.setLook(now);
  });
  const document = computed(
    () => comparing.comparison.value?.document ?? archive.shown.value?.document,
  );
  effect(() => {
    const now = document.value;
    if (!now) return;
    if (editor) {
      editor.view.dispatch(loadSpec(editor.view.state, now));
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
        editLink: () => {},
        saveRevision: () => {},
      },
      record: () => {},
      shown: () => {},
      failed: () => {
        const now = document.peek();
        if (!editor || !now) return;
        editor.reset(now);
        editor.view.dispatch({ effects: StateEffect.appendConfig.of(marks) });
      },
    };
    editor = new PadEditor(config, now);
    editor.view.dispatch({ effects: StateEffect.appendConfig.of(marks) });
  });
  // After the text that they are about.
  effect(() => {
    document.value;
    const [changes, current] = [comparing.changes.value, comparing.current.value];
    const place = changes[current ?? -1]?.[0].from;
    const effects: StateEffect<unknown>[] = [setMarks.of({ changes, current })];
    if (place !== undefined) effects.push(EditorView.scrollIntoView(place, { y: 'center' }));
    editor?.view.dispatch({ effects });
  });

  async function find(): Promise<void> {
    const tools = await editorWords(boot.padId).search();
    const { openSearch } = await import('../editor/search.ts');
    if (editor) openSearch(editor.view, tools);
  }
}
