// A message to everybody who is in a pad now.

import { useSignal } from '@preact/signals';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/field.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';

const LONGEST = 1000;

export function MessagePage() {
  const { api } = useAdmin();
  const text = useSignal('');
  const sticky = useSignal(false);
  const sending = useSignal(false);
  const outcome = useSignal<{ good: boolean; words: string } | null>(null);

  const send = async (): Promise<void> => {
    sending.value = true;
    try {
      const message = { text: text.value, sticky: sticky.value };
      const { people } = await api.post<{ people: number }>('api/message', message);
      outcome.value = { good: true, words: say('message.sent', { count: people }) };
      text.value = '';
    } catch (error) {
      const words = error instanceof Error ? error.message : `${error}`;
      outcome.value = { good: false, words };
    }
    sending.value = false;
  };

  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="field">
        <label for="message">{say('message.text')}</label>
        <textarea
          id="message"
          class="input"
          rows={4}
          maxLength={LONGEST}
          required
          value={text.value}
          aria-describedby="message-hint"
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <p class="hint" id="message-hint">
          {say('message.hint')}
        </p>
      </div>
      <Switch
        label={say('message.sticky')}
        hint={say('message.stickyHint')}
        checked={sticky.value}
        onChange={(checked) => {
          sticky.value = checked;
        }}
      />
      <div role="status">
        {outcome.value && (
          <NoticeBox
            tone={outcome.value.good ? 'good' : 'bad'}
            icon={outcome.value.good ? 'check' : 'alert'}
          >
            {outcome.value.words}
          </NoticeBox>
        )}
      </div>
      <div>
        <Button
          type="submit"
          kind="primary"
          icon="send"
          disabled={sending.value || text.value.trim() === ''}
        >
          {say('message.send')}
        </Button>
      </div>
    </form>
  );
}
