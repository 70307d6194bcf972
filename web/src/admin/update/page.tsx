// Updates: what runs, what is newer, what is about to happen, and what can be done about it.

import { useEffect, useMemo } from 'preact/hooks';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { say } from '../words.ts';
import { Facts } from './facts.tsx';
import { FileText } from './fileText.tsx';
import { type Followed, follow } from './follow.ts';
import { Progress } from './progress.tsx';
import { isUnderWay, type Status } from './status.ts';
import { Window } from './window.tsx';

const CALM_MS = 5_000;

export function UpdatePage() {
  const { boot } = useAdmin();
  return boot.updates ? <Updates /> : <NoticeBox>{say('update.off')}</NoticeBox>;
}

function Updates() {
  const { boot } = useAdmin();
  const followed = useMemo(
    () => follow(boot.base, { calmMs: CALM_MS, withLog: true }),
    [boot.base],
  );
  useEffect(() => followed.close, [followed]);
  const status = followed.status.value;
  return (
    <div class="updates" data-settled={status !== null}>
      <Connection followed={followed} />
      {status && (
        <>
          <Progress status={status} followed={followed} />
          {isUnderWay(status) && <Log text={followed.log.value} />}
          <Facts status={status} />
          {/* Who is signed out is not told of it. */}
          {!followed.signedOut.value && <Window status={status} />}
          <Notes status={status} />
          {!isUnderWay(status) && <Log text={followed.log.value} />}
        </>
      )}
    </div>
  );
}

// Nobody answers, or another start of the service does, which knows of no login.
function Connection({ followed }: { followed: Followed }) {
  const { boot } = useAdmin();
  const status = followed.status.value;
  if (followed.signedOut.value) {
    return (
      <NoticeBox>
        {say('update.signedOut')}{' '}
        <a href={`${boot.base}sign-in?next=admin%2Fupdate`}>{say('restart.signIn')}</a>
      </NoticeBox>
    );
  }
  if (!followed.away.value) return null;
  return status && isUnderWay(status) ? (
    <NoticeBox icon="refresh">{say('update.restarting')}</NoticeBox>
  ) : (
    <NoticeBox tone="warn" icon="cloudOff" urgent>
      {say('dash.broken')}
    </NoticeBox>
  );
}

function Log({ text }: { text: string }) {
  return (
    <section aria-labelledby="log">
      <h2 id="log">{say('update.log')}</h2>
      {text ? <FileText text={text} following /> : <p class="hint">{say('update.noLog')}</p>}
    </section>
  );
}

function Notes({ status: { latest } }: { status: Status }) {
  if (!latest) return null;
  return (
    <section class="notes" aria-labelledby="notes">
      <h2 id="notes">{say('update.notes', { version: latest.version })}</h2>
      {latest.body && <FileText text={latest.body} />}
      {latest.htmlUrl && (
        <p>
          <a href={latest.htmlUrl} rel="noreferrer" target="_blank">
            {say('update.release')}
          </a>
        </p>
      )}
    </section>
  );
}
