// One library in a process of its own: every probe on every wire it offers, against a server on the loopback interface
// that keeps what it was sent. What the library does with the answer is not looked at.
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { Task } from '../harness.ts';
import { probes, toolName } from './probes.ts';
import type { Probe } from './probes.ts';

export type Column = 'anthropic' | 'chat' | 'responses' | 'gemini-2.5' | 'gemini-3' | 'ollama';

export const models: Record<Column, string> = {
  anthropic: 'claude-sonnet-4-5',
  chat: 'gpt-4.1',
  responses: 'gpt-4.1',
  'gemini-2.5': 'gemini-2.5-pro',
  'gemini-3': 'gemini-3-pro-preview',
  ollama: 'qwen3-vl',
};

export type Ask = {
  probe: Probe;
  column: Column;
  model: string;
  /** Of the server, without a path. */
  url: string;
  /** What the library shall send with, where it takes that. */
  fetch: typeof fetch;
  underneath: PeerInput['underneath'];
};

/** Sends the probe. Throws what the library throws, and `NotOffered` where it has no words for the probe. */
export type Peer = {
  columns: readonly Column[];
  /** The library runs the tools itself, so the model must call them first. */
  loops?: true;
  send: (ask: Ask) => Promise<unknown>;
};

export class NotOffered extends Error {}

/** What of ours is under the library: nothing, the fetch, or the middleware for its models. */
export type PeerInput = { underneath: 'fetch' | 'sightlineFetch' | 'sightlineMiddleware' };

/** What came of one probe on one wire. */
export type Captured = { probe: string; column: Column; body?: unknown; error?: string; notOffered?: true };

const patience = 20_000;

export function peerTask(peer: Peer): Task<PeerInput, Captured[]> {
  return async ({ underneath }) => {
    const send = underneath === 'sightlineFetch' ? await wrapped() : fetch;
    globalThis.fetch = send; // some libraries take no other
    const all: Captured[] = [];
    for (const column of peer.columns)
      for (const probe of probes)
        all.push({ probe: probe.id, column, ...(await capture(peer, { probe, column, fetch: send, underneath })) });
    return all;
  };
}

async function wrapped(): Promise<typeof fetch> {
  const path: string = '../../src/fetch/index.ts';
  const { sightlineFetch } = (await import(path)) as { sightlineFetch: () => typeof fetch };
  return sightlineFetch();
}

async function capture(
  peer: Peer,
  about: Pick<Ask, 'probe' | 'column' | 'fetch' | 'underneath'>,
): Promise<Pick<Captured, 'body' | 'error' | 'notOffered'>> {
  const { probe, column } = about;
  const calls = probe.results.map(({ id }) => ({ id, name: toolName }));
  await using server = await scriptedServer(
    script(({ index }) => (peer.loops && index === 0 ? { calls } : { text: 'Done.' })),
  );
  const asked = { ...about, model: models[column], url: server.url };
  const error = await Promise.race([
    peer.send(asked).then(
      () => undefined,
      (trouble: unknown) => trouble,
    ),
    new Promise<Error>((resolve) => setTimeout(() => resolve(new Error('no answer in time')), patience).unref()),
  ]);
  if (error instanceof NotOffered) return { notOffered: true };
  const sent = server.requests.filter(({ wire }) => wire !== undefined).at(peer.loops ? 1 : 0);
  if (sent) return { body: sent.body };
  return { error: error === undefined ? 'nothing was sent' : messageOf(error) };
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]?.slice(0, 200) ?? '';
}
