// Media by reference: where each API was seen to show them in recorded traffic, and that nothing else is ever chosen.
import { expect, test } from 'vitest';
import type { MediaKind, Reference, ReferenceBlock } from '../../src/content/block.ts';
import type { Transcript } from '../../src/message/message.ts';
import { plan } from '../../src/window/plan.ts';
import type { PlanInput, PlanResult } from '../../src/window/plan.ts';
import { profileFor } from '../../src/window/profile.ts';
import type { Receipt } from '../../src/window/receipt.ts';
import { wires } from '../../src/wire/registry.ts';

type Slot = 'result' | 'user';
type Place = 'inside' | 'after' | 'words';

function reference(kind: MediaKind, at: Reference, more: Partial<ReferenceBlock> = {}): ReferenceBlock {
  return { type: 'reference', kind, at, ...more };
}

function transcriptOf(block: ReferenceBlock, slot: Slot, isError = false): Transcript {
  if (slot === 'user') return { version: 1, messages: [{ role: 'user', content: [block] }] };
  return {
    version: 1,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Get the file.' }] },
      { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'call_0001', name: 'get_file', input: {} }] },
      { role: 'tool', callId: 'call_0001', name: 'get_file', content: [block], ...(isError && { isError }) },
    ],
  };
}

type Done = Extract<PlanResult, { plan: object }>;

function planned(model: string, transcript: Transcript, more: Partial<PlanInput> = {}): Done {
  const result = plan({ transcript, profile: profileFor(model), urls: { pass: 'all', fetch: false }, ...more });
  if (!result.plan) throw new Error('there is no plan');
  return result;
}

function receiptOf(result: Done): Receipt {
  const found = result.receipts.find(({ place }) => place !== undefined);
  if (!found) throw new Error('there is no receipt');
  return found;
}

const address = 'https://files.example.com/kiwi.png';

