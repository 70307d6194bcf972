// Activity: how much goes on now, in charts, and this week against the last.

import { useSignal } from '@preact/signals';
import { language } from '../../i18n/text.ts';
import { useAdmin } from '../context.ts';
import { bytes, count, milliseconds } from '../format.ts';
import { say, type Word } from '../words.ts';
import { Chart } from './chart.tsx';
import { usePolled } from './poll.ts';
import { type Name, type Overview, type Series, SPANS, type Span, type Week } from './series.ts';

const POLL_MS = 10_000;

const LENGTHS: Readonly<Record<Span, [number, 'hour' | 'day']>> = {
  hour: [1, 'hour'],
  day: [24, 'hour'],
  week: [7, 'day'],
  quarter: [90, 'day'],
};

interface Drawn {
  title: Word;
  lines: readonly [Name, Word | 'p50' | 'p95'][];
  show: (number: number) => string;
}

const rounded = (number: number): string => count(Math.round(number * 10) / 10);

const CHARTS: readonly Drawn[] = [
  {
    title: 'dash.people',
    lines: [
      ['people', 'dash.members'],
      ['connections', 'dash.connections'],
    ],
    show: rounded,
  },
  { title: 'dash.changes', lines: [['changes', 'dash.changes']], show: rounded },
  {
    title: 'dash.storing',
    lines: [
      ['storedP50', 'p50'],
      ['storedP95', 'p95'],
    ],
    show: milliseconds,
  },
  {
    title: 'dash.delivering',
    lines: [
      ['deliveredP50', 'p50'],
      ['deliveredP95', 'p95'],
    ],
    show: milliseconds,
  },
  {
    title: 'dash.api',
    lines: [
      ['calls', 'dash.calls'],
      ['errors', 'dash.errors'],
    ],
    show: rounded,
  },
  { title: 'dash.memory', lines: [['memory', 'dash.memory']], show: bytes },
  { title: 'dash.store', lines: [['storage', 'dash.store']], show: bytes },
  { title: 'dash.free', lines: [['freeDisk', 'dash.free']], show: bytes },
];

const label = (word: Word | 'p50' | 'p95'): string =>
  word === 'p50' || word === 'p95' ? word : say(word);

export function Charts() {
  const { boot } = useAdmin();
  const span = useSignal<Span>('hour');
  const path = `api/series?span=${span.value}`;
  const shown = usePolled<Series>(path, POLL_MS).value;
  return (
    <>
      <div class="chart-tools">
        <fieldset class="spans">
          <legend class="only-heard">{say('dash.period')}</legend>
          {SPANS.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="span"
                checked={span.value === name}
                onChange={() => {
                  span.value = name;
                }}
              />
              <span>{lengthOf(name)}</span>
            </label>
          ))}
        </fieldset>
        <a href={`${boot.base}admin/${path}&format=csv`} download>
          {say('dash.csv')}
        </a>
      </div>
      <div class="charts" data-settled={shown !== null}>
        {shown &&
          CHARTS.map(({ title, lines, show }) => (
            <Chart
              key={title}
              title={say(title)}
              lines={lines.map(([name, word]) => ({
                label: label(word),
                numbers: shown.series[name],
              }))}
              from={shown.from}
              width={shown.width}
              show={show}
            />
          ))}
      </div>
    </>
  );
}

function lengthOf(span: Span): string {
  const [number, unit] = LENGTHS[span];
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(language(), style).format(number);
}

const ROWS: readonly { label: Word; value: (week: Week) => string | null }[] = [
  { label: 'dash.members', value: ({ people }) => (people === null ? null : rounded(people)) },
  { label: 'dash.allChanges', value: ({ changes }) => count(changes) },
  { label: 'dash.calls', value: ({ calls }) => count(calls) },
  { label: 'dash.errors', value: ({ errors }) => count(errors) },
  {
    label: 'dash.stored',
    value: ({ storedP95 }) => (storedP95 === null ? null : milliseconds(storedP95)),
  },
];

export function Weeks({ weeks }: { weeks: Overview['weeks'] }) {
  return (
    <section aria-labelledby="weeks">
      <h3 id="weeks">{say('dash.weeks')}</h3>
      <table class="list weeks">
        <thead>
          <tr>
            <td />
            <th scope="col" class="number always">
              {say('dash.thisWeek')}
            </th>
            <th scope="col" class="number always">
              {say('dash.lastWeek')}
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{say(label)}</th>
              {weeks.map((week, at) => (
                <td key={at === 0 ? 'this' : 'last'} class="number always">
                  {(week && value(week)) ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
