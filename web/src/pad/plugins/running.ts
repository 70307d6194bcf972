// One plugin in the page: its files, its texts, and the object it sees of the page.
//
// Invariant: what a plugin has added is in `parts` and goes with it. All that it calls back runs
// guarded. Ids and lengths are bounded, because they become names in the page.

import { effect } from '@preact/signals';
import { type DeclaredAttribute, declaredAt, setDeclared } from '../../editor/declared.ts';
import { format } from '../../i18n/message.ts';
import type {
  Added,
  AddedPanel,
  PluginCommand,
  PluginPad,
  PluginPage,
  PluginPart,
  Setup,
} from '../../plugin/api.ts';
import type { Frame } from '../frame.ts';
import { nameOf } from '../guests.ts';
import type { PagePlugin, PluginPanelName } from './extras.ts';
import { Reports } from './reports.ts';

// How long nobody has typed before a plugin learns of changes.
const PAUSE_MS = 500;
const MOST_PARTS = 20;
const LONGEST_LABEL = 100;

type Texts = Readonly<Record<string, string>>;
export type PartKind = 'panel' | 'status' | 'settings';

export interface Part extends PluginPart {
  readonly kind: PartKind;
  readonly name: PluginPanelName;
}

export class Running {
  readonly plugin: PagePlugin;
  readonly language: string;
  readonly reports: Reports;
  readonly parts: Part[] = [];
  readonly commands: PluginCommand[] = [];
  readonly #frame: Frame;
  readonly #folder: string;
  readonly #stops: (() => void)[] = [];
  // Something was added or taken away.
  readonly #changed: () => void;
  #isStopped = false;
  // Whether its files did not come; they may the next time.
  isMissing = false;

  constructor(frame: Frame, plugin: PagePlugin, language: string, changed: () => void) {
    this.#frame = frame;
    this.plugin = plugin;
    this.language = language;
    this.#changed = changed;
    const root = new URL(frame.boot.base, location.href);
    this.#folder = new URL(plugin.base, root).href;
    this.reports = new Reports(this.#address('report'), this.#folder);
  }

  async start(): Promise<void> {
    const files = await Promise.all([this.#texts(), this.#module()]).catch((error) => {
      this.isMissing = true;
      this.reports.send(error);
      return null;
    });
    if (!files || this.#isStopped) return;
    const [texts, module] = files;
    try {
      if (this.plugin.style) this.#addStyle();
      if (typeof module.default !== 'function') throw new Error('client.js has no default export');
      await module.default(this.#page(texts));
    } catch (error) {
      this.reports.send(error);
      this.stop();
      this.#changed();
    }
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.splice(0).reverse()) this.reports.guard(stop);
    this.parts.length = 0;
    this.commands.length = 0;
    this.reports.close();
  }

  async #module(): Promise<{ default?: Setup }> {
    return import(/* @vite-ignore */ `${this.#folder}client.js`);
  }

  async #texts(): Promise<Texts> {
    const { languages } = this.plugin;
    const wanted = languages.includes(this.language) ? this.language : 'en';
    const read = async (language: string): Promise<Texts> => {
      if (!languages.includes(language)) return {};
      return (await fetch(`${this.#folder}locales/${language}.json`)).json();
    };
    const [english, own] = await Promise.all([read('en'), read(wanted)]);
    return { ...english, ...own };
  }

