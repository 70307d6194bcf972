// Calls sent from the page: a form below each function, and its call in several languages.
//
//   <article data-path="api/1.3.1/getText" [data-change] [data-open]>
//     <div data-name="padID" data-kind="string" [data-required] [data-example="notes"]>
//     <div class="code call"><pre><code>
//   <template id="try">, <template id="ask">
//
// Invariant: the key is in this variable and in fields without a name, and nowhere else; it leaves in the
// header of a call to this server. What changes something is asked about before it is sent. However
// large an answer is, a bounded part of it is read.

import { type Call, LANGUAGES, type Language, snippet } from './snippets.ts';

const MOST_BYTES = 1_000_000;
const MOST_SHOWN = 20_000;

let key = '';
let language: Language = 'curl';

export function addTrying(address: string): void {
  const tried = document.querySelector<HTMLTemplateElement>('#try');
  const ask = document.querySelector<HTMLTemplateElement>('#ask');
  if (!tried || !ask) return;
  document.body.append(ask.content);
  const blocks: Block[] = [];
  for (const article of document.querySelectorAll<HTMLElement>('article[data-path]')) {
    blocks.push(new Block(article, tried, address, () => blocks));
  }
  // A page that the browser keeps to come back to would keep the key as well.
  addEventListener('pagehide', () => {
    key = '';
    for (const block of blocks) block.showKey();
  });
}

class Block {
  readonly #article: HTMLElement;
  readonly #address: string;
  readonly #code: HTMLElement;
  readonly #select = document.createElement('select');
  readonly #form: HTMLFormElement;
  readonly #key: HTMLInputElement;
  readonly #all: () => readonly Block[];
  readonly #fields: Field[] = [];
  #sending = false;

  constructor(
    article: HTMLElement,
    tried: HTMLTemplateElement,
    address: string,
    all: () => readonly Block[],
  ) {
    this.#article = article;
    this.#address = address;
    this.#all = all;
    const part = tried.content.firstElementChild?.cloneNode(true) as HTMLElement;
    this.#code = find(article, '.call code');
    this.#form = find(part, 'form');
    this.#key = find(part, '.key');
    const name = this.#name;
    this.#form.setAttribute('aria-label', `Try ${name}`);

    this.#select.setAttribute('aria-label', `Language of the call of ${name}`);
    for (const [value, label] of Object.entries(LANGUAGES)) {
      this.#select.append(new Option(label, value));
    }
    this.#select.addEventListener('change', () => {
      language = this.#select.value as Language;
      for (const block of this.#all()) block.showCall();
    });
    this.#code.before(this.#select);

    const open = find<HTMLButtonElement>(part, '.open');
    open.setAttribute('aria-label', `Try it: ${name}`);
    open.addEventListener('click', () => {
      const isOpen = this.#form.hidden;
      if (isOpen && this.#fields.length === 0) this.#addFields();
      this.#form.hidden = !isOpen;
      open.setAttribute('aria-expanded', String(isOpen));
      if (isOpen) (this.#fields[0]?.input ?? this.#key).focus();
    });
    this.#key.addEventListener('input', () => {
      key = this.#key.value.trim();
      for (const block of this.#all()) if (block !== this) block.showKey();
    });
    label(this.#key, `${name}-key`);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
    article.append(part);
  }

  showKey(): void {
    this.#key.value = key;
  }

  showCall(): void {
    this.#select.value = language;
    this.#code.textContent = snippet(language, this.#call(), this.#address);
  }

  get #name(): string {
    return this.#path.split('/').at(-1) ?? '';
  }

