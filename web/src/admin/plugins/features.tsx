// Features that are built in, each with its switch. A switch changes the settings file, after the
// change was looked at; it counts from the next start.

import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { language } from '../../i18n/text.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { Prose } from '../settings/prose.tsx';
import { Restart } from '../settings/restart.tsx';
import { Review } from '../settings/review.tsx';
import { loadTexts, type SettingTexts } from '../settings/texts.ts';
import { say, type Word } from '../words.ts';

export interface Feature {
  name: string;
  key: string;
  // What the setting is: yes or no, one of several words, or anything.
  kind: 'flag' | 'tier' | 'value';
  help: string;
  on: boolean;
  // From the next start; `null` if the file does not tell.
  next: boolean | null;
  // The environment variable that decides, if there is one.
  variable: string | null;
  // Further settings that belong to it.
  more: readonly string[];
}

interface FeaturesProps {
  features: readonly Feature[];
  file: string | null;
  onSaved: () => Promise<void>;
}

export function Features({ features, file, onSaved }: FeaturesProps) {
  const { api } = useAdmin();
  const changed = useSignal<{ before: string; after: string } | null>(null);
  const problem = useSignal('');
  const texts = useSignal<SettingTexts | undefined>(undefined);
  // A file that the service could not start with tells nothing about any of them.
  const broken = file !== null && features.every(({ next }) => next === null);

  useEffect(() => {
    void loadTexts(language()).then((loaded) => {
      texts.value = loaded;
    });
  }, []);

  const waiting = features.some(({ on, next }) => next !== null && next !== on);

  const change = async (before: string, feature: Feature, on: boolean): Promise<void> => {
    problem.value = '';
    try {
      const changes = { [feature.key]: wanted(feature, on) };
      const { text } = await api.post<{ text: string }>('api/settings/edit', {
        text: before,
        changes,
      });
      changed.value = { before, after: text };
    } catch (error) {
      problem.value = error instanceof Error ? error.message : `${error}`;
    }
  };

  return (
    <section aria-labelledby="features">
      <h2 id="features">{say('plugins.features')}</h2>
      {file === null && <NoticeBox>{say('plugins.hidden')}</NoticeBox>}
      {broken && (
        <NoticeBox tone="warn" icon="alert">
          {say('plugins.broken')}
        </NoticeBox>
      )}
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      <ul class="features">
        {features.map((feature) => (
          <FeatureRow
            key={feature.name}
            feature={feature}
            translation={texts.value?.settings[feature.key]?.help}
            onChange={file === null || broken ? null : (on) => void change(file, feature, on)}
          />
        ))}
      </ul>
      {waiting && <Restart />}
      {changed.value && (
        <Review
          {...changed.value}
          onClose={(saved) => {
            changed.value = null;
            if (saved) void onSaved();
          }}
        />
      )}
    </section>
  );
}

// The new value of the setting; `null` is the value it has when nobody gives it one.
function wanted({ kind }: Feature, on: boolean): boolean | string | null {
  if (kind === 'flag') return on;
  if (kind === 'tier') return on ? 'notify' : 'off';
  return null;
}

interface FeatureRowProps {
  feature: Feature;
  // The help in the reader's language.
  translation: string | undefined;
  // `null` if nothing can be changed here at all.
  onChange: ((on: boolean) => void) | null;
}

function FeatureRow({ feature, translation, onChange }: FeatureRowProps) {
  const id = useId();
  const { name, key, kind, help, on, next, variable, more } = feature;
  const shown = next ?? on;
  const needsValue = kind === 'value' && !shown;
  const blocked = variable
    ? say('plugins.variable', { name: variable })
    : needsValue && say('plugins.needsValue', { key });
  return (
    <li class="feature">
      <label for={id}>{say(`plugins.feature.${name}` as Word)}</label>
      <input
        id={id}
        class="switch"
        type="checkbox"
        role="switch"
        aria-checked={shown}
        aria-describedby={`${id}-about`}
        checked={shown}
        disabled={!onChange || Boolean(blocked)}
        onChange={(event) => {
          // It moves when the change is saved.
          event.currentTarget.checked = shown;
          onChange?.(!shown);
        }}
      />
      <div id={`${id}-about`} class="feature-about">
        <Prose text={translation ?? help} lang={translation ? language() : 'en'} />
        {blocked && <p class="blocked">{blocked}</p>}
        {next !== null && next !== on && (
          <p class="soon">{say(next ? 'plugins.nextOn' : 'plugins.nextOff')}</p>
        )}
        <p class="hint">
          <SettingLink name={key} />
          {more.length > 0 && ` · ${say('plugins.more')} `}
          {more.map((other, index) => (
            <span key={other}>
              {index > 0 && ', '}
              <SettingLink name={other} />
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}

function SettingLink({ name }: { name: string }) {
  const { boot } = useAdmin();
  return (
    <a href={`${boot.base}admin/settings?search=${name}`}>
      <code>{name}</code>
    </a>
  );
}
