// The one panel beside the text: chat, people and outline. On phones it is a sheet from below.
//
// Invariant: it takes room from the text and never covers it.

import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useFrame } from '../frame.ts';
import { Chat } from './chat.tsx';
import { OutlineView } from './outline.tsx';
import { People } from './people.tsx';

export function SidePanel() {
  const { live, panel, unread, unreadMentions, view, extras } = useFrame();
  const { chat, chatAndUsers } = view.value;
  const chosen = panel.value === 'chat' && !chat ? 'people' : panel.value;

  useEffect(() => {
    if (chosen !== 'chat') return;
    unread.value = 0;
    unreadMentions.value = 0;
  }, [chosen, unread, unreadMentions]);

  // It may be among those that are reached by scrolling.
  useEffect(() => {
    const tab = document.querySelector('.panel [aria-selected=true]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [chosen]);

  if (!chosen) return null;
  const people = live.people.value.length;
  const added = extras.value?.panels ?? [];
  const tabs = [
    ...(chat ? [{ name: 'chat' as const, label: t('panel.chat') }] : []),
    { name: 'people' as const, label: t('panel.people'), count: String(people) },
    { name: 'outline' as const, label: t('bar.outline') },
    ...added,
  ];
  const Added = added.find(({ name }) => name === chosen)?.View;
  const close = () => {
    panel.value = null;
    live.focus();
  };
  return (
    <aside class="panel" aria-label={t('panel.label')} data-region>
      <Tabs
        label={t('panel.label')}
        tabs={tabs}
        chosen={chosen}
        onChoose={(name) => {
          panel.value = name;
        }}
        aside={<IconButton icon="close" label={t('panel.close')} onClick={close} />}
      >
        {chosen === 'chat' && chatAndUsers && (
          <div class="people-above">
            <People short />
          </div>
        )}
        {chosen === 'chat' && <Chat />}
        {chosen === 'people' && <People />}
        {chosen === 'outline' && <OutlineView />}
        {Added && <Added key={chosen} />}
      </Tabs>
    </aside>
  );
}
