// A text as it stands in a file. One that grows is followed to its end, unless somebody has scrolled
// up to read.

import { useLayoutEffect, useRef } from 'preact/hooks';

const NEAR_PX = 24;

export function FileText({ text, following = false }: { text: string; following?: boolean }) {
  const element = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    const here = element.current;
    if (following && here && atEnd.current) here.scrollTop = here.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={element}
      class="file"
      dir="auto"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        atEnd.current = scrollTop + clientHeight > scrollHeight - NEAR_PX;
      }}
    >
      {text}
    </pre>
  );
}
