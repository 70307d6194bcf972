// The bar above the text.

import { t } from '../i18n/text.ts';
import { Toolbar } from '../ui/toolbar.tsx';
import type { ButtonName } from './buttonNames.ts';
import { Tool } from './buttons.tsx';
import { useFrame } from './frame.ts';

// All that is in it from the start needs the right to write, but for what a reader can use.
const READING: readonly ButtonName[] = ['authorship', 'outline', 'find'];
const USUAL: readonly (readonly ButtonName[])[] = [
  ['undo', 'redo'],
  ['style', 'fonts'],
  ['bold', 'italic', 'underline', 'strikethrough', 'link', 'formats'],
  ['unorderedlist', 'orderedlist', 'tasklist', 'outdent', 'indent', 'align'],
  ['clearformatting', ...READING],
];

export function Bar({ readOnly }: { readOnly: boolean }) {
  const { boot, extras } = useFrame();
  const { left } = boot.toolbar;
  const Extra = extras.value?.Tools;
  const isShown = (name: ButtonName) =>
    !readOnly || READING.includes(name) || !USUAL.flat().includes(name);
  const groups = (left ?? USUAL).map((group) => group.filter(isShown));
  return (
    <section class="bar" aria-label={t('bar.label')} data-region>
      <Toolbar label={t('bar.label')}>
        {groups
          .filter((group) => group.length > 0)
          .map((group, at) => (
            <>
              {at > 0 && <hr />}
              {group.map((name) => (
                <Tool key={name} name={name} />
              ))}
            </>
          ))}
        {Extra && <Extra />}
      </Toolbar>
    </section>
  );
}
