// An installation from git that updates itself: a repository with releases, a code host that offers
// one of them, and the service under its supervisor.
//
// A release is a program of a few lines that becomes the one under test, under its own version. What
// takes time can be held, so that nothing has to be caught in passing.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PATIENCE_MS } from './patience.ts';
import { PROGRAM } from './server.ts';

const run = promisify(execFile);
const ASK_MS = 50;

// Does a release work, or end at once?
export type Kind = 'good' | 'dead';
// What can be held: the build of a release, and its start.
export type Hold = 'build' | 'start';

export class Installation {
  readonly #folder: string;
  readonly #feed: Server;
  readonly #port: number;
  #offered = '';
  #supervisor: ChildProcess | null = null;

  private constructor(folder: string, feed: Server, port: number) {
    this.#folder = folder;
    this.#feed = feed;
    this.#port = port;
  }

  // Version 1.0.0, not started yet.
  static async make(): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'padsvc-update-'));
    const feed = createServer((_, answer) => answer.end(here.#release()));
    const here = new Installation(folder, feed, await freePort());
    feed.listen(0, '127.0.0.1');
    await once(feed, 'listening');
    for (const name of ['work', 'origin.git', 'holds', 'tools']) await mkdir(join(folder, name));
    await here.#git('origin.git', 'init', '--quiet', '--bare');
    await here.#git('work', 'init', '--quiet');
    await here.#git('work', 'remote', 'add', 'origin', join(folder, 'origin.git'));
    await here.publish('1.0.0');
    await here.#git('work', 'push', '--quiet', 'origin', 'main');
    await here.#git('.', 'clone', '--quiet', '--branch', 'main', 'origin.git', 'root');
    const first = join(here.root, 'var/releases/first');
    await mkdir(first, { recursive: true });
    await script(join(first, 'padsvc'), `exec '${PROGRAM}' "$@" --as-version 1.0.0`);
    await symlink('releases/first', join(here.root, 'var/current'));
    const { stdout: cargo } = await run('sh', ['-c', 'command -v cargo']);
    const wait = `case " $* " in *' build '*) ${here.#waiting('build')};; esac`;
    await script(join(folder, 'tools/cargo'), `${wait}\nexec '${cargo.trim()}' "$@"`);
    return here;
  }

  get root(): string {
    return join(this.#folder, 'root');
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  // A release that the code host offers from now on.
  async publish(version: string, kind: Kind = 'good'): Promise<void> {
    const work = join(this.#folder, 'work');
    const name = `name = "padsvc"\nversion = "${version}"\n`;
    const manifest = `[package]\n${name}edition = "2021"\nrust-version = "1.70"\n[workspace]\n`;
    await mkdir(join(work, 'src'), { recursive: true });
    await writeFile(join(work, 'Cargo.toml'), manifest);
    await writeFile(join(work, 'Cargo.lock'), `version = 3\n\n[[package]]\n${name}`);
    await writeFile(join(work, 'src/main.rs'), this.#source(kind));
    await this.#git('work', 'add', '.');
    await this.#git('work', 'commit', '--quiet', '--message', version);
    await this.#git('work', 'tag', '--annotate', '--message', version, `v${version}`);
    await this.#git('work', 'push', '--quiet', 'origin', `refs/tags/v${version}`);
    this.#offered = version;
  }

  // Starts the service, and waits until it knows what is offered.
  async start(updates: object = {}): Promise<void> {
    const { port } = this.#feed.address() as AddressInfo;
    const settings = {
      port: this.#port,
      users: { root: { password: 'the key to it', is_admin: true } },
      updates: {
        tier: 'manual',
        codehostRepo: `http://127.0.0.1:${port}/repos/padsvc`,
        allowInsecureFeed: true,
        requireSignature: false,
        installMethod: 'git',
        drainSeconds: 1,
        rollbackHealthCheckSeconds: 600,
        diskSpaceMinMB: 1,
        ...updates,
      },
    };
    await writeFile(join(this.root, 'settings.json'), JSON.stringify(settings));
    const { PORT: _, ...environment } = process.env;
    this.#supervisor = spawn(PROGRAM, ['supervise', '--root', this.root], {
      stdio: 'ignore',
      env: { ...environment, PATH: `${join(this.#folder, 'tools')}:${process.env.PATH}` },
    });
    await until(async () => (await this.#latest()) === this.#offered);
  }

  async hold(what: Hold): Promise<void> {
    await writeFile(join(this.#folder, 'holds', what), '');
  }

  async letGo(what: Hold): Promise<void> {
    await rm(join(this.#folder, 'holds', what));
  }

  async end(): Promise<void> {
    const supervisor = this.#supervisor;
    if (supervisor && supervisor.exitCode === null && supervisor.signalCode === null) {
      // It takes along what it has started.
      supervisor.kill('SIGTERM');
      await once(supervisor, 'exit');
    }
    this.#feed.closeAllConnections();
    this.#feed.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #latest(): Promise<string | undefined> {
    const answer = await fetch(`${this.url}admin/update/status`).catch(() => null);
    const status = answer?.ok ? await answer.json() : null;
    return status?.latest?.version;
  }

  #release(): string {
    return JSON.stringify({
      tag_name: `v${this.#offered}`,
      html_url: `https://example.org/v${this.#offered}`,
      published_at: '2026-03-01T00:00:00Z',
      body: `- what is new in ${this.#offered}`,
    });
  }

  #waiting(what: Hold): string {
    return `while [ -e '${join(this.#folder, 'holds', what)}' ]; do sleep 0.02; done`;
  }

  #source(kind: Kind): string {
    if (kind === 'dead') return 'fn main() { std::process::exit(1) }\n';
    return `use std::os::unix::process::CommandExt;
fn main() {
    let wait = std::process::Command::new("sh").args(["-c", ${quoted(this.#waiting('start'))}]).status();
    assert!(wait.unwrap().success());
    let mut command = std::process::Command::new(${quoted(PROGRAM)});
    command.args(std::env::args_os().skip(1)).args(["--as-version", env!("CARGO_PKG_VERSION")]);
    panic!("{}", command.exec());
}
`;
  }

  async #git(folder: string, ...words: string[]): Promise<void> {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
    const how = ['-c', 'init.defaultBranch=main', '-c', 'gc.auto=0'];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
    await run('git', [...who, ...how, ...words], { cwd: join(this.#folder, folder), env });
  }
}

async function script(file: string, text: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
}

// As a text of Rust, and of JSON.
function quoted(text: string): string {
  return JSON.stringify(text);
}

// One to come back to: browsers ask where the service was before.
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('the service did not learn of the release');
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}
