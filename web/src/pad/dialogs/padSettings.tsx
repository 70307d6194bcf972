// What the creator of a pad sets for everybody.

import { CODES, nameOfLanguage } from '../../i18n/languages.ts';
import { t } from '../../i18n/text.ts';
import { FieldGroup, SelectField, Switch } from '../../ui/field.tsx';
import { useFrame } from '../frame.ts';
import type { PadViewOptions } from '../live.ts';

export function PadSettings() {
  const { live } = useFrame();
  const options = live.info.value?.options;
  if (!options) return null;
  const view = (change: Partial<PadViewOptions>) => live.setPadOptions({ view: change });
  return (
    <>
      <p class="hint">{t('settings.everybodyHint')}</p>
      <FieldGroup title={t('settings.text')}>
        <Switch
          label={t('settings.enforce')}
          checked={options.enforceSettings}
          onChange={(enforceSettings) => live.setPadOptions({ enforceSettings })}
        />
        <Switch
          label={t('settings.showColours')}
          checked={options.view.showAuthorColors}
          onChange={(showAuthorColors) => view({ showAuthorColors })}
        />
        <Switch
          label={t('settings.fade')}
          checked={options.view.fadeInactiveAuthorColors}
          onChange={(fadeInactiveAuthorColors) => view({ fadeInactiveAuthorColors })}
        />
        <Switch
          label={t('settings.lineNumbers')}
          checked={options.view.showLineNumbers}
          onChange={(showLineNumbers) => view({ showLineNumbers })}
        />
        <Switch
          label={t('settings.directionRtl')}
          checked={options.view.rtlIsTrue}
          onChange={(rtlIsTrue) => view({ rtlIsTrue })}
        />
        <SelectField
          label={t('settings.font')}
          value={options.view.padFontFamily}
          options={fontOptions(options.view.padFontFamily)}
          onChange={(padFontFamily) => view({ padFontFamily })}
        />
      </FieldGroup>
      <FieldGroup title={t('settings.page')}>
        <SelectField
          label={t('settings.language')}
          value={options.lang ?? ''}
          options={[
            { value: '', label: t('settings.languageAuto') },
            ...CODES.map((code) => ({ value: code, label: nameOfLanguage(code) })),
          ]}
          onChange={(lang) => live.setPadOptions({ lang: lang || null })}
        />
        <Switch
          label={t('settings.chatShown')}
          checked={options.showChat}
          onChange={(showChat) => live.setPadOptions({ showChat })}
        />
        <Switch
          label={t('settings.chatOpen')}
          checked={options.alwaysShowChat}
          onChange={(alwaysShowChat) => live.setPadOptions({ alwaysShowChat })}
        />
        <Switch
          label={t('settings.chatAndUsers')}
          checked={options.chatAndUsers}
          onChange={(chatAndUsers) => live.setPadOptions({ chatAndUsers })}
        />
      </FieldGroup>
    </>
  );
}

// By the words that other clients of the same pad understand.
function fontOptions(current: string) {
  const known = [
    { value: '', label: t('settings.fontDefault') },
    { value: 'serif', label: t('settings.fontSerif') },
    { value: 'monospace', label: t('settings.fontMonospace') },
    { value: 'opendyslexic', label: t('settings.fontDyslexic') },
  ];
  if (known.some(({ value }) => value === current)) return known;
  return [...known, { value: current, label: current }];
}
