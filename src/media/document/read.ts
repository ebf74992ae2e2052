// An open document in, its reading out: one block for the file, its Markdown as output, its pictures when asked for.
import type { Block } from '../../content/block.ts';
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { warm } from '../child/pool.ts';
import type { Reading, Visit } from '../reading.ts';
import { takeAll } from '../reading.ts';
import type { Sniffed } from '../sniff.ts';
import { sniff } from '../sniff.ts';
import { excerpt } from '../text/page.ts';
import { documentKind } from './kinds.ts';
import type { OpenedDocument } from './open.ts';
import { openDocument } from './open.ts';
import { pictureBlocks } from './pictures.ts';
import { documentOutput } from './text.ts';

/** Reads a document for `read`; `unknown` answers when the whole of the bytes turns out to be none. */
export async function readDocument(
  visit: Visit,
  unknown: (sniffed: Sniffed | undefined) => Read<Reading>,
): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  warm('extract');
  const bytes = await takeAll(
    visit,
    `Document too large: ${name}`,
    context.limits.documentBytes,
    'Split it into smaller files.',
  );
  if (!bytes.ok) {
    const guess = sniff(visit.head);
    return documentKind(guess, name, visit.head) === undefined ? unknown(guess) : bytes;
  }
  const sniffed = sniff(bytes.value);
  const kind = documentKind(sniffed, name, visit.head);
  if (kind === undefined) return unknown(sniffed);
  const pictures = options.images === true || options.as === 'image';
  const request = { name, kind, pictures, ...(options.password !== undefined && { password: options.password }) };
  const opened = await openDocument(bytes.value, request, context);
  return opened.ok ? await readingOf(opened.value, bytes.value.length, visit) : opened;
}

async function readingOf(opened: OpenedDocument, size: number, visit: Visit): Promise<Read<Reading>> {
  const { name, options, context } = visit;
  const { kind, markdown, parts, text } = opened;
  const { offset, limit } = options;
  const lines = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) };
  const max = context.limits.outputCharacters;
  const part =
    offset === undefined && limit === undefined ? documentOutput(name, markdown, max) : excerpt(markdown, lines, max);
  if (!part.ok) return part;
  const { output, shown } = part.value;
  const facts = { name, size, characters: markdown.length, lines: part.value.lines };
  const data: Reading['data'] = {
    type: 'document',
    kind,
    ...facts,
    shown: [...shown],
    ...(parts && { parts }),
    asset: text,
  };
  if (options.as === 'text') return { ok: true, value: { output, blocks: [{ type: 'text', text: output }], data } };
  const images = await pictureBlocks(opened, name, context);
  if (options.as !== 'image') {
    const blocks: Block[] = options.images === true ? [opened.block, ...images] : [opened.block];
    return { ok: true, value: { output, blocks, data } };
  }
  if (images.length === 0)
    return refuse('unsupported', `${name} has no pictures in it`, 'Read it without asking for pictures.');
  return { ok: true, value: { output, blocks: images, data } };
}
