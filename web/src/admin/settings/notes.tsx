// What the reader of settings says of a text.

import { NoticeBox } from '../../ui/notice.tsx';
import { say } from '../words.ts';

export interface Note {
  // The full path of the key; empty if it is about the file as a whole.
  key: string;
  line: number | null;
  text: string;
}

export interface Verdict {
  // With one of these the service does not start.
  problems: readonly Note[];
  warnings: readonly Note[];
}

export function Notes({ verdict }: { verdict: Verdict }) {
  const { problems, warnings } = verdict;
  if (problems.length + warnings.length === 0) return <p class="hint">{say('settings.good')}</p>;
  return (
    <>
      {problems.map(({ text }) => (
        <NoticeBox key={text} tone="bad" icon="alert">
          <span lang="en">{text}</span>
        </NoticeBox>
      ))}
      {warnings.map(({ text }) => (
        <NoticeBox key={text} tone="warn">
          <span lang="en">{text}</span>
        </NoticeBox>
      ))}
    </>
  );
}
