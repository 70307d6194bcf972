// A field for a text of many lines, with their numbers beside it.
//
// Invariant: lines are not broken, so that a number stands beside its line.

import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

interface LinesProps {
  label: string;
  text: Signal<string>;
  // The line to show, each time it is given one.
  goTo: Signal<number | null>;
}

export function Lines({ label, text, goTo }: LinesProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (goTo.value === null || !area.current) return;
    select(area.current, goTo.value);
    goTo.value = null;
  }, [goTo.value]);

  const count = text.value.split('\n').length;
  return (
    <div class="lines" dir="ltr">
      <div ref={numbers} class="line-numbers" aria-hidden="true">
        {Array.from({ length: count }, (_, index) => `${index + 1}\n`)}
      </div>
      <textarea
        ref={area}
        class="input monospace settings-text"
        aria-label={label}
        rows={24}
        wrap="off"
        spellcheck={false}
        autocapitalize="none"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
        }}
      />
    </div>
  );
}

function select(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[line - 1] ?? '').length);
  // Browsers do not all scroll to a selection.
  area.scrollTop = (area.scrollHeight / lines.length) * Math.max(0, line - 5);
}
