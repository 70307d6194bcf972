// The colours of text and behind it: a few names, each with a value for either theme.
//
// Invariant: only names are written. Other values, of pads from elsewhere and of pasted text, are shown
// as the name that is nearest, and stay as they are in the pad.

export const HIGHLIGHTS = ['yellow', 'green', 'blue', 'pink', 'orange', 'purple'] as const;
export type Highlight = (typeof HIGHLIGHTS)[number];

export const COLOURS = [
  'black',
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
] as const;
export type Colour = (typeof COLOURS)[number];

// In degrees.
const HUES = { red: 0, orange: 33, yellow: 57, green: 125, blue: 215, purple: 270, pink: 325 };
// The least difference between the strongest and the weakest light that makes a colour.
const GREY = 50;
const DARK = 90;

const named = <Name extends string>(names: readonly Name[], value: string): Name | null =>
  names.find((name) => name === value) ?? null;

// The colour on a text in any of its spellings; null for none that is known.
export function colourOf(attributes: ReadonlyMap<string, string>): Colour | null {
  const value = attributes.get('color') || attributes.get('colors') || oldSpelling(attributes);
  return value ? nearestColour(value) : null;
}

export function highlightOf(attributes: ReadonlyMap<string, string>): Highlight | null {
  return named(HIGHLIGHTS, attributes.get('highlight') ?? '');
}

// All attributes of a set that give its text a colour.
export function colourKeys(attributes: ReadonlyMap<string, string>): string[] {
  return [...attributes.keys()].filter((key) => /^color(?:s|[:_]\w+)?$/.test(key));
}

function oldSpelling(attributes: ReadonlyMap<string, string>): string | undefined {
  const key = colourKeys(attributes).find((key) => /[:_]/.test(key));
  return key?.slice('color:'.length);
}

export function nearestColour(value: string): Colour | null {
  const name = named(COLOURS, value);
  const light = name ? null : lightOf(value);
  if (!light) return name;
  const [least, most] = [Math.min(...light), Math.max(...light)];
  if (most - least < GREY) return most < DARK ? 'black' : 'gray';
  return nearest(COLOURS, light);
}

type Light = readonly [red: number, green: number, blue: number];

function lightOf(value: string): Light | null {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(value);
  const rgb =
    /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*(?:1|[01]?\.[5-9]\d*)\s*)?\)$/.exec(value);
  const [, red, green, blue] =
    hex?.map((part) => Number.parseInt(part, 16)) ?? rgb?.map(Number) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return null;
  return [red, green, blue];
}

function nearest<Name extends string>(names: readonly Name[], light: Light): Name {
  const hue = hueOf(light);
  const distance = (name: Name) => {
    const far = Math.abs((HUES[name as keyof typeof HUES] ?? Number.NaN) - hue);
    return Math.min(far, 360 - far);
  };
  const known = names.filter((name) => name in HUES);
  return known.reduce((best, name) => (distance(name) < distance(best) ? name : best));
}

function hueOf([red, green, blue]: Light): number {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (most === red) return (60 * ((green - blue) / range) + 360) % 360;
  return most === green ? 60 * ((blue - red) / range + 2) : 60 * ((red - green) / range + 4);
}
