// For every row of what models were really shown: where the catalog puts a medium, it was seen; never where a provider refused it, or answered
// 200 and showed nothing.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isRecord } from '../../src/content/json.ts';
import type { MediaKind } from '../../src/content/block.ts';
import { mediaKinds } from '../../src/content/block.ts';
import { profileFor } from '../../src/window/profile.ts';
import { sharedFile } from '../judge/shared-folder.ts';
import { recordedSight } from './recorded-sight.ts';
import type { Sight } from './recorded-sight.ts';

const nameOf = ({ model, slot, kind, carrier }: Pick<Sight, 'model' | 'slot' | 'kind' | 'carrier'>): string =>
  `${model} ${slot} ${kind} ${carrier}`;

const rows = new Map(recordedSight.map((row) => [nameOf(row), row]));
const models = [...new Set(recordedSight.map(({ model }) => model))];

/** Where a medium of each kind goes, by each carrier: in results as results or as user content, and in what a user says. */
function ours(model: string): string[] {
  const { media } = profileFor(model);
  return mediaKinds.flatMap((kind: MediaKind) => {
    const { types, result, user, carriers } = media[kind];
    const ways = { ...(types.length > 0 && { inline: { result, user } }), ...carriers };
    return Object.entries(ways).flatMap(([carrier, place]) => {
      const slots = [place.result === 'inside' ? 'result' : place.result === 'after' ? 'user' : undefined, place.user === 'inside' ? 'user' : undefined];
      return [...new Set(slots)].flatMap((slot) => (slot ? [`${model} ${slot} ${kind} ${carrier}`] : []));
    });
  });
} // prettier-ignore

/** Places of ours that were not recorded, each with what speaks for it. */
const unrecorded: Record<string, string> = {
  'anthropic/claude-sonnet-4-5 result document inline': 'seen there by its address and by its id; the vendor documents it',
  'vertex/gemini-3-flash-preview user document inline': 'seen inside results, the narrower place',
  'gemini/gemini-2.5-flash user audio inline': 'heard by its id, and inline by Gemini 3',
  'bedrock/us.meta.llama4-maverick-17b-instruct-v1:0 user image inline': 'seen inside results, the narrower place',
  'bedrock/us.meta.llama4-maverick-17b-instruct-v1:0 user document inline': 'seen inside results, the narrower place',
  'bedrock/us.mistral.pixtral-large-2502-v1:0 user document inline': 'seen inside results, the narrower place',
  'gemini/gemini-3-flash-preview user video url': 'films on YouTube alone, recorded with Gemini 2.5',
  'xai/grok-4 result image inline': 'its Responses API by its documents; recorded was its gRPC API',
  'xai/grok-4 user image inline': 'its Responses API by its documents; recorded was its gRPC API',
}; // prettier-ignore

test('every place of ours was seen by that model, but for those with a reason', () => {
  expect(rows.size).toBe(recordedSight.length);
  const places = models.flatMap(ours);
  const unseen = places.filter((place) => !((rows.get(place)?.seen ?? 0) > 0));
  expect(unseen.toSorted()).toEqual(Object.keys(unrecorded).toSorted());
  expect(unseen.filter((place) => rows.has(place))).toEqual([]);
});

test('nothing goes where it was refused, or answered and never seen; what was seen and is not used has a better place', () => {
  const places = new Set(models.flatMap(ours));
  const bad = recordedSight.filter(({ answered, seen }) => answered === 0 || seen === 0);
  expect(bad.filter((row) => places.has(nameOf(row)))).toEqual([]);
  expect(bad.filter(({ answered, seen }) => answered > 0 && seen === 0).map(nameOf)).toEqual([
    'gemini/gemini-3-flash-preview result image file',
    'gemini/gemini-3-flash-preview result document file',
    'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0 result document inline',
    'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0 result document file',
  ]);
  const spare = recordedSight.filter((row) => row.seen > 0 && !places.has(nameOf(row)));
  expect(spare.map(nameOf)).toEqual([]);
});

const manifest = sharedFile('corpora/manifest.json');

