// The processes that serve pads from the same database.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { absoluteTime, relativeTime } from '../../i18n/time.ts';
import { NoticeBox } from '../../ui/notice.tsx';
import { useAdmin } from '../context.ts';
import { count, duration } from '../format.ts';
import { say } from '../words.ts';

interface Node {
  id: string;
  own: boolean;
  version: string;
  address: string;
  started: number;
  silentMs: number;
  draining: boolean;
  members: number;
  pads: number;
  commits: number;
  replans: number;
}

interface Answer {
  shared: boolean;
  nodes: Node[];
}

const PAUSE_MS = 2000;

export function NodesPage() {
  const { api } = useAdmin();
  const answer = useSignal<Answer | null>(null);
  const problem = useSignal<string | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let closed = false;
    const load = async () => {
      try {
        answer.value = await api.get<Answer>('api/nodes');
        problem.value = null;
      } catch (error) {
        problem.value = error instanceof Error ? error.message : String(error);
      }
      if (!closed) timer = setTimeout(load, PAUSE_MS);
    };
    void load();
    return () => {
      closed = true;
      clearTimeout(timer);
    };
  }, [api, answer, problem]);

  const { shared, nodes } = answer.value ?? { shared: true, nodes: [] };
  return (
    <>
      {problem.value && (
        <NoticeBox tone="bad" icon="alert" urgent>
          {problem.value}
        </NoticeBox>
      )}
      {shared ? (
        <table class="list" data-settled={answer.value !== null}>
          <thead>
            <tr>
              <th class="at-name">{say('nodes.node')}</th>
              <th>{say('nodes.version')}</th>
              <th>{say('nodes.members')}</th>
              <th>{say('nodes.pads')}</th>
              <th>{say('nodes.replans')}</th>
              <th>{say('nodes.seen')}</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map((node) => (
              <Row key={node.id} node={node} />
            ))}
          </tbody>
        </table>
      ) : (
        <NoticeBox>{say('nodes.single')}</NoticeBox>
      )}
    </>
  );
}

function Row({ node }: { node: Node }) {
  const { id, own, version, address, started, silentMs, draining, members, pads } = node;
  const marks = [own && say('nodes.own'), draining && say('nodes.draining')].filter(Boolean);
  return (
    <tr>
      <th scope="row" class="at-name">
        <span class="monospace">{address}</span>
        {marks.length > 0 && ` (${marks.join(', ')})`}
        <p class="hint">
          <span class="monospace">{id}</span>{' '}
          <time dateTime={new Date(started).toISOString()} title={absoluteTime(started)}>
            {say('nodes.started', { time: relativeTime(started, Date.now()) })}
          </time>
        </p>
      </th>
      <td class="always">{version}</td>
      <td class="always">{count(members)}</td>
      <td>{count(pads)}</td>
      <td>
        {say('nodes.replansOf', { replans: count(node.replans), commits: count(node.commits) })}
      </td>
      <td>{duration(silentMs / 1000)}</td>
    </tr>
  );
}
