// One process of the soak: plays rounds on a home until it is told to stop, or is killed. Tells of every round, and of
// the memory and the handles it holds after a collection.
import { countTextFor } from '../../src/model/count-text.ts';
import { openSessions } from '../../src/session/store.ts';
import type { SessionsOptions, SessionStore } from '../../src/session/store.ts';
import { profileFor } from '../../src/window/profile.ts';
import { judge } from '../../test/judge/judge.ts';
import { wireNames } from '../../test/judge/wire-name.ts';
import { dice } from './dice.ts';
import { playRound } from './round.ts';
import type { Round } from './round.ts';
import { sampled } from './sample.ts';
import type { Sampled } from './sample.ts';

export type PlayerInput = {
  sessions: SessionsOptions;
  /** Where gateways listen that have all models of the rounds. */
  gateways: readonly string[];
  seed: number;
  /** How often to tell of memory; null for never. */
  sampleMs: number | null;
};
export type Told = 'ready' | { round: Round } | Sampled | { violation: string };

/** A round that takes longer than this hangs. */
const patience = 90_000;

const stopping = new AbortController();
const tell = (told: Told): void => void process.send?.(told);

process.on('unhandledRejection', (error) => tell({ violation: `nobody caught ${String(error)}` }));
process.on('message', (message: 'stop' | PlayerInput) => {
  if (message === 'stop') stopping.abort();
  else void play(message).catch(give);
});

/** Whoever waits for this process hears why nothing comes. */
function give(error: unknown): void {
  process.send?.({ violation: `a player could not begin: ${String(error)}` }, () => process.exit(1));
}

async function play({ sessions, gateways, seed, sampleMs }: PlayerInput): Promise<void> {
  const roll = dice(seed);
  if (sampleMs !== null) await loadAll();
  let store = openSessions(sessions);
  tell('ready');
  let last = performance.now();
  for (let round = 1; round === 1 || !stopping.signal.aborted; round++) {
    const watch = setTimeout(() => {
      tell({ violation: `round ${round} of seed ${seed} hangs` });
      process.exit(1);
    }, patience);
    try {
      tell({ round: await playRound(store, roll, { longest: 60, gateways }) });
    } catch (error) {
      tell({
        violation: `round ${round} of seed ${seed} threw ${String(error instanceof Error ? error.stack : error)}`,
      });
    }
    clearTimeout(watch);
    if (round % 20 === 0) store = await reopened(store, sessions);
    if (sampleMs === null || performance.now() - last < sampleMs) continue;
    last = performance.now();
    tell(await sampled());
  }
  await store.close();
  process.disconnect();
  process.exitCode = 0;
}

/** What is loaded once is no growth: the judges, and the tables of the tokenizer. */
async function loadAll(): Promise<void> {
  for (const wire of wireNames) await judge(wire, {});
  const count = await countTextFor(profileFor('openai-chat/gpt-4.1'));
  count?.('a few words');
}

async function reopened(store: SessionStore, sessions: SessionsOptions): Promise<SessionStore> {
  await store.close();
  return openSessions(sessions);
}
