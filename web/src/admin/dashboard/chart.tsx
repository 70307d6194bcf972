// A chart: one or two lines over time, with what they show in words and as a table.
//
// Invariant: nothing is said by colour alone, and all of it can be read without seeing the lines.

import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { language } from '../../i18n/text.ts';
import { say } from '../words.ts';
import { ceiling, HEIGHT, highest, type Numbers, newest, path, WIDTH } from './plot.ts';

export interface Line {
  label: string;
  numbers: Numbers;
}

interface ChartProps {
  title: string;
  lines: readonly Line[];
  // When the first number begins, and for how long each counts, in milliseconds.
  from: number;
  width: number;
  show: (number: number) => string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function Chart({ title, lines, from, width, show }: ChartProps) {
  const id = useId();
  const top = ceiling(lines.map(({ numbers }) => numbers));
  const length = lines[0]?.numbers.length ?? 0;
  const known = lines.some(({ numbers }) => newest(numbers) !== null);
  const time = timeOf(width);
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      {known ? (
        <>
          <Legend lines={lines} show={show} />
          <div class="plot">
            <span class="plot-label plot-top">{show(top)}</span>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              aria-hidden="true"
              focusable="false"
            >
              <path
                class="grid"
                d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`}
              />
              {lines.map(({ label, numbers }, at) => (
                <path key={label} class={`line line-${at + 1}`} d={path(numbers, top)} />
              ))}
            </svg>
            <span class="plot-label plot-from">{time.format(from)}</span>
            <span class="plot-label plot-to">{time.format(from + (length - 1) * width)}</span>
          </div>
          <Table title={title} lines={lines} from={from} width={width} show={show} />
        </>
      ) : (
        <p class="hint">{say('dash.noData')}</p>
      )}
    </figure>
  );
}

function Legend({ lines, show }: Pick<ChartProps, 'lines' | 'show'>) {
  return (
    <ul class="legend">
      {lines.map(({ label, numbers }, at) => {
        const [now, most] = [newest(numbers), highest(numbers)];
        const values = {
          now: now === null ? '–' : show(now),
          most: most === null ? '–' : show(most),
        };
        return (
          <li key={label}>
            <svg viewBox="0 0 20 4" aria-hidden="true" focusable="false">
              <path class={`line line-${at + 1}`} d="M0 2H20" />
            </svg>
            {label}: {say('dash.nowAndMost', values)}
          </li>
        );
      })}
    </ul>
  );
}

// Made when it is opened: a page with all of them would have thousands of rows.
function Table({ title, lines, from, width, show }: ChartProps) {
  const open = useSignal(false);
  const time = timeOf(width);
  const first = lines[0]?.numbers ?? [];
  return (
    <details onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{say('dash.table')}</summary>
      {open.value && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
        <section class="chart-table" tabIndex={0} aria-label={title}>
          <table class="list">
            <thead>
              <tr>
                <th scope="col" class="always">
                  {say('dash.time')}
                </th>
                {lines.map(({ label }) => (
                  <th key={label} scope="col" class="number always">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.map((_, at) => {
                const begin = from + at * width;
                if (lines.every(({ numbers }) => numbers[at] === null)) return null;
                return (
                  <tr key={begin}>
                    <th scope="row">{time.format(begin)}</th>
                    {lines.map(({ label, numbers }) => (
                      <td key={label} class="number always">
                        {shown(numbers[at], show)}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}

const shown = (number: number | null | undefined, show: (number: number) => string): string =>
  number === null || number === undefined ? '–' : show(number);

// As fine as the chart is.
function timeOf(width: number): Intl.DateTimeFormat {
  if (width >= DAY_MS) return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' });
  const style = { timeStyle: width < 60_000 ? 'medium' : 'short' } as const;
  return new Intl.DateTimeFormat(language(), {
    ...style,
    ...(width >= HOUR_MS && { dateStyle: 'short' }),
  });
}
