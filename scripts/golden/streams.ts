// Every recorded answer, read by every wire in three chunkings: by its own as it was meant, by the others as trouble.
import { decodeEvents, wires } from '../../src/core.ts';
import type { WireName } from '../../src/index.ts';
import type { Case, Group } from './case.ts';
import { exchanges, streams } from './corpus.ts';

const author = { endpoint: 'somewhere', model: 'some-model' };

/** Sizes of the pieces, over and over: small odd ones, mixed ones, all at once. */
const chunkings: readonly (readonly number[])[] = [[17], [1000, 3, 61], [Infinity]];

async function eventsOf(wire: WireName, text: string, sizes: readonly number[]): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of decodeEvents(wire, author, inPieces(text, sizes))) events.push(event);
  return events;
}

async function* inPieces(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

const names = Object.keys(wires) as WireName[];

export const streamGroup: Group = {
  name: 'streams',
  about: 'recorded answers, read by every wire in three chunkings',
  columns: ['small pieces', 'mixed pieces', 'whole'],
  async *cases(): AsyncGenerator<Case> {
    for (const { name, text } of streams())
      for (const wire of names.toSorted())
        yield {
          name: `${name} → ${wire}`,
          make: () => Promise.all(chunkings.map((sizes) => eventsOf(wire, text, sizes))),
        };
  },
};

export const answerGroup: Group = {
  name: 'answers',
  about: 'answers of the recorded exchanges, read by their wire',
  columns: ['events'],
  async *cases(): AsyncGenerator<Case> {
    for (const { name, wire, text } of exchanges().answers)
      if (wire !== undefined) yield { name, make: async () => [await eventsOf(wire, text, [4096])] };
  },
};
