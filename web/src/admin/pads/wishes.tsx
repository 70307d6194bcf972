// What can be asked of the list of pads: a search, kinds of pads, their age and size, and a jump.

import { useSignal } from '@preact/signals';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { bytes, count, days } from '../format.ts';
import { SearchField } from '../searchField.tsx';
import { say } from '../words.ts';
import { AGES, type Age, FILTERS, type Filter, type List, type Query, SIZES } from './list.ts';

export function Wishes({ list, onChange }: { list: List; onChange: () => void }) {
  const { search, filter, group, age, size } = list.query.value;
  const total = list.total.value;
  const change = (wish: Partial<Query>): void => {
    void list.change(wish);
    onChange();
  };
  const kinds = FILTERS.map((value) => ({ value, label: say(`pads.filter.${value || 'all'}`) }));
  // A group comes from the page of a pad.
  if (group) kinds.unshift({ value: group as Filter, label: say('pads.filter.group', { group }) });

  return (
    <search class="wishes">
      <SearchField
        label={say('pads.search')}
        value={search}
        onSearch={(value) => change({ search: value })}
      />
      <SelectField
        label={say('pads.filter')}
        value={group || filter}
        options={kinds}
        onChange={(value) => {
          if (value !== group) change({ ...kind(value as Filter, list.query.value), group: '' });
        }}
      />
      <SelectField
        label={say('pads.by.edited')}
        value={age}
        options={AGES.map((value) => ({ value, label: ageName(value) }))}
        // The order that has an index for it.
        onChange={(value) => change({ age: value as Age, sort: 'edited', descending: true })}
      />
      <SelectField
        label={say('pads.size')}
        value={`${size}`}
        options={SIZES.map((value) => ({
          value: `${value}`,
          label: value ? `> ${bytes(value)}` : say('pads.any'),
        }))}
        onChange={(value) => {
          const sort =
            value === '0' ? ({} as const) : ({ sort: 'bytes', descending: true } as const);
          change({ size: Number(value), ...sort });
        }}
      />
      <Jump onJump={(from) => change({ from, sort: 'name', descending: false })} />
      {total !== null && (
        <p class="total">
          {say('dash.pads')} <strong>{count(total)}</strong>
        </p>
      )}
    </search>
  );
}

// Of the pads in use, the busiest come first; in that order there are no others.
function kind(filter: Filter, { sort }: Query): Partial<Query> {
  if (filter === 'occupied') return { filter, sort: 'people', descending: true };
  return sort === 'people' ? { filter, sort: 'edited', descending: true } : { filter };
}

function ageName(age: Age): string {
  if (!age) return say('pads.any');
  return `${age.startsWith('<') ? '≤' : '>'} ${days(Number(age.slice(1)))}`;
}

function Jump({ onJump }: { onJump: (from: string) => void }) {
  const name = useSignal('');
  return (
    <form
      class="jump"
      onSubmit={(event) => {
        event.preventDefault();
        onJump(name.value.trim());
      }}
    >
      <TextField
        label={say('pads.jump')}
        value={name.value}
        autocomplete="off"
        onInput={(value) => {
          name.value = value;
        }}
      />
      <Button type="submit" icon="forth">
        {say('pads.go')}
      </Button>
    </form>
  );
}
