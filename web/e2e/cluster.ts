// Nodes on a PostgreSQL server of a test's own, and a balancer in front of them.

import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OwnServer } from './server.ts';

const run = promisify(execFile);

class Postgres {
  readonly #folder: string;
  readonly #programs: string;
  // Its standard input ends when this process does, however that ends.
  readonly #watchdog;

  private constructor(folder: string, programs: string) {
    this.#folder = folder;
    this.#programs = programs;
    const stop = this.#words('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop');
    const script = 'read _; folder=$1; shift; "$@"; rm -rf "$folder"';
    this.#watchdog = spawn('sh', ['-c', script, 'watchdog', folder, ...stop], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
  }

  static async start(): Promise<Postgres> {
    const [version] = await readdir('/usr/lib/postgresql');
    const programs = join('/usr/lib/postgresql', version ?? '', 'bin');
    const folder = await mkdtemp(join(tmpdir(), 'padsvc-e2e-pg-'));
    await chmod(folder, 0o777);
    const server = new Postgres(folder, programs);
    const data = join(folder, 'data');
    await server.#run('initdb', '-D', data, '--auth=trust', '--username=padsvc', '--no-sync');
    const options = `-h '' -k ${folder} -c fsync=off`;
    await server.#run(
      'pg_ctl',
      '-D',
      data,
      '-w',
      '-l',
      join(folder, 'log'),
      '-o',
      options,
      'start',
    );
    return server;
  }

  get connection(): string {
    return `host='${this.#folder}' user=padsvc dbname=postgres`;
  }

  async end(): Promise<void> {
    await this.#run('pg_ctl', '-D', join(this.#folder, 'data'), '-m', 'immediate', 'stop');
    this.#watchdog.stdin.end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  // The server refuses to run as root; its package brings a user for it.
  #words(program: string, ...words: string[]): string[] {
    const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
    return [...(process.getuid?.() === 0 ? user : []), join(this.#programs, program), ...words];
  }

  async #run(program: string, ...words: string[]): Promise<void> {
    const [first = '', ...rest] = this.#words(program, ...words);
    await run(first, rest, { cwd: '/' });
  }
}

// Passes connections on to one node, until it is given another.
class Balancer {
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  target: string;
  url = '';

  private constructor(target: string) {
    this.target = target;
    this.#server = createServer((client) => {
      const { hostname, port } = new URL(this.target);
      const node = connect(Number(port), hostname);
      for (const [one, other] of [
        [client, node],
        [node, client],
      ] as const) {
        this.#open.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#open.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async start(target: string): Promise<Balancer> {
    const balancer = new Balancer(target);
    await new Promise<void>((done) => balancer.#server.listen(0, '127.0.0.1', done));
    const address = balancer.#server.address();
    if (!address || typeof address === 'string') throw new Error('no port');
    balancer.url = `http://127.0.0.1:${address.port}/`;
    return balancer;
  }

  end(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}

export interface Cluster {
  nodes: readonly [OwnServer, OwnServer];
  balancer: Balancer;
  end: () => Promise<void>;
}

// Two nodes. The balancer leads to the first.
export async function startCluster(settings: object = {}): Promise<Cluster> {
  const postgres = await Postgres.start();
  const shared = { ...settings, dbType: 'postgres', dbSettings: postgres.connection };
  // With the same key, as two machines of an operator would have it.
  const files = { 'APIKEY.txt': '5'.repeat(64) };
  const nodes = [
    await OwnServer.start(shared, files),
    await OwnServer.start(shared, files),
  ] as const;
  const balancer = await Balancer.start(nodes[0].url);
  return {
    nodes,
    balancer,
    end: async () => {
      balancer.end();
      for (const node of nodes) await node.end();
      await postgres.end();
    },
  };
}
