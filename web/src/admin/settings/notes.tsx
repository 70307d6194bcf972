// What the reader of settings says of a text, one notice for each.

import { NoticeBox } from '../../ui/notice.tsx';
import { say } from '../words.ts';
import type { Note, Verdict } from './verdict.ts';

interface NotesProps {
  verdict: Verdict;
  // Leads to a line of the text.
  onGo?: (line: number) => void;
}

export function Notes({ verdict, onGo }: NotesProps) {
  const { problems, warnings } = verdict;
  if (problems.length + warnings.length === 0) return <p class="hint">{say('settings.good')}</p>;
  const box = (tone: 'bad' | 'warn', { text, line }: Note) => (
    <NoticeBox
      key={text}
      tone={tone}
      icon={tone === 'bad' ? 'alert' : 'info'}
      actions={
        line && onGo ? [{ label: say('settings.toLine', { line }), act: () => onGo(line) }] : []
      }
    >
      <span lang="en">{text}</span>
    </NoticeBox>
  );
  return (
    <>
      {problems.map((note) => box('bad', note))}
      {warnings.map((note) => box('warn', note))}
    </>
  );
}
