// The chat.
//
// Invariant: the list stays at its end while one reads there, and does not move while one reads above.

import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useFrame } from '../frame.ts';
import { doing } from '../statusLine.tsx';
import { Message } from './message.tsx';

const NEAR_END = 40;
// What is written and not sent. It is still there when the panel is opened again.
const draft = signal('');
const failed = signal(false);

export function Chat() {
  const { live } = useFrame();
  const { entries, hasOlder } = live.chat.value;
  const log = useRef<HTMLDivElement>(null);
  const atEnd = useSignal(true);
  // The distance to the end stays when older messages come in above.
  const fromEnd = useRef(0);
  const last = entries.at(-1)?.key;

  const toEnd = (): void => {
    const element = log.current;
    if (element) element.scrollTop = element.scrollHeight;
  };

  useLayoutEffect(() => {
    const element = log.current;
    if (!element) return;
    if (atEnd.peek()) toEnd();
    else element.scrollTop = element.scrollHeight - fromEnd.current;
  }, [entries.length, last]);

  const onScroll = (): void => {
    const element = log.current;
    if (!element) return;
    fromEnd.current = element.scrollHeight - element.scrollTop;
    atEnd.value = fromEnd.current - element.clientHeight < NEAR_END;
  };

  return (
    <div class="chat">
      <div
        class="log"
        ref={log}
        role="log"
        aria-label={t('chat.log')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keys.
        tabIndex={0}
        onScroll={onScroll}
      >
        {hasOlder && (
          <div class="older">
            <Button onClick={() => live.loadOlderChat()}>{t('chat.older')}</Button>
          </div>
        )}
        {entries.length === 0 && <p class="empty">{t('chat.empty')}</p>}
        {entries.map((entry, index) => (
          <Message
            key={entry.key}
            entry={entry}
            before={entries[index - 1]}
            reader={live.self.value?.name}
          />
        ))}
      </div>
      {!atEnd.value && (
        <div class="newest">
          <Button icon="down" onClick={toEnd}>
            {t('chat.newest')}
          </Button>
        </div>
      )}
      <p class="typing">{doing(live.people.value)}</p>
      <Composer onSent={() => (atEnd.value = true)} />
    </div>
  );
}

function Composer({ onSent }: { onSent: () => void }) {
  const { live } = useFrame();
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    // On a touch screen the keyboard would take the room of the messages.
    if (matchMedia('(hover: hover)').matches) field.current?.focus();
  }, []);

  const send = async (): Promise<void> => {
    const text = draft.peek().trim();
    if (!text) return;
    onSent();
    draft.value = '';
    failed.value = false;
    field.current?.focus();
    if (await live.sendChat(text)) return;
    // In front of what was written since.
    draft.value = [text, draft.peek()].filter(Boolean).join('\n');
    failed.value = true;
  };

  return (
    <>
      {failed.value && draft.value && (
        <p class="not-sent" role="alert">
          {t('chat.notSent')}
        </p>
      )}
      <form
        class="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <textarea
          ref={field}
          id="chat-message"
          class="input"
          rows={1}
          enterkeyhint="send"
          dir="auto"
          aria-label={t('chat.message')}
          placeholder={t('chat.message')}
          value={draft.value}
          onInput={(event) => {
            draft.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
        <IconButton
          icon="send"
          class="primary"
          label={t('chat.send')}
          onClick={() => void send()}
        />
      </form>
    </>
  );
}
