// The operator's own files in the pages: which there could be, and which there are.

import { bytes } from '../format.ts';
import { say, type Word } from '../words.ts';

const SLOTS = ['pad.css', 'pad.js', 'pad.html', 'index.css', 'index.js', 'index.html'] as const;

export interface Custom {
  folder: string;
  files: Readonly<Record<string, { bytes?: number; problem?: string }>>;
}

export function CustomSection({ custom: { folder, files } }: { custom: Custom }) {
  const slots: readonly string[] = SLOTS;
  const others = Object.keys(files).filter((name) => !slots.includes(name));
  return (
    <section aria-labelledby="custom">
      <h2 id="custom">{say('plugins.custom')}</h2>
      <p class="hint">
        {say('plugins.customHint')} <code dir="ltr">{folder}</code>
      </p>
      <table class="list">
        <thead>
          <tr>
            <th class="at-name">{say('plugins.customFile')}</th>
            <th>{say('plugins.customUse')}</th>
            <th>{say('plugins.customState')}</th>
          </tr>
        </thead>
        <tbody>
          {SLOTS.map((name) => (
            <Line key={name} name={name} use={`plugins.slot.${name}`} file={files[name]} />
          ))}
          {others.map((name) => (
            <Line
              key={name}
              name={name}
              use={files[name]?.problem === undefined ? 'plugins.slot.other' : null}
              file={files[name]}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface LineProps {
  name: string;
  // `null` for what is of no use.
  use: Word | null;
  file: { bytes?: number; problem?: string } | undefined;
}

function Line({ name, use, file }: LineProps) {
  const purpose = use ? say(use) : '–';
  return (
    <tr>
      <th scope="row" class="at-name">
        <code dir="ltr">{name}</code>
        <p class="brief">
          {purpose} · <State file={file} />
        </p>
      </th>
      <td>{purpose}</td>
      <td>
        <State file={file} />
      </td>
    </tr>
  );
}

function State({ file }: Pick<LineProps, 'file'>) {
  if (!file) return <span class="hint">{say('plugins.notThere')}</span>;
  if (file.problem === undefined) return <>{bytes(file.bytes ?? 0)}</>;
  return (
    <span class="blocked">
      {say('plugins.leftOut')} <span lang="en">{file.problem}</span>
    </span>
  );
}
