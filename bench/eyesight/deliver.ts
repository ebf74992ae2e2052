// One library in a process of its own, ourselves in both ways in one: every picture to every family, and the pictures taken out
// of the bodies again. The network is a function that keeps what it is given.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { AssetStore } from '../../src/asset/store.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { prepare } from '../../src/index.ts';
import type { PrepareOptions, Receipt } from '../../src/index.ts';
import { read } from '../../src/media/index.ts';
import type { Task } from '../harness.ts';
import type { Peer } from '../matrix/peer.ts';
import type { Medium, Probe } from '../matrix/probes.ts';
import { transcriptOf } from '../matrix/peers/sightline.ts';
import { families } from './families.ts';
import type { Family, Sent } from './families.ts';
import { picturesIn } from './pictures.ts';
import type { Found } from './pictures.ts';

export const libraries = ['sightline', 'sightline-auto', 'ai-sdk', 'langchain', 'pi'] as const;
export type Library = (typeof libraries)[number];

/** Who share a process: what we make of a picture in one way serves the other. */
export const together: Library[][] = [['sightline', 'sightline-auto'], ['ai-sdk'], ['langchain'], ['pi']];

/** A picture of a body, and which part of the item it shows; without one, all of it. */
export type SentPart = Sent & Pick<Found, 'part' | 'overview'>;

/** What came of one picture for one family. `receipt`: what was said of it. `told`: a sentence says that it is hard to read. */
export type Delivery = {
  family: string;
  pictures: SentPart[];
  error?: string;
  receipt?: Pick<Receipt, 'action' | 'legible'>;
  told?: boolean;
  /** The size that stands in the conversation, before anything is planned. */
  canonical?: { width: number; height: number };
};

export type DeliverInput = {
  libraries: readonly Library[];
  folder: string;
  items: { id: string; file: string; type: string }[];
};

/** What came of each picture, by library and name. */
export type Delivered = Partial<Record<Library, Record<string, Delivery[]>>>;

const task: Task<DeliverInput, Delivered> = async ({ libraries: asked, folder, items }) => {
  const all: Delivered = {};
  for (const { id, file, type } of items) {
    const bytes = readFileSync(join(folder, file));
    const medium: Medium = {
      kind: 'image',
      mediaType: type,
      name: `${id}.${type.slice(6)}`,
      base64: bytes.toString('base64'),
    };
    const assets = memoryAssets();
    for (const library of asked) {
      const own = library === 'sightline' ? {} : library === 'sightline-auto' ? thriftyTiles : undefined;
      const bodies = own
        ? await ours(own, medium, bytes, assets)
        : await theirs(await peerOf(library), library, medium);
      (all[library] ??= {})[id] = await Promise.all(bodies.map((one) => kept(one, folder)));
    }
  }
  return all;
};
export default task;

const thriftyTiles: Partial<PrepareOptions> = { tiles: 'auto', legibility: 'thrifty' };

type Body = Omit<Delivery, 'pictures'> & { body?: unknown };

function probeOf(medium: Medium): Probe {
  return { id: 'image', title: '', about: '', results: [{ id: 'call_1', items: [{ medium }] }] };
}

async function ours(
  options: Partial<PrepareOptions>,
  medium: Medium,
  bytes: Uint8Array,
  assets: AssetStore,
): Promise<Body[]> {
  const found = await read(bytes, { assets, name: medium.name });
  const [block] = found.ok ? found.value.blocks : [];
  if (block?.type !== 'image') throw new Error(`${medium.name} was not read`);
  const { messages, ...rest } = transcriptOf(probeOf(medium));
  const shown = messages.map((one) => (one.role === 'tool' ? { ...one, content: [block] } : one));
  const bodies: Body[] = [];
  for (const { id, model } of families) {
    const request = await prepare({ ...rest, messages: shown }, { model, assets, ...options });
    const text = Buffer.concat(await Array.fromAsync(request.stream())).toString();
    const receipt = request.receipts.find(({ asset }) => asset !== undefined);
    bodies.push({
      family: id,
      body: JSON.parse(text),
      told: text.includes('may be unreadable'),
      canonical: { width: block.width, height: block.height },
      ...(receipt && { receipt: { action: receipt.action, ...(receipt.legible && { legible: receipt.legible }) } }),
    });
  }
  return bodies;
}

async function peerOf(library: Library): Promise<Peer['send']> {
  const file: string = `../matrix/peers/${library === 'pi' ? 'pi-ai' : library}.ts`;
  const { peer } = (await import(file)) as { peer: Peer };
  return peer.send;
}

/** pi's own tool that reads files makes pictures smaller before they reach its client. */
async function asPiReads(medium: Medium): Promise<Medium> {
  const { resizeImage } = (await import('@earendil-works/pi-coding-agent')) as {
    resizeImage: (bytes: Uint8Array, type: string) => Promise<{ data: string; mimeType: string } | null>;
  };
  const made = await resizeImage(Buffer.from(medium.base64, 'base64'), medium.mediaType);
  return made ? { ...medium, base64: made.data, mediaType: made.mimeType } : medium;
}

async function theirs(send: Peer['send'], library: Library, original: Medium): Promise<Body[]> {
  const medium = library === 'pi' ? await asPiReads(original) : original;
  const bodies: Body[] = [];
  for (const family of families) bodies.push({ family: family.id, ...(await captured(send, library, family, medium)) });
  return bodies;
}

async function captured(
  send: Peer['send'],
  library: Library,
  family: Family,
  medium: Medium,
): Promise<{ body?: unknown; error?: string }> {
  let body: unknown;
  const keep: typeof fetch = async (input, init) => {
    body = JSON.parse(await new Request(input, init).text());
    const error = { error: { type: 'invalid_request_error', message: 'kept' } };
    return Response.json(error, { status: 400 });
  };
  globalThis.fetch = keep; // some libraries take no other
  const column = library === 'pi' && family.column === 'ollama' ? 'chat' : family.column;
  const model = family.model.split('/').slice(1).join('/');
  const place = { url: 'http://127.0.0.1:9', underneath: 'fetch' } as const;
  const trouble = await send({ ...place, probe: probeOf(medium), column, model, fetch: keep }).then(
    () => undefined,
    (error: unknown) => String(error).split('\n')[0]?.slice(0, 200),
  );
  return body === undefined ? { error: trouble ?? 'nothing was sent' } : { body };
}

async function kept({ body, ...rest }: Body, folder: string): Promise<Delivery> {
  const pictures: SentPart[] = [];
  for (const { base64, part, overview, detail } of picturesIn(body)) {
    const bytes = Buffer.from(base64, 'base64');
    const file = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.sent`;
    if (!existsSync(join(folder, file))) writeFileSync(join(folder, file), bytes);
    const { width, height, format } = await sharp(bytes).metadata();
    const size = { width, height, base64: base64.length, type: `image/${format}` };
    pictures.push({ file, ...size, ...(detail && { detail }), ...(part && { part }), ...(overview && { overview }) });
  }
  return { ...rest, pictures };
}
