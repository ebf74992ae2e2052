// The long soak: the loop against a server that fails, with random tools, media, models, aborts and restarts, on a home
// in a temporary folder. One process plays all the time and must not grow; others play beside it and are killed without
// warning. At the end every session is opened and examined. Ends with 1 when anything is not as it should be.
// With --everything the sessions lie in a real PostgreSQL, media in a real S3 server where one is installed, and half of the
// rounds go through two gateways, one of which is killed as well. The other one goes before all else where cores are few, as it
// would on a machine of its own.
//   npm run soak                              20 minutes
//   npm run soak -- --minutes 1 --seed 7      as long as you say, with other dice
//   npm run soak -- --everything --json       with all of that, and figures alone
import { fork } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { examineDatabase, examineSession } from '../src/session/repair/doctor.ts';
import { openSessions } from '../src/session/store.ts';
import type { SessionsOptions } from '../src/session/store.ts';
import { argumentsOf } from './arguments.ts';
import { bringAll } from './bring.ts';
import { dice } from './soak/dice.ts';
import { boundedYoung, circumstances, startEverything } from './soak/everything.ts';
import type { PlayerInput, Told } from './soak/player.ts';
import type { Round } from './soak/round.ts';
import type { Sample, Span } from './soak/sample.ts';
import { growth, slopeMinutes, steadiness } from './soak/growth.ts';
import { sessionBehind } from './soak/priority.ts';

const { values } = argumentsOf(import.meta.filename, {
  minutes: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
  everything: { type: 'boolean' },
  json: { type: 'boolean' },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(
    '--minutes takes a number above 0, --seed a whole number. Example: npm run soak -- --minutes 20 --seed 1',
  );
  process.exit(2);
}

bringAll(['test/judge']); // what looks at every request
const home = await mkdtemp(join(tmpdir(), 'sightline-soak-'));
const rounds: Round[] = [];
const samples: Sample[] = [];
const ofGateway: Sample[] = [];
const collections: Span[] = [];
const violations: string[] = [];
/** `over`: the uptime in seconds at which it ended. Its number may be another's from then on. */
const players: { pid: number; over?: number }[] = [];
let killed = 0;
let started = performance.now();
let until = Number.POSITIVE_INFINITY;

const sampleMs = Math.max(500, (minutes * 60_000) / 100);
const everything = values.everything
  ? await startEverything({ seed, sampleMs, before: minutes < slopeMinutes ? 0 : 16_000 }, (told) => {
      if (told === 'ready') return;
      if ('sample' in told) {
        ofGateway.push(told.sample);
        collections.push(told.collected);
      } else if ('violation' in told) violations.push(told.violation);
    })
  : undefined;
const sessions: SessionsOptions = everything?.sessions ?? { home, leaseMs: 1000 };
const gateways = everything?.gateways ?? [];

try {
  const long = player({ sessions, gateways, seed, sampleMs });
  await ready(long);
  started = performance.now(); // loading takes what it takes
  until = started + minutes * 60_000;
  await Promise.all([stopAt(long, until), killOthers(dice(seed + 1))]);
  await nobodyLeft();
  const remaining = await examined();
  const grown = [growth('the playing process', samples, minutes)];
  if (everything)
    grown.push(
      growth('the gateway', ofGateway, minutes),
      steadiness(everything.steady, collections, everything.killed()),
    );
  violations.push(...grown.flatMap(({ complaints }) => complaints));
  report(
    remaining,
    grown.flatMap(({ lines }) => lines),
  );
} finally {
  await everything?.close();
  await rm(home, { recursive: true, force: true });
}
process.exitCode = violations.length === 0 ? 0 : 1;

/** Starts a process that leads a group of its own, so that whatever it leaves behind can be found. */
function player(input: PlayerInput): ChildProcess {
  const path = fileURLToPath(new URL('soak/player.ts', import.meta.url));
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
  const child = fork(path, { execArgv: boundedYoung, detached: true, stdio });
  if (child.pid !== undefined) {
    const one: (typeof players)[number] = { pid: child.pid };
    players.push(one);
    child.once('exit', () => (one.over = uptime()));
    if (everything) sessionBehind(child.pid);
  }
  child.on('message', (told: Told) => {
    if (told === 'ready') return;
    if ('round' in told) {
      rounds.push(told.round);
      violations.push(
        ...told.round.violations.map((what) => `${told.round.model}, session ${told.round.session}: ${what}`),
      );
    } else if ('sample' in told) {
      if (child.pid === players[0]?.pid) samples.push(told.sample);
    } else violations.push(told.violation);
  });
  child.send(input);
  return child;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('close', () => resolve());
  });
}

