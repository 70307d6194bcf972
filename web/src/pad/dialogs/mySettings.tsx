// The visitor's own settings.

import { useSignal } from '@preact/signals';
import { CODES, nameOfLanguage } from '../../i18n/languages.ts';
import { t } from '../../i18n/text.ts';
import { mayCache } from '../../offline/policy.ts';
import {
  AUTHORSHIP,
  choose,
  DIRECTIONS,
  forgetChoices,
  PASTED_MARKDOWN,
  prefs,
  SIZES,
  THEMES,
  WIDTHS,
} from '../../prefs/prefs.ts';
import { keepRecent, recentKept } from '../../prefs/recent.ts';
import { Button } from '../../ui/button.tsx';
import { FieldGroup, Segments, SelectField, Switch } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useFrame } from '../frame.ts';
import { FONTS } from '../view.ts';

const WIDTH_NAMES = ['widthNarrow', 'widthNormal', 'widthWide', 'widthFull'] as const;
const THEME_NAMES = { auto: 'themeAuto', light: 'themeLight', dark: 'themeDark' } as const;
const DIRECTION_NAMES = {
  auto: 'directionAuto',
  ltr: 'directionLtr',
  rtl: 'directionRtl',
} as const;

const PASTED_NAMES = { ask: 'pastedAsk', always: 'pastedAlways', never: 'pastedNever' } as const;

export function MySettings() {
  const { live, extras } = useFrame();
  const Extra = extras.value?.Settings;
  const fixed = live.info.value?.options.enforceSettings === true;
  return (
    <>
      {fixed && <NoticeBox tone="warn">{t('settings.enforced')}</NoticeBox>}
      <TextSettings fixed={fixed} />
      <TypingSettings />
      <PageSettings />
      <ChatSettings fixed={fixed} />
      {Extra && <Extra />}
      <Button icon="refresh" onClick={forgetChoices}>
        {t('settings.reset')}
      </Button>
    </>
  );
}

function TextSettings({ fixed }: { fixed: boolean }) {
  const { view } = useFrame();
  const { look } = view.value;
  return (
    <FieldGroup title={t('settings.text')}>
      <Segments
        label={t('settings.authorship')}
        value={look.authorship}
        disabled={fixed}
        options={AUTHORSHIP.map((value) => ({ value, label: t(`authorship.${value}`) }))}
        onChange={(authorship) => choose({ authorship })}
      />
      <Switch
        label={t('settings.fade')}
        checked={look.fade}
        disabled={fixed || look.authorship === 'off'}
        onChange={(fade) => choose({ fade })}
      />
      <Switch
        label={t('settings.lineNumbers')}
        checked={look.lineNumbers}
        disabled={fixed}
        onChange={(lineNumbers) => choose({ lineNumbers })}
      />
      <SelectField
        label={t('settings.font')}
        value={look.font}
        disabled={fixed}
        options={fontOptions(look.font)}
        onChange={(font) => choose({ font })}
      />
      <SelectField
        label={t('settings.size')}
        value={String(look.size)}
        options={SIZES.map((size) => ({ value: String(size), label: String(size) }))}
        onChange={(size) => choose({ size: Number(size) })}
      />
      <SelectField
        label={t('settings.width')}
        value={String(look.width)}
        options={WIDTHS.map((width, index) => ({
          value: String(width),
          label: t(`settings.${WIDTH_NAMES[index] ?? 'widthNormal'}`),
        }))}
        onChange={(width) => choose({ width: Number(width) })}
      />
      <SelectField
        label={t('settings.direction')}
        value={look.direction}
        disabled={fixed}
        options={DIRECTIONS.map((value) => ({
          value,
          label: t(`settings.${DIRECTION_NAMES[value]}`),
        }))}
        onChange={(value) => {
          const direction = DIRECTIONS.find((known) => known === value);
          if (direction) choose({ direction });
        }}
      />
    </FieldGroup>
  );
}

