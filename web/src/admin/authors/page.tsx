// The authors: found by name or id, and what identifies them erased.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { tint } from '../../theme/colour.ts';
import { Button } from '../../ui/button.tsx';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import { EraseDialog } from './erase.tsx';
import { type Author, createAuthors } from './list.ts';

export function AuthorsPage() {
  const { api, boot } = useAdmin();
  const authors = useMemo(() => createAuthors(api), [api]);
  const erased = useSignal<Author | null>(null);
  const search = useSignal('');

  useEffect(() => {
    void authors.find(search.value);
  }, [authors, search.value]);

  const { rows, next, loading, problem } = authors;
  return (
    <>
      <search class="wishes">
        <SearchField
          label={say('authors.search')}
          value=""
          onSearch={(value) => {
            search.value = value;
          }}
        />
      </search>
      {!boot.erasure && <NoticeBox>{say('authors.off')}</NoticeBox>}
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      <table class="list" aria-busy={loading.value} data-settled={!loading.value}>
        <thead>
          <tr>
            <th class="at-name">{say('authors.name')}</th>
            <th class="at-edited">{say('authors.seen')}</th>
            <th>
              <span class="only-heard">{say('pads.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map((author) => (
            <Row
              key={author.id}
              author={author}
              onErase={() => {
                erased.value = author;
              }}
            />
          ))}
          {rows.value.length === 0 && !loading.value && (
            <tr>
              <td class="nothing" colSpan={3}>
                {say('authors.nothing')}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {next.value !== null && (
        <div class="pager">
          <Button disabled={loading.value} onClick={() => void authors.more()}>
            {say('authors.more')}
          </Button>
        </div>
      )}
      {erased.value && (
        <EraseDialog
          author={erased.value}
          onClose={(done) => {
            erased.value = null;
            if (done) void authors.find(search.value);
          }}
        />
      )}
    </>
  );
}

function Row({ author, onErase }: { author: Author; onErase: () => void }) {
  const { boot } = useAdmin();
  const { id, name, colour, seen, erased } = author;
  return (
    <tr>
      <th scope="row" class="at-name">
        <span class="swatch" ref={tint(colour)} aria-hidden="true" />
        <span dir="auto">
          {name ?? say(erased === null ? 'authors.unnamed' : 'authors.erased')}
        </span>
        <p class="hint monospace">{id}</p>
      </th>
      <td class="at-edited always">
        <time dateTime={new Date(seen).toISOString()} title={absoluteTime(seen)}>
          {relativeTime(seen, Date.now())}
        </time>
      </td>
      <td class="tools">
        {boot.erasure && erased === null && (
          <Button onClick={onErase}>
            {say('authors.erase')}
            <span class="only-heard">{name ?? id}</span>
          </Button>
        )}
      </td>
    </tr>
  );
}
