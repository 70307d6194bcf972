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