function TypingSettings() {
  return (
    <FieldGroup title={t('settings.typing')}>
      <Switch
        label={t('settings.markdown')}
        hint={t('settings.markdownHint')}
        checked={prefs.value.markdown ?? true}
        onChange={(markdown) => choose({ markdown })}
      />
      <Switch
        label={t('settings.slash')}
        checked={prefs.value.slash ?? true}
        onChange={(slash) => choose({ slash })}
      />
      <Switch
        label={t('settings.suggest')}
        checked={prefs.value.suggest ?? true}
        onChange={(suggest) => choose({ suggest })}
      />
      <Segments
        label={t('settings.pasted')}
        value={prefs.value.pastedMarkdown ?? 'ask'}
        options={PASTED_MARKDOWN.map((value) => ({
          value,
          label: t(`settings.${PASTED_NAMES[value]}`),
        }))}
        onChange={(pastedMarkdown) => choose({ pastedMarkdown })}
      />
    </FieldGroup>
  );
}

function fontOptions(current: string) {
  const known = [
    { value: '', label: t('settings.fontDefault') },
    { value: FONTS.serif, label: t('settings.fontSerif') },
    { value: FONTS.monospace, label: t('settings.fontMonospace') },
    { value: FONTS.dyslexic, label: t('settings.fontDyslexic') },
    { value: FONTS.comic, label: t('settings.fontComic') },
  ];
  if (known.some(({ value }) => value === current)) return known;
  return [...known, { value: current, label: t('settings.fontOther') }];
}

function PageSettings() {
  const { boot, parameters } = useFrame();
  const kept = useSignal(recentKept());
  return (
    <FieldGroup title={t('settings.page')}>
      <Segments
        label={t('settings.theme')}
        value={prefs.value.theme ?? 'auto'}
        options={THEMES.map((value) => ({ value, label: t(`settings.${THEME_NAMES[value]}`) }))}
        onChange={(theme) => choose({ theme })}
      />
      <SelectField
        label={t('settings.language')}
        value={parameters.lang ?? prefs.value.language ?? ''}
        disabled={parameters.lang !== undefined}
        options={[
          { value: '', label: t('settings.languageAuto') },
          ...CODES.map((code) => ({ value: code, label: nameOfLanguage(code) })),
        ]}
        onChange={(language) => choose({ language })}
      />
      <Switch
        label={t('settings.whoWrote')}
        hint={t('settings.whoWroteHint')}
        checked={prefs.value.whoWrote ?? true}
        onChange={(whoWrote) => choose({ whoWrote })}
      />
      <Switch
        label={t('settings.joins')}
        hint={t('settings.joinsHint')}
        checked={prefs.value.joins ?? true}
        onChange={(joins) => choose({ joins })}
      />
      <Switch
        label={t('settings.whole')}
        hint={t('settings.wholeHint')}
        checked={prefs.value.wholeText ?? false}
        onChange={(wholeText) => choose({ wholeText })}
      />
      {mayCache(boot.padId) && (
        <Switch
          label={t('settings.offline')}
          hint={t('settings.offlineHint')}
          checked={prefs.value.offline ?? false}
          onChange={(offline) => choose({ offline })}
        />
      )}
      {boot.recentPads && (
        <Switch
          label={t('home.keepList')}
          checked={kept.value}
          onChange={(keep) => {
            keepRecent(keep);
            kept.value = keep;
          }}
        />
      )}
    </FieldGroup>
  );
}

function ChatSettings({ fixed }: { fixed: boolean }) {
  const { view } = useFrame();
  const { chat, chatOpen, chatAndUsers } = view.value;
  return (
    <FieldGroup title={t('settings.chat')}>
      <Switch
        label={t('settings.chatShown')}
        checked={chat}
        disabled={fixed}
        onChange={(chatShown) => choose({ chatShown })}
      />
      <Switch
        label={t('settings.chatOpen')}
        checked={chatOpen}
        disabled={fixed || !chat}
        onChange={(open) => choose({ chatOpen: open })}
      />
      <Switch
        label={t('settings.chatAndUsers')}
        checked={chatAndUsers}
        disabled={fixed || !chat}
        onChange={(both) => choose({ chatAndUsers: both })}
      />
    </FieldGroup>
  );
}
