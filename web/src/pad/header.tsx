// The header: where one is, whether it is saved, who is here, and how to bring in others.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { Icon } from '../ui/icon.tsx';
import { LateMenu, Tool, type ToolName } from './buttons.tsx';
import { isOffered } from './commands.ts';
import { titleOf, useFrame } from './frame.ts';
import { latePart } from './latePart.ts';
import { chosenTitle } from './shownTitle.ts';
import { StateChip } from './state.tsx';

const TitleField = latePart(async () => (await import('./titleField.tsx')).TitleField);

const USUAL: readonly ToolName[] = ['showusers', 'timeslider', 'importexport', 'chat', 'embed'];

export function Header() {
  const frame = useFrame();
  const { boot, view } = frame;
  const { menuRight } = view.value;
  const { right } = boot.toolbar;
  const tools: readonly ToolName[] = right ? [...right.flat(), 'chat'] : USUAL;
  return (
    <header class="header" data-region>
      {isOffered(boot, 'home') && (
        <a
          class="icon-button"
          href={`${boot.base}./`}
          aria-label={t('header.home')}
          data-tip={t('header.home')}
        >
          <Icon name="page" />
        </a>
      )}
      <div class="identity">
        <Title />
        <StateChip />
      </div>
      {menuRight && (
        <div class="header-right">
          {tools.map((name) => (
            <Tool key={name} name={name} />
          ))}
          <LateMenu name="more" icon="more" label={t('header.more')} />
        </div>
      )}
    </header>
  );
}

// The pad's title, to be edited by those who may write.
function Title() {
  const frame = useFrame();
  const { boot, live } = frame;
  const chosen = chosenTitle(boot, live.info.value?.title);
  const title = titleOf(frame);
  const editing = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const done = (byKeys?: boolean) => {
    editing.value = false;
    if (byKeys) setTimeout(() => button.current?.focus());
  };
  if (live.info.value?.readOnly !== false) {
    return (
      <h1 title={boot.padId} dir="auto">
        {title}
      </h1>
    );
  }
  return (
    <h1 dir="auto">
      {editing.value && <TitleField title={chosen ?? ''} onDone={done} onMissing={done} />}
      <button
        type="button"
        ref={button}
        class={chosen === null ? 'title untitled' : 'title'}
        hidden={editing.value}
        data-tip={t('header.rename')}
        onClick={() => {
          editing.value = true;
        }}
      >
        {title}
      </button>
    </h1>
  );
}
