// A row of colours in a menu, of which one or none holds.

import type { Act, MenuItem } from './menu.tsx';

interface Swatch {
  label: string;
  class: string;
  chosen: boolean;
  act: () => void;
}

export function swatches(label: string, choices: readonly Swatch[]): MenuItem {
  return { kind: 'part', label, draw: (act) => <Swatches {...{ label, choices, act }} /> };
}

function Swatches(props: { label: string; choices: readonly Swatch[]; act: Act }) {
  const { label, choices, act } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu.
    <div class="swatches" role="group" aria-label={label}>
      <span aria-hidden="true">{label}</span>
      {choices.map((swatch) => (
        <button
          key={swatch.label}
          type="button"
          class={`swatch ${swatch.class}`}
          role="menuitemradio"
          aria-checked={swatch.chosen}
          aria-label={swatch.label}
          title={swatch.label}
          tabIndex={-1}
          onClick={() => act(swatch.act)}
        >
          <span aria-hidden="true">A</span>
        </button>
      ))}
    </div>
  );
}
