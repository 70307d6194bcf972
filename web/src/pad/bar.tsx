// The formatting bar.

import { t } from '../i18n/text.ts';
import { AUTHORSHIP, choose } from '../prefs/prefs.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { Toolbar } from '../ui/toolbar.tsx';
import { clearAuthorship, sayAuthor } from './deeds.ts';
import { useFrame } from './frame.ts';
import type { InlineFormat } from './live.ts';

const HEADINGS = [0, 1, 2, 3, 4];

export function FormattingBar() {
  const { live } = useFrame();
  const formats = live.formats.value;
  const list = formats.list?.kind;
  return (
    <section class="bar" aria-label={t('bar.label')} data-region>
      <Toolbar label={t('bar.label')}>
        <IconButton
          icon="undo"
          label={t('bar.undo')}
          shortcut="Ctrl+Z"
          unavailable={!live.canUndo.value}
          onClick={() => live.undo()}
        />
        <IconButton
          icon="redo"
          label={t('bar.redo')}
          shortcut="Ctrl+Y"
          unavailable={!live.canRedo.value}
          onClick={() => live.redo()}
        />
        <hr />
        <StyleMenu />
        <hr />
        <Letter format="bold" letter="B" shortcut="Ctrl+B" />
        <Letter format="italic" letter="I" shortcut="Ctrl+I" />
        <Letter format="underline" letter="U" shortcut="Ctrl+U" />
        <Letter format="strikethrough" letter="S" shortcut="Ctrl+5" />
        <hr />
        <IconButton
          icon="bullets"
          label={t('bar.bullets')}
          shortcut="Ctrl+Shift+L"
          pressed={list === 'bullet'}
          onClick={() => live.toggleList('bullet')}
        />
        <IconButton
          icon="numbers"
          label={t('bar.numbers')}
          shortcut="Ctrl+Shift+N"
          pressed={list === 'number'}
          onClick={() => live.toggleList('number')}
        />
        <IconButton icon="outdent" label={t('bar.outdent')} onClick={() => live.outdent()} />
        <IconButton icon="indent" label={t('bar.indent')} onClick={() => live.indent()} />
        <hr />
        <IconButton
          icon="clearFormat"
          label={t('bar.clearFormatting')}
          onClick={() => live.clearFormatting()}
        />
        <AuthorshipMenu />
        <IconButton
          icon="search"
          label={t('bar.find')}
          shortcut="Ctrl+F"
          onClick={() => live.find()}
        />
      </Toolbar>
    </section>
  );
}

// What a read-only visitor can still use.
export function ReadingBar() {
  const { live } = useFrame();
  return (
    <section class="bar" aria-label={t('bar.label')} data-region>
      <Toolbar label={t('bar.label')}>
        <AuthorshipMenu />
        <IconButton
          icon="search"
          label={t('bar.find')}
          shortcut="Ctrl+F"
          onClick={() => live.find()}
        />
      </Toolbar>
    </section>
  );
}

interface LetterProps {
  format: InlineFormat;
  letter: string;
  shortcut: string;
}

function Letter({ format, letter, shortcut }: LetterProps) {
  const { live } = useFrame();
  const label = t(`bar.${format}`);
  return (
    <button
      type="button"
      class={`icon-button letter ${format}`}
      aria-label={label}
      aria-pressed={live.formats.value[format]}
      data-tip={label}
      data-tip-keys={shortcut}
      onClick={() => live.toggle(format)}
    >
      <span aria-hidden="true">{letter}</span>
    </button>
  );
}

function StyleMenu() {
  const { live } = useFrame();
  const { heading } = live.formats.value;
  const styleName = (level: number) =>
    level === 0 ? t('bar.normal') : t('bar.heading', { level });
  const items = HEADINGS.map((level) => ({
    kind: 'choice' as const,
    label: styleName(level),
    chosen: level === heading,
    act: () => {
      live.heading(level);
      live.focus();
    },
  }));
  return (
    <Menu
      label={t('bar.style', { style: styleName(heading) })}
      class="menu-button"
      tip={false}
      items={items}
    >
      <span>{styleName(heading)}</span>
      <Icon name="down" />
    </Menu>
  );
}

function AuthorshipMenu() {
  const frame = useFrame();
  const { live, view } = frame;
  const shown = view.value.look.authorship;
  const fixed = live.info.value?.options.enforceSettings === true;
  const choices = AUTHORSHIP.map((strength) => ({
    kind: 'choice' as const,
    label: t(`authorship.${strength}`),
    chosen: strength === shown,
    act: () => choose({ authorship: strength }),
  }));
  const writes = live.info.value?.readOnly === false;
  return (
    <Menu
      label={t('bar.authorship')}
      items={[
        ...(fixed ? [] : [...choices, { kind: 'line' as const }]),
        { label: t('bar.whoWrote'), keys: 'Ctrl+Shift+2', act: () => sayAuthor(frame) },
        ...(writes ? [{ label: t('bar.clearAuthorship'), act: () => clearAuthorship(frame) }] : []),
      ]}
    >
      <Icon name="drop" />
    </Menu>
  );
}