/** Waits until the process has loaded everything and begins to play, or has ended. */
function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.on('message', (told: Told) => told === 'ready' && resolve());
  });
}

/** Asks the process to stop in time; it may finish its round. */
async function stopAt(child: ChildProcess, time: number): Promise<void> {
  const over = ended(child);
  await Promise.race([sleep(time - performance.now()), over]);
  if (child.connected) child.send('stop');
  await Promise.race([over, sleep(100_000, undefined, { ref: false })]);
  if (child.exitCode !== 0)
    violations.push(`the playing process ended with ${child.exitCode ?? child.signalCode ?? 'nothing'}`);
  child.kill('SIGKILL');
}

/** Processes beside it, on the same home, that are ended in the middle of whatever they do; at least one. */
async function killOthers(roll: (below: number) => number): Promise<void> {
  for (let at = 1; at === 1 || performance.now() < until - 3000; at++) {
    const victim = player({ sessions, gateways, seed: seed * 1000 + at, sampleMs: null });
    await ready(victim);
    await sleep(roll(4000));
    if (victim.exitCode !== null) violations.push(`a process beside it ended by itself with ${victim.exitCode}`);
    victim.kill('SIGKILL');
    killed++;
    await sleep(Math.max(0, Math.min(roll(8000), until - performance.now())));
  }
}

/** Decoders see within a second that their program is gone. */
async function nobodyLeft(): Promise<void> {
  for (let waited = 0; left().length > 0 && waited < 10_000; waited += 200) await sleep(200);
  for (const pid of left()) {
    violations.push(`process ${pid} is left behind`);
    process.kill(Number(pid), 'SIGKILL');
  }
}

/** The processes that our players have started, and they themselves. */
function left(): string[] {
  return groups().flatMap(({ pid, group, start }) =>
    players.some((one) => one.pid === group && start <= (one.over ?? Infinity)) ? [pid] : [],
  );
}

/** A process, its group, and the uptime in seconds at which it began. */
type Member = { pid: string; group: number; start: number };

/** Every process and its group; only Linux tells, elsewhere none are seen. */
function groups(): Member[] {
  try {
    return readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? groupOf(pid) : []));
  } catch {
    return [];
  }
}

function groupOf(pid: string): Member[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? [] : [{ pid, group: Number(fields[2]), start: Number(fields[19]) / 100 }];
  } catch {
    return []; // it ended between the listing and the look
  }
}

/** Opens everything that is left and looks at all of it: the file, each session's calls, each medium's bytes. */
async function examined(): Promise<number> {
  if (!everything) violations.push(...examineDatabase(home).map(({ what }) => what));
  await using store = openSessions(sessions);
  const all = await store.list();
  for (const { id } of all) {
    const problems = await examineSession(await store.read(id), store.assets);
    // A killed process may leave calls that wait; whoever opens the session answers them.
    violations.push(...problems.filter(({ kind }) => kind !== 'pairing').map(({ what }) => `session ${id}: ${what}`));
    await using session = await store.open(id);
    if ((await session.messages()).length === 0 && problems.length > 0) violations.push(`session ${id} is empty`);
  }
  return all.length;
}

function report(remaining: number, memory: readonly string[]): void {
  const stops: Record<string, number> = {};
  for (const { stop } of rounds) stops[stop] = (stops[stop] ?? 0) + 1;
  const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  const counts = {
    seconds,
    seed,
    rounds: rounds.length,
    requests: sum(({ requests }) => requests),
    calls: sum(({ calls }) => calls),
    healed: sum(({ healed }) => healed),
    aborted: stops['aborted'] ?? 0,
    killed,
    sessions: remaining,
  };
  if (values.json) {
    console.log(
      JSON.stringify(
        { ...counts, stops, ...(everything && { circumstances }), memory, samples, violations },
        undefined,
        2,
      ),
    );
    return;
  }
  console.log(
    `${counts.rounds} rounds in ${seconds} s (seed ${seed}): ${counts.requests} requests, ${counts.calls} calls, ` +
      `${counts.healed} healed, ${killed} processes killed, ${remaining} sessions left.`,
  );
  console.log(
    `Ended: ${Object.entries(stops)
      .map(([stop, count]) => `${stop} ${count}`)
      .join(', ')}.`,
  );
  for (const line of memory) console.log(line);
  if (everything) console.log(circumstances);
  console.log(violations.length === 0 ? 'Nothing is wrong.' : [...new Set(violations)].join('\n'));
}
