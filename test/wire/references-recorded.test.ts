// Requests that providers were really sent, with media by address or by id: read, planned and written again for the same
// endpoint. What was seen goes as it came; whatever does not has a receipt.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { headerIntake } from '../../src/content/header-intake.ts';
import { isRecord } from '../../src/content/json.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { resolveTranscript } from '../../src/message/check-transcript.ts';
import type { WireName } from '../../src/window/catalog.ts';
import { planAsIs } from '../../src/window/plan-as-is.ts';
import { profileFor } from '../../src/window/profile.ts';
import { wires } from '../../src/wire/registry.ts';
import { sharedFile } from '../judge/shared-folder.ts';

const intake = headerIntake({ assets: memoryAssets() });

/** The addresses and ids of media that stand in a body, in the order of the body. */
function placesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(placesIn);
  if (!isRecord(value)) return [];
  const { type, url, file_id, image_url, file_url } = value;
  const file = isRecord(value['file']) ? value['file']['file_id'] : undefined;
  const data = value['fileData'] ?? value['file_data'];
  const uri = isRecord(data) ? (data['fileUri'] ?? data['file_uri']) : undefined;
  const nested = isRecord(image_url) ? image_url['url'] : image_url;
  const isHeld = type === 'container_upload'; // a file for a sandbox, not for the model's eyes
  const own = type === 'url' ? [url] : isHeld ? [] : [file_id, file, file_url, uri, nested];
  const found = own.filter((one): one is string => typeof one === 'string' && /^(?:https?:|gs:|file[-_])/.test(one));
  const inner = Object.entries(value).filter(([key]) => key !== 'file' && key !== 'image_url').map(([, one]) => one); // prettier-ignore
  return [...found, ...inner.flatMap(placesIn)];
}

/** The name of the model, which Gemini has in the address. */
function idOf({ model }: Record<string, unknown>, url: string): string {
  return typeof model === 'string' ? model : (/models\/([^:]+):/.exec(url)?.[1] ?? '');
}

type Recorded = { wire: WireName; model: string; body: Record<string, unknown>; from: string };

const endpoints: Partial<Record<string, { wire: WireName; endpoint: string }>> = {
  'api.anthropic.com': { wire: 'anthropic-messages', endpoint: 'anthropic' },
  'api.openai.com/v1/chat': { wire: 'openai-chat', endpoint: 'openai-chat' },
  'api.openai.com/v1/responses': { wire: 'openai-responses', endpoint: 'openai' },
  'generativelanguage.googleapis.com': { wire: 'gemini', endpoint: 'gemini' },
  'api.groq.com': { wire: 'openai-chat', endpoint: 'groq' },
  'api.mistral.ai': { wire: 'openai-chat', endpoint: 'mistral' },
};

const manifest = sharedFile('corpora/manifest.json');

/** The requests of the recorded matrix that hold references, by the endpoint they went to. */
function recordings(): (Recorded & { status: number })[] {
  const rows = JSON.parse(readFileSync(manifest ?? '', 'utf8')) as { file: string }[];
  return rows
    .filter(({ file }) => /^wire\/.*(?:url|uploaded_file)/.test(file))
    .flatMap(({ file }) => {
      const { exchanges } = JSON.parse(readFileSync(sharedFile(`corpora/${file}`) ?? '', 'utf8')) as {
        exchanges: { url: string | null; request: Record<string, unknown>; status: number }[];
      };
      return exchanges.flatMap(({ url, request, status }) => {
        const known = Object.entries(endpoints).find(([host]) => url?.includes(host))?.[1];
        if (!known || placesIn(request).length === 0) return [];
        const id = idOf(request, url ?? '');
        return [{ wire: known.wire, model: `${known.endpoint}/${id}`, body: request, from: file, status }];
      });
    });
}

/** Whether an id stands inside a function response, where nobody sees what it leads to. */
function heldInResponses(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(heldInResponses);
  if (!isRecord(value)) return false;
  const response = value['functionResponse'];
  return isRecord(response)
    ? JSON.stringify(response).includes('"fileData"')
    : Object.values(value).some(heldInResponses);
}

async function again({ wire, model, body }: Recorded): Promise<{ places: string[]; lost: number; unseen: boolean }> {
  const profile = profileFor(model);
  const read = wires[wire].accept(body, { endpoint: profile.endpoint, model: profile.id });
  if (!read.ok) throw new Error(read.refusal.what);
  const { transcript } = await resolveTranscript(read.value.transcript, intake);
  const { plan, receipts } = planAsIs({ transcript, profile, urls: { pass: 'all', fetch: false } });
  const written: unknown = wires[wire].encode(plan).skeleton;
  return {
    places: placesIn(written),
    lost: receipts.filter(({ place }) => place === 'words').length,
    unseen: heldInResponses(written),
  };
}

test.skipIf(manifest === undefined)(
  'every recorded reference that was seen goes as it came; the rest is told',
  async () => {
    const found = recordings();
    expect(found.length).toBeGreaterThan(15);
    const lost: string[] = [];
    for (const one of found) {
      const before = placesIn(one.body[wires[one.wire].places.items]);
      const { places, lost: told, unseen } = await again(one);
      expect({ from: one.from, unseen }).toEqual({ from: one.from, unseen: false });
      const missing = before.filter((place) => !places.includes(place));
      expect({ from: one.from, told }).toEqual({ from: one.from, told: missing.length });
      if (missing.length > 0) lost.push(`${one.from} ${one.model}`);
    }
    expect(lost).toEqual([]);
  },
);

test.skipIf(manifest === undefined)('the same holds for every other recorded request', async () => {
  const seen: Record<string, number> = {};
  for (const [wire, endpoint] of [
    ['anthropic-messages', 'anthropic'],
    ['openai-chat', 'openai-chat'],
    ['openai-responses', 'openai'],
    ['gemini', 'gemini'],
  ] as const) {
    const lines = readFileSync(sharedFile(`corpora/exchanges/${wire}.jsonl`) ?? '', 'utf8').split('\n');
    for (const line of lines.filter((text) => /"(?:url|file_id|file_url|fileUri|image_url)"/.test(text))) {
      const { path, request, status } = JSON.parse(line) as { path: string; request: { json?: Record<string, unknown> }; status: number }; // prettier-ignore
      const body = request.json;
      if (!body || status !== 200 || !wires[wire].route.match(new URL(path, 'https://x.test'))) continue;
      const id = idOf(body, path);
      if (/mistral|pixtral|llama|gpt-3/.test(id) || placesIn(body[wires[wire].places.items]).length === 0) continue;
      const { places, lost } = await again({ wire, model: `${endpoint}/${id}`, body, from: path });
      const before = placesIn(body[wires[wire].places.items]);
      const missing = before.filter((place) => !places.includes(place));
      expect({ id, missing, lost }).toEqual({ id, missing, lost: Math.max(lost, missing.length) });
      seen[wire] = (seen[wire] ?? 0) + before.length - missing.length;
    }
  }
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
  console.warn(JSON.stringify(seen));
});

if (manifest === undefined)
  console.warn('recorded references skipped: set SIGHTLINE_SHARED to the folder with corpora');
