// Where recorded traffic, which providers accepted, had the medium of a tool's result, and where we put it. What
// differs stands in `placement-exceptions.json` with its reason.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MediaBlock, MediaKind } from '../../src/content/block.ts';
import type { Transcript } from '../../src/message/message.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Placement } from '../../src/window/rules.ts';
import { sharedFile } from '../judge/shared-folder.ts';
import { list, mediaIn, node, read } from '../laws/reading.ts';
import { put, writeOutline } from '../laws/world.ts';
import exceptions from './placement-exceptions.json' with { type: 'json' };

const endpoints: Record<string, string> = {
  anthropic: 'anthropic',
  openai_chat: 'openai-chat',
  openai_responses: 'openai',
  google_2_5: 'gemini',
  google_gemini3: 'gemini',
  groq: 'compatible',
  mistral: 'compatible',
  bedrock_claude: 'bedrock',
  bedrock_nova: 'bedrock',
};

const samples: Record<MediaKind, MediaBlock> = {
  image: { type: 'image', asset: put('kiwi', 'image/png', 'kiwi.png'), width: 640, height: 480 },
  document: { type: 'document', asset: put('paper', 'application/pdf', 'paper.pdf'), pages: 1 },
  audio: { type: 'audio', asset: put('song', 'audio/mpeg', 'song.mp3'), seconds: 2 },
  video: { type: 'video', asset: put('film', 'video/mp4', 'film.mp4'), seconds: 2 },
};

type Recording = { file: string; model: string; kind: MediaKind; recorded: string };

const manifest = sharedFile('corpora/manifest.json');

/** Recordings of our wires in which the provider took the result. */
function recordings(path: string): Recording[] {
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return list(Array.isArray(parsed) ? parsed : node(parsed)['files']).flatMap((entry) => {
    const file = String(entry['file']);
    const expected = node(entry['expect']);
    const endpoint = endpoints[String(expected['provider'])];
    const accepted = expected['toolResultSent'] === true && expected['status'] === 200;
    if (!file.startsWith('wire/') || endpoint === undefined || !accepted) return [];
    const kind = (expected['medium'] ?? 'image') as MediaKind;
    return [
      { file: file.slice(5), model: `${endpoint}/${modelOf(file)}`, kind, recorded: String(expected['placement']) },
    ];
  });
}

/** The model a recording was made with; Gemini names it in the address. */
function modelOf(file: string): string {
  const recorded: unknown = JSON.parse(readFileSync(sharedFile(`corpora/${file}`) ?? '', 'utf8'));
  const exchange = list(node(recorded)['exchanges']).at(-1);
  const named = node(exchange?.['request'])['model'];
  const [, inAddress = ''] = /models?\/([^:/]+)[:/]/.exec(String(exchange?.['url'])) ?? [];
  return typeof named === 'string' ? named : decodeURIComponent(inAddress);
}

async function ours(model: string, kind: MediaKind): Promise<Placement> {
  const transcript: Transcript = {
    version: 1,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Get the file.' }] },
      { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'c1', name: 'get_file', input: {} }] },
      { role: 'tool', callId: 'c1', name: 'get_file', content: [samples[kind]] },
    ],
  };
  const { body } = await writeOutline({ transcript, model });
  const entries = read(profileFor(model).wire, body);
  if (entries.some((entry) => entry.role === 'results' && entry.results.some(({ parts }) => mediaIn(parts).length > 0)))
    return 'inside';
  return entries.some((entry) => entry.role === 'user' && mediaIn(entry.parts).length > 0) ? 'after' : 'words';
}

const known: Record<string, { ours: string; why: string }> = exceptions;

test.skipIf(manifest === undefined)('media are placed as in recorded traffic, but for written exceptions', async () => {
  const found = recordings(manifest ?? '');
  expect(found.length).toBeGreaterThan(40);
  const differing: Record<string, string> = {};
  for (const { file, model, kind, recorded } of found) {
    const place = await ours(model, kind);
    if (place !== recorded) differing[file] = place;
  }
  expect(differing).toEqual(Object.fromEntries(Object.entries(known).map(([file, { ours: place }]) => [file, place])));
});

test.skipIf(manifest === undefined)('what the profile says of a kind is where the body has it', async () => {
  for (const { model, kind } of recordings(manifest ?? '')) {
    const rule = profileFor(model).media[kind];
    // A document that cannot go as itself goes as text, or as pictures of its pages where those may stand.
    if (kind === 'document' && rule.result === 'words') continue;
    expect(`${model} ${kind} ${await ours(model, kind)}`).toBe(`${model} ${kind} ${rule.result}`);
  }
});

if (manifest === undefined)
  console.warn('placement skipped: corpora/manifest.json not found; set SIGHTLINE_SHARED to the folder that has it');
