// A server of a test's own, to be killed, started again, or set up in a way of its own.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { newContext, SIZES } from './browser.ts';

const run = promisify(execFile);

export const PROGRAM =
  process.env.PADSVC_BIN ?? join(import.meta.dirname, '../../target/debug/padsvc');

export class OwnServer {
  readonly #root: string;
  #child: ChildProcess | null = null;
  url = '';

  private constructor(root: string) {
    this.#root = root;
  }

  // With these files in its folder.
  static async start(
    settings: object | string = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<OwnServer> {
    const server = new OwnServer(await mkdtemp(join(tmpdir(), 'padsvc-e2e-')));
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(server.#root, name)), { recursive: true });
      await writeFile(join(server.#root, name), text);
    }
    await server.start(settings);
    return server;
  }

  read(name: string): Promise<string> {
    return readFile(join(this.#root, name), 'utf8');
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.#root, name), text);
  }

  // Where it was before, if it was.
  async start(settings: object | string = {}): Promise<void> {
    const text = typeof settings === 'string' ? settings : JSON.stringify(settings, null, 2);
    await writeFile(join(this.#root, 'settings.json'), text);
    const port = this.url ? new URL(this.url).port : '0';
    const words = [PROGRAM, '--root', this.#root, '--ip', '127.0.0.1', '--port', port];
    // The signal for a file that grows too large would end the program; ignored, the write fails.
    const child = spawn('sh', ['-c', `trap '' XFSZ; exec "$0" "$@"`, ...words], {
      stdio: ['ignore', 'pipe', 'ignore'],
      // Tests stay on this machine: nobody answers there.
      env: text.includes('codehostRepo')
        ? process.env
        : { ...process.env, EP__updates__codehostRepo: 'https://127.0.0.1:1/no-feed' },
    });
    this.#child = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = /open (\S+)/.exec(line.toString())?.[1];
    if (!url) throw new Error(`the server did not say where it is: ${line}`);
    this.url = url.endsWith('/') ? url : `${url}/`;
  }

  // A command of the program, about this server; what it prints.
  async command(...words: string[]): Promise<string> {
    return (await run(PROGRAM, [...words, '--root', this.#root])).stdout;
  }

  // From here on no file grows, as on a full disk; or all may again.
  async fillDisk(full: boolean): Promise<void> {
    const { size } = await stat(join(this.#root, 'var/padsvc.db-wal'));
    const limit = full ? `${size}:` : 'unlimited:';
    await run('prlimit', ['--pid', `${this.#child?.pid}`, `--fsize=${limit}`]);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async end(): Promise<void> {
    await this.kill();
    await rm(this.#root, { recursive: true, force: true });
  }
}

// A visitor of a server with these settings.
export async function withSettings(
  browser: Browser,
  settings: object,
  act: (page: Page, server: OwnServer) => Promise<void>,
  options: BrowserContextOptions = SIZES.desktop,
): Promise<void> {
  const server = await OwnServer.start(settings);
  const context = await newContext(browser, { ...options, baseURL: server.url });
  try {
    await act(await context.newPage(), server);
  } finally {
    await context.close();
    await server.end();
  }
}
