// Plugins in the pad page, without those of the server: what the server would say of them is put into
// its messages, and what it would serve is answered here. So a test has the plugin that it needs, also one
// that nobody would install.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page, WebSocketRoute } from 'playwright-core';

export interface TestPlugin {
  readonly name: string;
  // Another one is another package.
  readonly version?: string;
  readonly client: string;
  readonly style?: string;
  // By language.
  readonly texts?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars?: unknown;
  readonly attributes?: readonly unknown[];
  // The server half.
  answer?(data: unknown): unknown;
}

export class PagePlugins {
  // What the page has reported, with the name of the plugin before it.
  readonly reports: string[] = [];
  // Paths of files that the page has asked for.
  readonly asked: string[] = [];
  readonly #page: Page;
  #plugins: readonly TestPlugin[];
  #socket: WebSocketRoute | null = null;

  private constructor(page: Page, plugins: readonly TestPlugin[]) {
    this.#page = page;
    this.#plugins = plugins;
  }

  // Before the page is opened.
  static async add(page: Page, plugins: readonly TestPlugin[]): Promise<PagePlugins> {
    const added = new PagePlugins(page, plugins);
    await added.#listen();
    return added;
  }

  // What is installed has changed, and the server says so.
  change(plugins: readonly TestPlugin[]): void {
    this.#plugins = plugins;
    const data = { type: 'PLUGINS', pagePlugins: this.#list() };
    this.#socket?.send(`42${JSON.stringify(['message', { type: 'COLLABROOM', data }])}`);
  }

  async #listen(): Promise<void> {
    await this.#page.routeWebSocket(/socket\.io/, (socket) => {
      this.#socket = socket;
      const server = socket.connectToServer();
      server.onMessage((message) => socket.send(this.#extended(message)));
    });
    await this.#page.route(/\/plugins\/[^/]+\/[^/]+/, async (route) => {
      const [, name, path] = /\/plugins\/([^/]+)\/(.*)$/.exec(route.request().url()) ?? [];
      const plugin = this.#plugins.find((one) => one.name === name);
      if (!plugin || path === undefined) {
        await route.fulfill({ status: 404 });
        return;
      }
      if (path === 'report') {
        this.reports.push(`${name}: ${route.request().postDataJSON().message}`);
        await route.fulfill({ status: 204 });
      } else if (path === 'message') {
        const data = plugin.answer?.(route.request().postDataJSON().data);
        const refused = data instanceof Error;
        const body = refused ? { error: data.message } : { data: data ?? null };
        await route.fulfill({ status: refused ? 502 : 200, json: body });
      } else {
        this.asked.push(`${name}/${path}`);
        await route.fulfill(fileOf(plugin, path.replace(/^[^/]*\//, '')));
      }
    });
  }

  #extended(message: string | Buffer): string | Buffer {
    if (typeof message !== 'string' || !message.includes('"CLIENT_VARS"')) return message;
    const start = message.indexOf('[');
    const [event, argument] = JSON.parse(message.slice(start));
    argument.data.pagePlugins = this.#list();
    return message.slice(0, start) + JSON.stringify([event, argument]);
  }

  #list(): unknown[] {
    return this.#plugins.map(
      ({ name, version = '1.0.0', style, texts = {}, attributes = [], vars = null }) => ({
        name,
        version,
        base: `plugins/${name}/${version}-0123456789ab/`,
        style: style !== undefined,
        languages: Object.keys(texts),
        attributes,
        vars,
      }),
    );
  }
}

function fileOf({ client, style, texts }: TestPlugin, path: string) {
  const [, language] = /^locales\/(\w+)\.json$/.exec(path) ?? [];
  if (language && texts?.[language]) return { json: texts[language] };
  if (path === 'client.js') return { contentType: 'text/javascript', body: client };
  if (path === 'client.css' && style) return { contentType: 'text/css', body: style };
  return { status: 404 };
}

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'ja'];

// One of the plugins of this repository, with a server half of the test's own.
export function ownPlugin(name: string, more: Pick<TestPlugin, 'vars' | 'answer'>): TestPlugin {
  const read = (file: string) =>
    readFileSync(fileURLToPath(new URL(`../../plugins/${name}/${file}`, import.meta.url)), 'utf8');
  const texts = LANGUAGES.map((code) => [code, JSON.parse(read(`locales/${code}.json`))]);
  return {
    name,
    client: read('client.js'),
    style: read('client.css'),
    texts: Object.fromEntries(texts),
    ...more,
  };
}
