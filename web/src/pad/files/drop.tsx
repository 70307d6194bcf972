// A file that is dropped on the page is one to import.
//
// Invariant: text that is dragged is the editor's own business.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { useFrame } from '../frame.ts';

export function DropTarget() {
  const { dialog, dropped } = useFrame();
  const over = useSignal(false);

  useEffect(() => {
    const end = new AbortController();
    // Before the editor, which would put the file's bytes into the text.
    const options = { capture: true, signal: end.signal };
    const listen = (name: 'dragover' | 'drop' | 'dragleave', act: (event: DragEvent) => void) =>
      addEventListener(
        name,
        (event) => {
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          event.stopPropagation();
          act(event);
        },
        options,
      );
    listen('dragover', () => {
      over.value = true;
    });
    listen('dragleave', ({ relatedTarget }) => {
      if (!relatedTarget) over.value = false;
    });
    listen('drop', ({ dataTransfer }) => {
      over.value = false;
      dropped.value = dataTransfer?.files[0] ?? null;
      if (dropped.peek()) dialog.value = 'files';
    });
    return () => end.abort();
  }, []);

  return over.value && <div class="drop-here">{t('files.dropHere')}</div>;
}