const modelBy: Record<string, string> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  openai_responses: 'openai/gpt-5.2',
  openai_chat: 'openai-chat/gpt-4.1',
  google_gemini3: 'gemini/gemini-3-flash-preview',
  google_2_5: 'gemini/gemini-2.5-flash',
  google_vertex: 'vertex/gemini-3-flash-preview',
  bedrock_nova: 'bedrock/us.amazon.nova-2-lite-v1:0',
  bedrock_claude: 'bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  mistral: 'mistral/pixtral-large-latest',
  groq: 'groq/meta-llama/llama-4-scout-17b-16e-instruct',
};

const kindOfType = (type: unknown): string => /^(image|audio|video)/.exec(String(type))?.[1] ?? 'document';

const outside = (value: unknown): string =>
  /"\$|data:/.test(JSON.stringify(value ?? '').slice(0, 80)) ? 'inline' : 'url';

/** The media of a recorded body: their slot, kind and carrier. */
function mediaIn(value: unknown, slot: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => mediaIn(one, slot));
  if (!isRecord(value)) return [];
  const { type, source, role } = value;
  const here = slot === 'result' || type === 'tool_result' || type === 'function_call_output' || role === 'tool' ? 'result' : 'user';
  const own = (kind: string, carrier: string): string[] => [`${here} ${kind} ${carrier}`];
  if ((type === 'image' || type === 'document') && isRecord(source))
    return source['type'] === 'text' ? [] : own(type, source['type'] === 'base64' ? 'inline' : String(source['type']));
  if (type === 'image_url' || type === 'document_url') {
    const given: unknown = value[type];
    return own(type === 'image_url' ? 'image' : 'document', outside(given));
  }
  if (type === 'input_audio') return own('audio', 'inline');
  if (type === 'file' && isRecord(value['file'])) return own('document', value['file']['file_id'] ? 'file' : 'inline');
  if (type === 'input_image') return own('image', value['file_id'] ? 'file' : outside(value['image_url']));
  if (type === 'input_file') return own('document', value['file_id'] ? 'file' : value['file_url'] ? 'url' : 'inline');
  return Object.entries(value).flatMap(([key, one]) => {
    if (/^inline_?data$/i.test(key) && isRecord(one)) return own(kindOfType(one['mimeType'] ?? one['mime_type']), 'inline');
    if (/^file_?data$/i.test(key) && isRecord(one)) {
      const isFile = /googleapis\.com\/v1beta\/files|^gs:/.test(String(one['fileUri'] ?? one['file_uri']));
      return own(kindOfType(one['mimeType'] ?? one['mime_type']), isFile ? 'file' : 'url');
    }
    if (isRecord(one) && 'format' in one && isRecord(one['source'])) return own(key, 's3Location' in one['source'] ? 'file' : 'inline');
    return mediaIn(one, here === 'result' || /^tool_?result$|^function_?response$/i.test(key) ? 'result' : 'user');
  });
} // prettier-ignore

const shows = /kiwi|rose|flower|fruit|dummy|sample|rabbit|bunny|pdf/i;

test.skipIf(manifest === undefined)('the recordings that are at hand say what the rows say', () => {
  const listed = JSON.parse(readFileSync(manifest ?? '', 'utf8')) as { file: string; expect: { provider?: string } }[];
  const found = new Map<string, { answered: boolean; seen: boolean }>();
  for (const { file, expect: about } of listed.filter((one) => one.file.startsWith('wire/'))) {
    const model = modelBy[about.provider ?? ''];
    if (model === undefined) continue;
    const { exchanges } = JSON.parse(readFileSync(sharedFile(`corpora/${file}`) ?? '', 'utf8')) as { exchanges: { request: unknown; response: unknown; status: number }[] };
    for (const { request, response, status } of exchanges)
      for (const place of new Set(mediaIn(request, 'user'))) {
        const before = found.get(`${model} ${place}`) ?? { answered: false, seen: false };
        const answered = status === 200;
        found.set(`${model} ${place}`, { answered: before.answered || answered, seen: before.seen || (answered && shows.test(JSON.stringify(response))) });
      }
  }
  expect(found.size).toBeGreaterThan(50);
  const missing = [...found.keys()].filter((name) => !rows.has(name));
  expect(missing).toEqual([]);
  const wrong = [...found].filter(([name, { answered }]) => (rows.get(name)?.answered ?? 0) > 0 !== answered);
  expect(wrong.map(([name]) => name)).toEqual([]);
}); // prettier-ignore
