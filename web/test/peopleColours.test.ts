// The colours of people: as bright as each other, and told apart by everybody.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PEOPLE_COLOURS } from '../src/theme/peopleColours.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

// What people with a colour vision deficiency see, on linear light: Machado, Oliveira and Fernandes,
// A physiologically-based model for simulation of color vision deficiency, 2009, severity 1.0.
const VISIONS: Record<string, Matrix> = {
  'usual vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const multiply = (matrix: Matrix, [x, y, z]: Triple) =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;

function linear(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as unknown as Triple;
}

const clipped = (light: Triple) =>
  light.map((part) => Math.min(1, Math.max(0, part))) as unknown as Triple;

function lab(light: Triple): Triple {
  const [x, y, z] = multiply(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    light,
  );
  const f = (part: number) =>
    part > 216 / 24389 ? Math.cbrt(part) : ((24389 / 27) * part + 16) / 116;
  const [fx, fy, fz] = [f(x / 0.95047), f(y), f(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function oklch(light: Triple): { lightness: number; chroma: number } {
  const cone = multiply(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    light,
  ).map(Math.cbrt) as unknown as Triple;
  const [lightness, a, b] = multiply(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cone,
  );
  return { lightness, chroma: Math.hypot(a, b) };
}

const sin = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
const cos = (degrees: number) => Math.cos((degrees * Math.PI) / 180);

// CIEDE2000.
function difference([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hue = (a: number, b: number) => ((Math.atan2(b, a * stretch) * 180) / Math.PI + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  const apart = ((h2 - h1 + 540) % 360) - 180;
  const h = (h1 + apart / 2 + 360) % 360;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t =
    1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * c);
  const turn = (2 * Math.sqrt(c1 * c2) * sin(apart / 2)) / (1 + 0.015 * c * t);
  const rotation =
    -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * sin(60 * Math.exp(-(((h - 275) / 25) ** 2)));
  return Math.sqrt(lightness ** 2 + chroma ** 2 + turn ** 2 + rotation * chroma * turn);
}

describe('colours of people', () => {
  test('the measure agrees with published pairs', () => {
    // Sharma, Wu and Dalal, 2005, pairs 1, 7 and 25.
    expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
    expect(difference([50, 0, 0], [50, -1, 2])).toBeCloseTo(2.3669, 4);
    expect(difference([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(
      1.2644,
      4,
    );
  });

  test('are twelve, of one lightness and one chroma', () => {
    expect(PEOPLE_COLOURS).toHaveLength(12);
    for (const colour of PEOPLE_COLOURS) {
      const { lightness, chroma } = oklch(linear(colour));
      expect(lightness, colour).toBeCloseTo(0.74, 2);
      expect(chroma, colour).toBeCloseTo(0.12, 2);
    }
  });

  test('are those that the server gives to guests', () => {
    const file = join(import.meta.dirname, '../../fixtures/people/given-colours.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(PEOPLE_COLOURS);
  });

  // About 1 is what trained eyes see side by side.
  test.each([
    ['usual vision', 7],
    ['protanopia', 2.5],
    ['deuteranopia', 2.5],
    ['tritanopia', 2.5],
  ])('differ from each other with %s', (vision, least) => {
    const seen = PEOPLE_COLOURS.map((colour) =>
      lab(clipped(multiply(VISIONS[vision] as Matrix, linear(colour)))),
    );
    seen.forEach((one, at) => {
      seen.slice(at + 1).forEach((other, next) => {
        const pair = `${PEOPLE_COLOURS[at]} and ${PEOPLE_COLOURS[at + 1 + next]}`;
        expect(difference(one, other), pair).toBeGreaterThan(least);
      });
    });
  });
});
