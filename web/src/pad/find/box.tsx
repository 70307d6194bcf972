// The box for finding: compact, over the text, with how many places there are. Replacing is folded.
//
// Invariant: what is looked for is the editor's query; the box shows it and sends changes to it.

import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';
import { type Signal, signal } from '@preact/signals';
import { render } from 'preact';
import { type Match, MOST_MATCHES, matchesOf } from '../../editor/search.ts';
import { t } from '../../i18n/text.ts';
import { addStyles } from '../../load/styles.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import '../../ui/moreIcons.ts';
import styles from './box.css?inline';

addStyles(styles);

// Between a change of the text and counting again.
const PAUSE_MS = 200;

export function findBox(view: EditorView): Panel {
  const dom = document.createElement('search');
  dom.className = 'pad-find';
  const box = new Box(view);
  dom.addEventListener('keydown', (event) => {
    if (runScopeHandlers(view, event, 'search-panel')) event.preventDefault();
  });
  render(<Find box={box} />, dom);
  return {
    dom,
    top: true,
    mount: () => dom.querySelector<HTMLInputElement>('[main-field]')?.select(),
    update: (update) => box.update(update),
    destroy: () => {
      box.close();
      render(null, dom);
    },
  };
}

class Box {
  readonly view: EditorView;
  readonly query: Signal<SearchQuery>;
  readonly count = signal('');
  readonly replacing = signal(false);
  #matches: Match[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.view = view;
    this.query = signal(getSearchQuery(view.state));
    this.#search();
  }

  get writes(): boolean {
    return !this.view.state.readOnly;
  }

  // Looks for something else.
  change(part: Partial<Pick<SearchQuery, Option | 'search' | 'replace'>>): void {
    const query = new SearchQuery({ ...fieldsOf(this.query.peek()), ...part });
    this.view.dispatch({ effects: setSearchQuery.of(query) });
  }

  update({ state, docChanged, selectionSet, transactions }: ViewUpdate): void {
    const asked = transactions.some(({ effects }) => effects.some((e) => e.is(setSearchQuery)));
    if (asked) {
      this.query.value = getSearchQuery(state);
      this.#search();
    } else if (docChanged) {
      this.#timer ??= setTimeout(() => this.#search(), PAUSE_MS);
    } else if (selectionSet) {
      this.#tell();
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #search(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#matches = matchesOf(getSearchQuery(this.view.state), this.view.state);
    this.#tell();
  }

  #tell(): void {
    const { from, to } = this.view.state.selection.main;
    const current = 1 + this.#matches.findIndex((it) => it.from === from && it.to === to);
    const found = this.#matches.length;
    if (!this.query.peek().search) this.count.value = '';
    else if (found === 0) this.count.value = t('search.none');
    else if (found > MOST_MATCHES) this.count.value = t('search.many', { count: MOST_MATCHES });
    else if (current > 0) this.count.value = t('search.count', { current, total: found });
    else this.count.value = t('search.found', { count: found });
  }
}

type Option = 'caseSensitive' | 'wholeWord' | 'regexp';

function fieldsOf({ search, replace, caseSensitive, wholeWord, regexp }: SearchQuery) {
  return { search, replace, caseSensitive, wholeWord, regexp };
}

// Signs as other editors have them.
const OPTIONS: readonly (readonly [Option, string, Parameters<typeof t>[0]])[] = [
  ['caseSensitive', 'Aa', 'search.matchCase'],
  ['wholeWord', '“w”', 'search.byWord'],
  ['regexp', '.*', 'search.regexp'],
];

function Find({ box }: { box: Box }) {
  const { view, query, count, replacing } = box;
  const { search, replace } = query.value;
  return (
    <>
      {box.writes && (
        <IconButton
          class="find-fold"
          icon={replacing.value ? 'down' : 'forth'}
          label={t('search.replace')}
          expanded={replacing.value}
          onClick={() => {
            replacing.value = !replacing.value;
          }}
        />
      )}
      <div class="find-field">
        <input
          type="text"
          main-field="true"
          aria-label={t('search.find')}
          placeholder={t('search.find')}
          autocomplete="off"
          value={search}
          onInput={(event) => box.change({ search: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            (event.shiftKey ? findPrevious : findNext)(view);
          }}
        />
        <output class="find-count">{count.value}</output>
        {OPTIONS.map(([option, sign, label]) => (
          <button
            key={option}
            type="button"
            class="find-option"
            dir="ltr"
            aria-label={t(label)}
            data-tip={t(label)}
            aria-pressed={query.value[option]}
            data-sign={sign}
            onClick={() => box.change({ [option]: !query.value[option] })}
          />
        ))}
      </div>
      <div class="find-steps">
        <IconButton icon="up" label={t('search.previous')} onClick={() => findPrevious(view)} />
        <IconButton icon="down" label={t('search.next')} onClick={() => findNext(view)} />
        <IconButton icon="close" label={t('search.close')} onClick={() => closeSearchPanel(view)} />
      </div>
      {box.writes && replacing.value && (
        <>
          <div class="find-field find-replace">
            <input
              type="text"
              aria-label={t('search.replace')}
              placeholder={t('search.replace')}
              autocomplete="off"
              value={replace}
              onInput={(event) => box.change({ replace: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.isComposing) return;
                event.preventDefault();
                replaceNext(view);
              }}
            />
          </div>
          <div class="find-acts">
            <Button onClick={() => replaceNext(view)}>{t('search.replaceOne')}</Button>
            <Button onClick={() => replaceAll(view)}>{t('search.replaceAll')}</Button>
          </div>
        </>
      )}
    </>
  );
}
