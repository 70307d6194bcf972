// The bar above the text, on phones below it.
//
// Invariant: every tool can be reached at every width. Those that the row has no room for are in a
// sheet that the last button of the row opens; on phones that are all but the first seven.

import { signal, useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { hasFingers, isWide } from './breakpoints.ts';
import type { ButtonName } from './buttonNames.ts';
import { Tool } from './buttons.tsx';
import { useFrame } from './frame.ts';
import { latePart } from './latePart.ts';

const MoreTools = latePart(async () => (await import('./moreTools.tsx')).MoreTools);

// All that is in it from the start needs the right to write, but for what a reader can use.
const READING: readonly ButtonName[] = ['authorship', 'outline', 'find'];
// By how often they are used.
const USUAL: readonly (readonly ButtonName[])[] = [
  ['bold', 'italic', 'underline', 'strikethrough'],
  ['unorderedlist', 'orderedlist', 'tasklist'],
  ['link'],
  ['style', 'fonts', 'formats'],
  ['outdent', 'indent', 'align'],
  ['undo', 'redo'],
  ['clearformatting', ...READING],
];
// Keys that undo are no help to fingers.
const FIRST_ON_PHONES: readonly ButtonName[] = [
  'bold',
  'italic',
  'unorderedlist',
  'orderedlist',
  'tasklist',
  'link',
  'undo',
];

export interface BarTool {
  readonly id: string;
  readonly Tool: ComponentType;
}

const isPhone = signal(false);
const lookAgain = () => {
  isPhone.value = hasFingers() && !isWide();
};
addEventListener('resize', lookAgain);
lookAgain();

export function Bar({ readOnly }: { readOnly: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const groups = useTools(readOnly);
  const all = groups.flat();
  const first = isPhone.value ? FIRST_ON_PHONES.length : all.length;
  const room = useSignal(first);
  // By keys or not; null when it is closed.
  const opened = useSignal<'keys' | 'pointer' | null>(null);
  const fits = Math.min(first, room.value);
  const rest = all.slice(fits);

  useLayoutEffect(() => {
    const element = row.current;
    if (!element) return undefined;
    const measure = () => {
      const tools = [...element.querySelectorAll<HTMLElement>(':scope > .tool')];
      // What has no room has wrapped to a line that is not seen.
      const wrapped = tools.findIndex(({ offsetTop }) => offsetTop >= element.clientHeight);
      room.value = wrapped < 0 ? tools.length : wrapped;
    };
    measure();
    // Words in another language, and another kind of text, are wider.
    const observer = new ResizeObserver(measure);
    for (const each of [element, ...element.children]) observer.observe(each);
    return () => observer.disconnect();
  }, [all.map(({ id }) => id).join(), first]);

  let index = 0;
  return (
    <section class="bar" aria-label={t('bar.label')} data-region>
      <Toolbar label={t('bar.label')} class="in-bar">
        <div class="tools" ref={row}>
          {groups.map((group, at) => [
            at > 0 && index < first && !isPhone.value && (
              <hr key={at} class={index < fits ? '' : 'off'} />
            ),
            ...group.map(({ id, Tool }) => {
              index += 1;
              if (index > first) return null;
              return (
                <div key={id} class={`tool ${index > fits ? 'off' : ''}`}>
                  <Tool />
                </div>
              );
            }),
          ])}
        </div>
        <div class="more-place">
          {rest.length > 0 && (
            <IconButton
              icon={isPhone.value ? 'font' : 'more'}
              label={t('bar.more')}
              expanded={opened.value !== null}
              onClick={({ detail }) => {
                opened.value = opened.value ? null : detail === 0 ? 'keys' : 'pointer';
              }}
            />
          )}
        </div>
      </Toolbar>
      {opened.value && rest.length > 0 && (
        <MoreTools
          tools={rest}
          byKeys={opened.value === 'keys'}
          onClose={() => {
            opened.value = null;
          }}
          onMissing={() => {
            opened.value = null;
          }}
        />
      )}
    </section>
  );
}

const own = new Map<ButtonName, BarTool>();

function toolOf(name: ButtonName): BarTool {
  // The same component each time, so that nothing is drawn again.
  const known = own.get(name) ?? { id: name, Tool: () => <Tool name={name} /> };
  own.set(name, known);
  return known;
}

function useTools(readOnly: boolean): (readonly BarTool[])[] {
  const { boot, extras, view } = useFrame();
  const isShown = (name: ButtonName) =>
    (!readOnly || READING.includes(name) || !USUAL.flat().includes(name)) &&
    (name !== 'fonts' || view.value.fonts);
  const usual = isPhone.value
    ? [FIRST_ON_PHONES, ...USUAL.map((group) => group.filter((it) => !isFirst(it)))]
    : USUAL;
  const groups = (boot.toolbar.left ?? usual).map((group) => group.filter(isShown).map(toolOf));
  return [...groups, extras.value?.tools() ?? []].filter((group) => group.length > 0);
}

function isFirst(name: ButtonName): boolean {
  return FIRST_ON_PHONES.includes(name);
}
