// A request of a real client without the client's words: prompts and descriptions belong to whoever wrote them, the shape
// around them is what a gateway has to know. Media stand as names of files in `examples/`.
import { readFileSync, writeFileSync } from 'node:fs';
import { isRecord, parsed } from '../../src/content/json.ts';
import type { ClientRequest } from './front.ts';

const words = 'Words of the client.';
const ours = /^(?:How did we do\?|I look at page|Let me look at page|Sales rose)/;
/** Names, numbers, paths and patterns: whatever has no gap between words. */
const bare = /^\S{0,120}$/;
const media: [name: string, base64: string][] = ['chart.png', 'report.pdf'].map((name) => [
  name,
  readFileSync(`examples/${name}`).toString('base64'),
]);
/** What tells the server something, and no more. */
const kept = new Set([
  'anthropic-version',
  'anthropic-beta',
  'content-type',
  'user-agent',
  'session-id',
  'x-session-id',
]);

/** Keeps the longest request of a conversation, which holds all before it. */
export function writeShape(client: string, asked: readonly ClientRequest[]): void {
  const longest = asked.toSorted((one, other) => other.body.length - one.body.length)[0];
  if (!longest) return;
  const { path, headers, body } = longest;
  const shape = {
    path,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => kept.has(name))),
    body: shaped(JSON.parse(body)),
  };
  writeFileSync(`test/fixtures/clients/${client}.json`, `${nameless(JSON.stringify(shape, undefined, 1))}\n`);
}

function shaped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shaped);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shaped(inner)]));
  return typeof value === 'string' ? shapedText(value) : value;
}

function shapedText(text: string): string {
  for (const [name, base64] of media)
    if (text.includes(base64)) return shapedText(text.replaceAll(base64, `{{${name}}}`));
  const json = /^[[{]/.test(text) ? parsed(text) : undefined;
  if (json !== undefined) return JSON.stringify(shaped(json));
  const made = /^(data:image\/\w+;base64,)?[\w+/]{400,}={0,2}$/.exec(text); // a picture that the client drew anew
  if (made) return `${made[1] ?? ''}{{chart.png}}`;
  if (text.startsWith('x-anthropic-billing-header:')) return 'x-anthropic-billing-header: cc_version=1;';
  return ours.test(text) || bare.test(text) ? text : words;
}

/** Neither who ran it, nor where and when. */
function nameless(text: string): string {
  return text
    .replaceAll(/\/tmp\/sightline-clients-\w+(?:\/work)?/g, '/somewhere')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '0'.repeat(64));
}
