// A sentence of the table of settings: what is between backticks is code.

export function Prose({ text, lang }: { text: string; lang: string }) {
  return (
    <p lang={lang}>
      {text
        .split('`')
        .map((part, index) => (index % 2 === 1 ? <code key={`${index}`}>{part}</code> : part))}
    </p>
  );
}