  #addStyle(): void {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${this.#folder}client.css`;
    document.head.append(link);
    this.#stops.push(() => link.remove());
  }

  #address(path: string): string {
    const root = new URL(this.#frame.boot.base, location.href);
    return new URL(`plugins/${this.plugin.name}/${path}`, root).href;
  }

  #page(texts: Texts): PluginPage {
    const { name, version, vars } = this.plugin;
    return {
      plugin: { name, version },
      language: this.language,
      vars,
      pad: this.#pad(),
      text: (key, values = {}) =>
        format(Object.hasOwn(texts, key) ? `${texts[key]}` : key, values, this.language),
      asset: (path) => `${this.#folder}assets/${path}`,
      send: (data) => this.#send(data),
      addCommand: (command) => this.#addCommand(command),
      addPanel: (panel) => this.#addPanel(panel),
      addStatus: (part) => this.#add('status', part),
      addSettings: (part) => this.#add('settings', part),
      notify: (text, tone = 'calm') => this.#frame.toast({ text: String(text), tone }),
      onStop: (action) => this.#stops.push(action),
    };
  }

  #pad(): PluginPad {
    const { live } = this.#frame;
    const info = live.info.peek();
    return {
      id: info?.padId ?? '',
      readOnly: info?.readOnly !== false,
      authorId: info?.authorId ?? '',
      text: () => live.text(),
      words: () => live.length.peek().whole.words,
      revision: () => live.revision.peek(),
      people: () =>
        live.people.peek().map(({ id, name, colour, self }) => {
          return { id, name, shownName: nameOf({ id, name }), colour, self };
        }),
      author: (id) => {
        const { name, colour } = live.author(id);
        return { name, shownName: nameOf({ id, name }), colour };
      },
      onChange: (listener) => this.#onChange(listener),
      insertText: (text) => live.insertText(String(text)),
      setAttribute: (key, value) => {
        const attribute = this.#declared(key, value);
        live.withView((view) => setDeclared(view, attribute, value ?? ''));
      },
      attribute: (key) => {
        let value: string | null = null;
        const attribute = this.#declared(key, null);
        live.withView((view) => {
          value = declaredAt(view.state, attribute);
        });
        return value;
      },
      focus: () => live.focus(),
    };
  }

  // No other than those that everybody knows, and an operator has agreed to.
  #declared(key: string, value: string | null): DeclaredAttribute {
    const found = this.plugin.attributes.find((each) => each.key === key);
    if (!found) throw new Error(`plugin.json declares no attribute ${key}`);
    if (value !== null && !found.values.includes(value)) {
      throw new Error(`${value} is no value of ${key}`);
    }
    return found;
  }

  #onChange(listener: () => void): () => void {
    const { live } = this.#frame;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const end = effect(() => {
      void live.revision.value;
      void live.length.value.whole;
      if (!isFirst) {
        clearTimeout(timer);
        timer = setTimeout(() => this.reports.guard(listener), PAUSE_MS);
      }
      isFirst = false;
    });
    const stop = () => {
      clearTimeout(timer);
      end();
    };
    this.#stops.push(stop);
    return stop;
  }

  async #send(data: unknown): Promise<unknown> {
    const padId = this.#frame.live.info.peek()?.padId;
    const response = await fetch(this.#address('message'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ padId, data: data ?? null }),
    });
    const answer: { data?: unknown; error?: string } = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(answer.error ?? `the service answers ${response.status}`);
    return answer.data ?? null;
  }

  #addCommand(command: PluginCommand): Added {
    checkPart(command, this.commands);
    this.commands.push(command);
    this.#changed();
    return { remove: () => this.#remove(this.commands, command) };
  }

  #addPanel(panel: PluginPart): AddedPanel {
    const added = this.#add('panel', panel);
    const name = this.#nameOf(panel);
    const { panel: open } = this.#frame;
    return {
      ...added,
      open: () => {
        open.value = name;
      },
      close: () => {
        if (open.peek() === name) open.value = null;
      },
    };
  }

  #add(kind: PartKind, { id, label = '', render }: PluginPart): Added {
    const part = { kind, id, label: String(label), render, name: this.#nameOf({ id }) };
    checkPart(
      part,
      this.parts.filter((other) => other.kind === kind),
    );
    this.parts.push(part);
    this.#changed();
    return { remove: () => this.#remove(this.parts, part) };
  }

  #nameOf({ id }: { id: string }): PluginPanelName {
    return `plugin:${this.plugin.name}:${id}`;
  }

  #remove<T>(list: T[], item: T): void {
    const at = list.indexOf(item);
    if (at < 0) return;
    list.splice(at, 1);
    this.#changed();
  }
}

interface Named {
  readonly id: string;
  readonly label?: string;
}

function checkPart({ id, label = '' }: Named, others: readonly Named[]): void {
  if (!/^[a-z][a-z0-9-]{0,39}$/i.test(id)) throw new Error(`${id} is no id`);
  if (label.length > LONGEST_LABEL) throw new Error(`the label of ${id} is too long`);
  if (others.some((other) => other.id === id)) throw new Error(`${id} is there already`);
  if (others.length >= MOST_PARTS) throw new Error('there are too many parts');
}
