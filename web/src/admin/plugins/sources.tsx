// Where an administrator has a plugin: in a file, or in a folder where the browser can choose one.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { say } from '../words.ts';
import { folderForm } from './folder.ts';
import type { Source } from './installed.ts';

interface SourcesProps {
  onChoose: (source: Source) => void;
}

export function Sources({ onChoose }: SourcesProps) {
  const tooLarge = useSignal(false);
  const takeFolder = async (files: readonly File[]): Promise<void> => {
    const form = await folderForm(files);
    tooLarge.value = form === null;
    if (form) onChoose(form);
  };
  return (
    <div class="plugin-sources">
      <FileField
        label={say('plugins.installFile')}
        hint={say('plugins.installHint')}
        attributes={{ accept: '.padplugin' }}
        onChoose={([file]) => file && onChoose(file)}
      />
      {'webkitdirectory' in HTMLInputElement.prototype && (
        <FileField
          label={say('plugins.installFolder')}
          hint={say('plugins.installFolderHint')}
          attributes={{ webkitdirectory: true }}
          onChoose={(files) => void takeFolder(files)}
        />
      )}
      {tooLarge.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {say('plugins.folderTooLarge')}
        </NoticeBox>
      )}
    </div>
  );
}

interface FileFieldProps {
  label: string;
  hint: string;
  attributes: { accept?: string; webkitdirectory?: boolean };
  onChoose: (files: readonly File[]) => void;
}

function FileField({ label, hint, attributes, onChoose }: FileFieldProps) {
  const id = useId();
  return (
    <div class="field plugin-file">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="file"
        aria-describedby={`${id}-hint`}
        {...attributes}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // The same one may be chosen again after it was changed.
          event.currentTarget.value = '';
          if (files.length > 0) onChoose(files);
        }}
      />
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