/** What recorded traffic shows: 218 media in 98 rows. `never`: taken with 200 and unseen, refused, or without a field. */
const recorded: [model: string, slot: Slot, kind: MediaKind, carrier: 'url' | 'file', place: Place][] = [
  ['anthropic/claude-sonnet-4-5', 'result', 'image', 'url', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'result', 'document', 'url', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'result', 'image', 'file', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'result', 'document', 'file', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'user', 'image', 'url', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'user', 'document', 'url', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'user', 'image', 'file', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'user', 'document', 'file', 'inside'],
  ['anthropic/claude-sonnet-4-5', 'user', 'audio', 'file', 'words'],
  ['openai/gpt-5', 'result', 'image', 'url', 'inside'],
  ['openai/gpt-5', 'result', 'document', 'url', 'inside'],
  ['openai/gpt-5', 'result', 'image', 'file', 'inside'],
  ['openai/gpt-5', 'result', 'document', 'file', 'inside'],
  ['openai/gpt-5', 'user', 'image', 'url', 'inside'],
  ['openai/gpt-5', 'user', 'document', 'file', 'inside'],
  ['openai/gpt-5', 'user', 'audio', 'file', 'words'],
  ['openai/gpt-5', 'user', 'video', 'url', 'words'],
  ['openai-chat/gpt-5', 'result', 'image', 'url', 'after'],
  ['openai-chat/gpt-5', 'result', 'document', 'file', 'after'],
  ['openai-chat/gpt-5', 'user', 'image', 'url', 'inside'],
  ['openai-chat/gpt-5', 'user', 'document', 'file', 'inside'],
  ['openai-chat/gpt-5', 'user', 'document', 'url', 'words'],
  ['openai-chat/gpt-5', 'user', 'image', 'file', 'words'],
  ['gemini/gemini-3-flash-preview', 'result', 'image', 'file', 'after'],
  ['gemini/gemini-3-flash-preview', 'result', 'document', 'file', 'after'],
  ['gemini/gemini-3-flash-preview', 'result', 'image', 'url', 'words'],
  ['gemini/gemini-3-flash-preview', 'user', 'image', 'file', 'inside'],
  ['gemini/gemini-3-flash-preview', 'user', 'document', 'file', 'inside'],
  ['gemini/gemini-3-flash-preview', 'user', 'audio', 'file', 'inside'],
  ['gemini/gemini-3-flash-preview', 'user', 'video', 'file', 'inside'],
  ['gemini/gemini-2.5-flash', 'result', 'image', 'file', 'after'],
  ['gemini/gemini-2.5-flash', 'user', 'image', 'file', 'inside'],
  ['gemini/gemini-2.5-flash', 'user', 'document', 'file', 'inside'],
  ['gemini/gemini-2.5-flash', 'user', 'audio', 'file', 'inside'],
  ['gemini/gemini-2.5-flash', 'user', 'video', 'file', 'inside'],
  ['groq/meta-llama/llama-4-scout-17b-16e-instruct', 'user', 'image', 'url', 'inside'],
  ['groq/meta-llama/llama-4-scout-17b-16e-instruct', 'result', 'image', 'url', 'after'],
  ['groq/meta-llama/llama-4-scout-17b-16e-instruct', 'user', 'document', 'url', 'words'],
  ['mistral/mistral-medium-latest', 'user', 'image', 'url', 'inside'],
  ['mistral/mistral-medium-latest', 'user', 'audio', 'url', 'words'],
  ['mistral/mistral-medium-latest', 'user', 'document', 'url', 'inside'],
  ['mistral/mistral-medium-latest', 'result', 'document', 'url', 'after'],
  ['vertex/gemini-3-flash-preview', 'result', 'image', 'file', 'inside'],
  ['vertex/gemini-3-flash-preview', 'result', 'document', 'file', 'inside'],
  ['vertex/gemini-3-flash-preview', 'result', 'document', 'url', 'inside'],
  ['vertex/gemini-3-flash-preview', 'result', 'image', 'url', 'words'],
  ['vertex/gemini-3-flash-preview', 'user', 'image', 'url', 'words'],
  ['vertex/gemini-3-flash-preview', 'user', 'audio', 'url', 'inside'],
  ['vertex/gemini-3-flash-preview', 'user', 'video', 'url', 'inside'],
  ['vertex/gemini-3-flash-preview', 'user', 'video', 'file', 'inside'],
  ['vertex-claude/claude-sonnet-4-5', 'user', 'image', 'url', 'words'],
  ['bedrock-claude/anthropic.claude-opus-4-7', 'result', 'image', 'url', 'words'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'result', 'image', 'file', 'inside'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'result', 'document', 'file', 'after'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'result', 'video', 'file', 'after'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'user', 'image', 'file', 'inside'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'user', 'document', 'file', 'inside'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'user', 'video', 'file', 'inside'],
  ['bedrock/us.amazon.nova-2-lite-v1:0', 'user', 'image', 'url', 'words'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'result', 'image', 'file', 'words'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'result', 'document', 'file', 'words'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'user', 'image', 'file', 'words'],
  ['bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'user', 'video', 'file', 'words'],
  ['azure/gpt-5', 'user', 'image', 'url', 'words'],
  ['ollama/llava', 'user', 'image', 'url', 'words'],
  ['compatible/llava', 'user', 'image', 'url', 'words'],
];

test.each(recorded)('%s, %s: %s by %s is placed where it was seen (%s)', (model, slot, kind, carrier, place) => {
  const { files = 'nobody' } = profileFor(model);
  const at = carrier === 'url' ? { url: address } : { file: { endpoint: files, id: 'file_0123456789' } };
  const result = planned(model, transcriptOf(reference(kind, at), slot));
  const receipt = receiptOf(result);
  expect([receipt.place, receipt.carrier]).toEqual([place, place === 'words' ? undefined : carrier]);
  const named = 'url' in at ? at.url : at.file.id;
  const body = JSON.stringify(wires[result.plan.profile.wire].encode(result.plan).skeleton);
  expect(body.includes(named)).toBe(place !== 'words');
});

test('an error result of Anthropic holds words alone: the reference follows it', () => {
  const block = reference('image', { url: address });
  expect(receiptOf(planned('anthropic/claude-sonnet-5', transcriptOf(block, 'result', true))).place).toBe('after');
});

test.each([
  ['anthropic', 'openai/gpt-5'],
  ['openai', 'anthropic/claude-sonnet-5'],
  ['anthropic', 'gemini/gemini-3-flash-preview'],
  ['gemini', 'anthropic/claude-sonnet-5'],
  ['anthropic', 'openrouter/anthropic/claude-sonnet-5'],
])('an id of %s never goes to %s, and a receipt says whose it is', (endpoint, model) => {
  const block = reference('image', { file: { endpoint, id: 'file_secret_0123' } }, { name: 'kiwi.png' });
  const result = planned(model, transcriptOf(block, 'user'));
  const { place, why, subject } = receiptOf(result);
  expect(place).toBe('words');
  expect(why).toContain(`its id belongs to ${endpoint}`);
  const body = JSON.stringify(wires[result.plan.profile.wire].encode(result.plan).skeleton);
  expect(body).not.toContain('file_secret_0123');
  expect(`${subject} ${JSON.stringify(result.receipts)}`).not.toContain('file_secret_0123');
});

const owned = (endpoint: string): ReferenceBlock => reference('document', { file: { endpoint, id: 'file-1234567' } });

test('both APIs of OpenAI share their files, and the names of an AI SDK provider mean its endpoint', () => {
  expect(receiptOf(planned('openai-chat/gpt-5', transcriptOf(owned('openai'), 'user'))).place).toBe('inside');
  expect(receiptOf(planned('openai/gpt-5', transcriptOf(owned('openai.responses'), 'user'))).place).toBe('inside');
  expect(receiptOf(planned('gemini/gemini-2.5-pro', transcriptOf(owned('google'), 'user'))).place).toBe('inside');
});

test.each([
  ['http://example.com/a.png', 'only https'],
  ['https://127.0.0.1/a.png', 'not public'],
  ['https://2130706433/a.png', 'not public'],
  ['https://[::1]/a.png', 'not public'],
  ['https://8.8.8.8/a.png', 'not public'],
  ['https://localhost/a.png', 'not public'],
  ['https://printer.local/a.png', 'not public'],
  ['https://metadata.google.internal/a.png', 'not public'],
  ['https://me:pw@example.com/a.png', 'name or password'],
  ['https://s3.amazonaws.com/b/a.png?X-Amz-Signature=abc', 'carries a key'],
  ['https://storage.googleapis.com/b/a.png?x-goog-signature=abc', 'carries a key'],
  ['https://acc.blob.core.windows.net/a.png?sv=1&sig=abc', 'carries a key'],
  ['https://cdn.example.com/a.png?Expires=1&Signature=2', 'carries a key'],
  ['https://gitlab.example.com/a/-/raw/main/a.png?private_token=abc', 'carries a key'],
  ['https://api.example.com/a.png?subscription-key=abc', 'carries a key'],
  ['https://api.example.com/a.png?client_secret=abc', 'carries a key'],
])('%s is never passed on', (url, why) => {
  const result = planned('anthropic/claude-sonnet-5', transcriptOf(reference('image', { url }), 'user'));
  const receipt = receiptOf(result);
  expect(receipt.place).toBe('words');
  expect(receipt.why).toContain(why);
  const told = JSON.stringify([result.plan.items, result.receipts]);
  for (const secret of ['abc', 'me:pw', 'Signature=2']) expect(told).not.toContain(secret);
});

test('words of a query that only sound like a key hold none', () => {
  const url = 'https://example.com/a.png?author=ada&keyword=sales&monkey=1&design=2&tokens=3';
  const result = planned('anthropic/claude-sonnet-5', transcriptOf(reference('image', { url }), 'user'));
  expect(receiptOf(result).place).toBe('inside');
});

test('addresses of tools pass only when all may, those of the user unless none may', () => {
  const block = reference('image', { url: address });
  const place = (slot: Slot, pass: 'never' | 'user' | 'all'): string | undefined =>
    receiptOf(planned('anthropic/claude-sonnet-5', transcriptOf(block, slot), { urls: { pass, fetch: false } })).place;
  expect([place('user', 'never'), place('user', 'user'), place('user', 'all')]).toEqual(['words', 'inside', 'inside']);
  expect([place('result', 'never'), place('result', 'user'), place('result', 'all')]).toEqual([
    'words',
    'words',
    'inside',
  ]);
});

const placeOfFilm = (url: string): string | undefined =>
  receiptOf(planned('gemini/gemini-2.5-pro', transcriptOf(reference('video', { url }), 'user'))).place;

test('Gemini takes addresses of YouTube as films, and no others', () => {
  expect(placeOfFilm('https://youtu.be/lCdaVNyHtjU')).toBe('inside');
  expect(placeOfFilm('https://www.youtube.com/watch?v=lCdaVNyHtjU')).toBe('inside');
  expect(placeOfFilm('https://notyoutube.com/watch?v=lCdaVNyHtjU')).toBe('words');
});

test('pages of a document at an address cannot be asked for without fetching it', () => {
  const block = reference('document', { url: 'https://example.com/a.pdf' }, { range: [0, 2] });
  const receipt = receiptOf(planned('anthropic/claude-sonnet-5', transcriptOf(block, 'user')));
  expect([receipt.place, receipt.why]).toEqual(['words', 'some of its pages are asked for, so it has to be fetched']);
});

test('a fetched picture goes the way of all pictures, and its receipt says so', () => {
  const block = reference('image', { url: 'http://example.com/a.png' });
  const input = { urls: { pass: 'all', fetch: true } } as const;
  const first = plan({ transcript: transcriptOf(block, 'user'), profile: profileFor('openai/gpt-5'), ...input });
  expect(first.needs).toEqual([{ to: 'bytes', url: 'http://example.com/a.png', reference: block }]);
  const asset = { id: `sha256:${'a'.repeat(64)}`, mediaType: 'image/png', size: 1000 } as const;
  const facts = new Map([
    [
      'http://example.com/a.png bytes',
      { ok: true as const, value: [{ type: 'image' as const, asset, width: 10, height: 10 }] },
    ],
  ]);
  const receipt = receiptOf(planned('openai/gpt-5', transcriptOf(block, 'user'), { ...input, facts }));
  expect([receipt.action, receipt.place, receipt.carrier]).toEqual(['fetched', 'inside', 'inline']);
});

test('what nobody has measured counts as large, and as a picture', () => {
  const block = reference('image', { url: address });
  const { totals, receipts } = planned('anthropic/claude-sonnet-5', transcriptOf(block, 'user'));
  expect(totals.used.images).toBe(1);
  expect(receipts[0]?.tokens).toBeGreaterThan(1000);
  expect(receipts[0]?.bytes).toBe(address.length + 2);
});

test('a reference stays where it is from turn to turn, and a refused one goes down', () => {
  const block = reference('image', { url: address });
  const transcript = transcriptOf(block, 'user');
  const first = planned('anthropic/claude-sonnet-5', transcript);
  const again = planned('anthropic/claude-sonnet-5', transcript, { ledger: first.ledger });
  expect(again.plan.items).toEqual(first.plan.items);
  const lower = new Set([`url:${address}` as const]);
  const refused = planned('anthropic/claude-sonnet-5', transcript, { ledger: first.ledger, lower });
  expect(receiptOf(refused).place).toBe('words');
  const later = planned('anthropic/claude-sonnet-5', transcript, { ledger: refused.ledger });
  expect(later.plan.items).toEqual(refused.plan.items);
});