  get #path(): string {
    return this.#article.dataset.path ?? '';
  }

  #addFields(): void {
    const place = find(this.#form, '.fields');
    for (const row of rowsOf(this.#article)) {
      const field = new Field(row, `${this.#name}-${row.dataset.name}`);
      field.input.addEventListener('input', () => this.showCall());
      this.#fields.push(field);
      place.append(field.place);
    }
  }

  #call(): Call {
    const fields = this.#fields.map((field) => [field.name, field.value] as const);
    const examples = [...rowsOf(this.#article)].map(
      ({ dataset: { name = '', example } }) => [name, example] as const,
    );
    const values = (fields.length > 0 ? fields : examples).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    return { path: this.#path, values, hasKey: this.#article.dataset.open === undefined };
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    const { dataset } = this.#article;
    const status = find(this.#form, '[role=status]');
    const call = this.#call();
    if (!key && call.hasKey) {
      status.textContent = status.dataset.key ?? '';
      this.#key.focus();
      return;
    }
    this.#sending = true;
    try {
      if (dataset.change !== undefined && !(await agreed(this.#name))) return;
      status.textContent = status.dataset.waiting ?? '';
      const { code, text, isWhole } = await answerOf(call, this.#address);
      this.#show(text);
      const cut = isWhole ? '' : ` ${status.dataset.cut}`;
      status.textContent = `HTTP ${code}.${cut}`;
    } catch {
      this.#show(null);
      status.textContent = status.dataset.failed ?? '';
    } finally {
      this.#sending = false;
    }
  }

  #show(text: string | null): void {
    const answer = find(this.#form, '.answer');
    answer.hidden = text === null;
    find(answer, 'code').textContent = text;
  }
}

// A parameter. What is left empty is not sent, unless it is required.
class Field {
  readonly name: string;
  readonly place = document.createElement('div');
  readonly input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  readonly #required: boolean;

  constructor({ dataset }: HTMLElement, id: string) {
    const { name = '', kind, example = '', required } = dataset;
    this.name = name;
    this.#required = required !== undefined;
    this.input = inputOf(name, kind);
    this.input.value = example;
    const words = document.createElement('label');
    const code = document.createElement('code');
    code.textContent = name;
    words.append(code, this.#required ? '' : ' optional');
    this.place.className = 'field';
    this.place.append(words, this.input);
    label(this.input, id);
  }

  get value(): string | undefined {
    return this.input.value || this.#required ? this.input.value : undefined;
  }
}

function inputOf(name: string, kind: string | undefined) {
  if (kind === 'boolean') {
    const select = document.createElement('select');
    select.append(new Option('', ''), new Option('true'), new Option('false'));
    return select;
  }
  if (['text', 'html'].includes(name)) return document.createElement('textarea');
  const input = document.createElement('input');
  input.spellcheck = false;
  input.autocapitalize = 'none';
  if (kind === 'integer') input.inputMode = 'numeric';
  return input;
}

// Neither has a name: nothing of the form can get into an address.
function label(input: HTMLElement, id: string): void {
  input.id = id;
  input.closest('.field')?.querySelector('label')?.setAttribute('for', id);
}

const rowsOf = (article: HTMLElement) => article.querySelectorAll<HTMLElement>('[data-name]');

function find<T extends HTMLElement = HTMLElement>(place: ParentNode, selector: string): T {
  return place.querySelector(selector) as T;
}

function agreed(name: string): Promise<boolean> {
  const dialog = find<HTMLDialogElement>(document, 'dialog');
  find(dialog, 'code').textContent = name;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    const closed = () => resolve(dialog.returnValue === 'send');
    dialog.addEventListener('close', closed, { once: true });
  });
}

interface Answer {
  code: number;
  text: string;
  isWhole: boolean;
}

async function answerOf(call: Call, address: string): Promise<Answer> {
  const response = await fetch(`${address}/${call.path}`, {
    method: 'POST',
    headers: key ? { apikey: key } : {},
    body: new URLSearchParams(call.values.map(([name, value]) => [name, value])),
    cache: 'no-store',
    redirect: 'error',
  });
  const { text, isWhole } = await start(response);
  const shown = isWhole ? pretty(text) : text;
  const isShort = shown.length <= MOST_SHOWN;
  return {
    code: response.status,
    text: isShort ? shown : `${shown.slice(0, MOST_SHOWN)}…`,
    isWhole: isWhole && isShort,
  };
}

// So much of a body as is read at most, and whether that is all.
async function start(response: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  while (reader && bytes < MOST_BYTES) {
    const { done, value } = await reader.read();
    if (done) return { text, isWhole: true };
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return { text, isWhole: !reader };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
