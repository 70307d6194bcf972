// A field to search in. What was typed counts when the typing pauses.

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

const TYPING_MS = 250;

interface SearchFieldProps {
  label: string;
  value: string;
  onSearch: (value: string) => void;
}

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const id = useId();
  const typed = useSignal(value);
  const asked = useRef(value);

  useEffect(() => {
    if (typed.value === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = typed.value;
      onSearch(typed.value);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed.value]);

  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        type="search"
        value={typed.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
    </div>
  );
}
