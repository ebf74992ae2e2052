// Everything at once: a real PostgreSQL, a real S3 server where one is installed, and two gateways on them, one of which is
// killed again and again. A model that never fails is asked through the other one all the time, to see how long it takes. That
// gateway, whoever asks it and PostgreSQL go first where cores are few.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { signedHeaders } from '../../src/asset/sigv4.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import type { SessionsOptions } from '../../src/session/store.ts';
import { freePort, startPostgres } from '../../test/postgres/server.ts';
import { hasS3, startS3 } from '../../test/s3/server.ts';
import type { S3Server } from '../../test/s3/server.ts';
import { dice } from './dice.ts';
import { goBehind, sessionBehind } from './priority.ts';
import type { AskerInput, AskerTold } from './asker.ts';
import type { GatewayInput } from './gateway.ts';
import { answer, at, grumpy, models } from './round.ts';
import type { Told } from './player.ts';
import type { Span } from './sample.ts';

export type Everything = {
  sessions: SessionsOptions;
  gateways: string[];
  /** Each request to the model that never fails. */
  steady: Span[];
  /** How often a gateway was killed. */
  killed: () => number;
  close: () => Promise<void>;
};

/** The half GB that is usual would not be full after an hour. */
const mediaMib = 64;
/** V8 leaves young objects the more room the more memory a machine has, and takes it little by little: here as much as where
 * there are 2 GB. */
export const boundedYoung: string[] = ['--max-semi-space-size=16'];

/** What one has to know to read the figures. */
export const circumstances: string =
  'The gateway that is left alone, who asks it and PostgreSQL go before all others, which have the lowest priority. ' +
  `It keeps ${mediaMib} MiB of media; it and those that play keep young objects in 16 MiB.`;

/** Starts all of it; `told` hears what the gateway says that is left alone, which is asked so many things `before`. */
export async function startEverything(
  { seed, sampleMs, before }: { seed: number; sampleMs: number; before: number },
  told: (what: Told) => void,
): Promise<Everything> {
  const database = await startPostgres();
  const cache = mkdtempSync(join(tmpdir(), 'sightline-soak-cache-'));
  const url = await database.newDatabase();
  const roll = dice(seed + 2);
  const upstream = await scriptedServer(
    script(({ wire }) => answer(wire, roll)),
    grumpy(roll),
  );
  const steady: Span[] = [];
  const violation = (what: string): void => told({ violation: what });
  const asker = await startAsker((what) => {
    if ('answered' in what) steady.push(what.answered);
    if ('violation' in what) violation(what.violation);
  });
  const options = {
    database: url,
    models: {
      ...Object.fromEntries(models.map((model) => [model.replace('/', '-'), at(upstream, model)])),
      steady: at(asker, 'anthropic/claude-sonnet-4-5'),
    },
  };
  const ports = [await freePort(), await freePort()] as const;
  const [first, second] = ports;
  const running = new Set<ChildProcess>();
  const gateway = async (port: number, hear: (what: Told) => void): Promise<ChildProcess> => {
    const child = fork(fileURLToPath(new URL('gateway.ts', import.meta.url)), {
      execArgv: boundedYoung,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if (port === second && child.pid !== undefined) sessionBehind(child.pid);
    running.add(child);
    child.once('exit', () => running.delete(child));
    child.on('message', hear);
    child.send({ options: { ...options, port }, sampleMs, mediaMib } satisfies GatewayInput);
    await new Promise<void>((resolve) => child.on('message', (what) => what === 'ready' && resolve()));
    return child;
  };
  await gateway(first, told);
  await asker.begin({ gateway: `http://127.0.0.1:${first}`, before });
  goBehind();
  const bucket = hasS3() ? await startS3() : undefined;
  if (bucket) await makeBucket(bucket);
  const over = new AbortController();
  let kills = 0;
  const work = [
    (async () => {
      for (const chance = dice(seed + 3); !over.signal.aborted; kills++) {
        const victim = await gateway(second, (what) => typeof what === 'object' && 'violation' in what && told(what));
        await pause(2000 + chance(8000), over.signal);
        victim.kill('SIGKILL');
        await pause(chance(1000), over.signal);
      }
    })(),
    forget(upstream, over.signal),
  ];
  return {
    sessions: {
      url,
      leaseMs: 1000,
      ...(bucket && { assets: 's3://soak', cache: { folder: cache, maxBytes: 64e6 } }),
    },
    gateways: ports.map((port) => `http://127.0.0.1:${port}`),
    steady,
    killed: () => kills,
    close: async () => {
      over.abort();
      asker.end();
      await Promise.allSettled(work);
      for (const child of running) child.kill('SIGKILL');
      await upstream.close();
      await bucket?.close();
      database.close();
      rmSync(cache, { recursive: true, force: true });
    },
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

async function makeBucket({ endpoint, keys }: S3Server): Promise<void> {
  const url = new URL(`${endpoint}/soak`);
  const bodyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'; // of nothing
  const headers = await signedHeaders({ method: 'PUT', url, bodyHash }, keys, {
    region: 'us-east-1',
    service: 's3',
    now: new Date(),
  });
  const { status } = await fetch(url, { method: 'PUT', headers });
  if (status !== 200) throw new Error(`The bucket could not be made: ${status}.`);
  process.env['AWS_ACCESS_KEY_ID'] = keys.id; // for the processes that play
  process.env['AWS_SECRET_ACCESS_KEY'] = keys.secret;
  process.env['AWS_ENDPOINT_URL_S3'] = endpoint;
}

/** Starts the process that asks, and tells where its model is. */
async function startAsker(
  hear: (what: AskerTold) => void,
): Promise<{ url: string; begin: (input: AskerInput) => Promise<void>; end: () => void }> {
  const child = fork(fileURLToPath(new URL('asker.ts', import.meta.url)), {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', hear);
  const url = await new Promise<string>((resolve) =>
    child.on('message', (what: AskerTold) => 'url' in what && resolve(what.url)),
  );
  const begin = async (input: AskerInput): Promise<void> => {
    child.send(input);
    await new Promise<void>((resolve) => child.on('message', (what: AskerTold) => 'begins' in what && resolve()));
  };
  return { url, begin, end: () => void child.kill('SIGKILL') };
}

/** What the server has kept of the requests would be all of the media that were ever sent. */
async function forget({ requests }: ScriptedServer, signal: AbortSignal): Promise<void> {
  for (; !signal.aborted; await pause(1000, signal)) (requests as unknown[]).length = 0;
}
