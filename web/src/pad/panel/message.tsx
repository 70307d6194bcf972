// What somebody has said in the chat.
//
// Invariant: it is text and stays text; addresses in it become links, nothing else.

import { t } from '../../i18n/text.ts';
import { absoluteTime, clockTime, relativeTime } from '../../i18n/time.ts';
import { tint } from '../../theme/colour.ts';
import { nameOf } from '../guests.ts';
import { splitLinks } from '../links.ts';
import type { ChatEntry } from '../live.ts';
import { mentionsName } from './mentionsName.ts';

const SAME_BREATH_MS = 5 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface MessageProps {
  entry: ChatEntry;
  before: ChatEntry | undefined;
  // Who looks at it, if they have a name.
  reader: string | null | undefined;
}

export function Message({ entry, before, reader }: MessageProps) {
  const goesOn =
    before?.authorId === entry.authorId && entry.time - (before?.time ?? 0) < SAME_BREATH_MS;
  const mentions = !entry.self && reader && mentionsName(entry.text, reader);
  const classes = ['message', goesOn && 'goes-on', mentions && 'mentions', entry.self && 'own'];
  const now = Date.now();
  const when = now - entry.time < DAY_MS ? clockTime(entry.time) : relativeTime(entry.time, now);
  return (
    <div class={classes.filter(Boolean).join(' ')}>
      {!goesOn && (
        <p class="message-head">
          <span class="dot" ref={tint(entry.colour)} />
          <b>{entry.self ? t('chat.you') : nameOf({ id: entry.authorId, name: entry.name })}</b>
          <time dateTime={new Date(entry.time).toISOString()} title={absoluteTime(entry.time)}>
            {when}
          </time>
        </p>
      )}
      <p class="message-text" dir="auto">
        {splitLinks(entry.text).map((part, index) =>
          part.href ? (
            <a
              key={`${index} ${part.text}`}
              href={part.href}
              target="_blank"
              rel="noopener noreferrer"
            >
              {part.text}
            </a>
          ) : (
            part.text
          ),
        )}
      </p>
    </div>
  );
}
