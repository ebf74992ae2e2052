// Who may name a file: the program, not what a tool returned and not what stands in a text.
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defineTool, memoryAssets, prepare } from '../../src/index.ts';
import { openIntake } from '../../src/media/index.ts';
import { normaliseResult } from '../../src/tool/normalise.ts';
import { pdfSaying } from '../media/make.ts';

const root = mkdtempSync(join(tmpdir(), 'sightline-paths-'));
mkdirSync(join(root, 'inside'));
writeFileSync(join(root, 'secret.pdf'), pdfSaying('secret'));
writeFileSync(join(root, 'inside', 'report.pdf'), pdfSaying('report'));

const call = { role: 'assistant', content: [{ type: 'call', id: 'c1', name: 'open', input: {} }] } as const;

function requestWith(path: string) {
  const answer = { role: 'tool', callId: 'c1', name: 'open', content: [{ type: 'document', path }] } as const;
  const messages = [{ role: 'user', content: 'go' } as const, call, answer];
  return prepare(
    { messages },
    { model: 'anthropic/claude-sonnet-4-5', assets: memoryAssets(), base: join(root, 'inside') },
  );
}

test('a tool result may name a file below the folder where paths begin', async () => {
  expect((await requestWith('report.pdf')).troubles).toEqual([]);
});

test.each(['../secret.pdf', join(root, 'secret.pdf')])('a tool result may not name %s beside it', async (path) => {
  const { troubles } = await requestWith(path);
  expect(troubles).toMatchObject([{ message: 2, refusal: { code: 'not-allowed' } }]);
});

test.each([
  ['a string of JSON', JSON.stringify({ nodes: [{ type: 'document', path: 'secret.pdf' }] })],
  ['a string that is a block', JSON.stringify({ type: 'document', path: 'secret.pdf' })],
  ['data', { nodes: [{ type: 'document', path: 'secret.pdf', id: 7 }] }],
])('a path inside %s is only words', async (_what, value) => {
  const intake = openIntake({ assets: memoryAssets(), base: root, roots: [root] });
  const result = await normaliseResult(value, intake);
  expect(result.content.map(({ type }) => type)).toEqual(['text']);
  expect(JSON.stringify(result.content)).toContain('secret.pdf');
});

test('a request without messages is refused', async () => {
  await expect(prepare({ messages: [] }, { model: 'openai/gpt-5.2' })).rejects.toThrow('no messages');
});

test('a tool whose input is a union at its top is refused where it is defined', () => {
  const input = { anyOf: [{ type: 'object' }, { type: 'object' }] };
  expect(() => defineTool({ name: 'pick', description: '', input, run: () => '' })).toThrow('union');
});

test('a conversation that ends with the assistant gets a word of the user behind it, with a receipt', async () => {
  const messages = [{ role: 'user', content: 'go' } as const, { role: 'assistant', content: 'Well,' } as const];
  const request = await prepare({ messages }, { model: 'anthropic/claude-sonnet-4-5' });
  expect((await request.json()).messages.at(-1)?.role).toBe('user');
  expect(request.receipts.map(({ action }) => action)).toContain('repaired');
});
