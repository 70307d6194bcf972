// Storage: how much there is, how it grows, how long the disk lasts, and what it is made of.

import { useAdmin } from '../context.ts';
import { bytes, duration } from '../format.ts';
import { say } from '../words.ts';
import { Backups } from './backups.tsx';
import type { Overview } from './series.ts';
import { Tiles } from './tiles.tsx';

const DAY_SECONDS = 86_400;

export function Storage({ stored, storage }: { stored: string; storage: Overview['storage'] }) {
  const { freeDisk, bytesPerDay, daysLeft, pads } = storage;
  const known = (number: number | null, show: (number: number) => string): string =>
    number === null ? '–' : show(number);
  return (
    <section class="band" aria-labelledby="storage">
      <h2 id="storage">{say('dash.storage')}</h2>
      <Tiles
        tiles={[
          [say('dash.store'), stored],
          [say('dash.free'), known(freeDisk, bytes)],
          [say('dash.growth'), known(bytesPerDay, (number) => bytes(Math.max(0, number)))],
          [say('dash.lasts'), known(daysLeft, (days) => duration(days * DAY_SECONDS))],
        ]}
      />
      <Backups />
      {pads ? <Parts pads={pads} /> : <p class="hint">{say('dash.weighing')}</p>}
    </section>
  );
}

type Pads = NonNullable<Overview['storage']['pads']>;

function Parts({ pads }: { pads: Pads }) {
  const { boot } = useAdmin();
  const { texts, history, chat, largest } = pads;
  return (
    <>
      <Tiles
        tiles={[
          [say('dash.texts'), bytes(texts)],
          [say('dash.history'), bytes(history)],
          [say('dash.chat'), bytes(chat)],
        ]}
      />
      {largest.length > 0 && (
        <section aria-labelledby="largest">
          <h3 id="largest">{say('dash.largest')}</h3>
          <table class="list">
            <tbody>
              {largest.map(({ id, bytes: size }) => (
                <tr key={id}>
                  <th scope="row" class="at-name">
                    <a href={`${boot.base}p/${encodeURIComponent(id)}`}>{id}</a>
                  </th>
                  <td class="number always">{bytes(size)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
