// What the wrapper promises not to do with what passes through it: open what it names, keep what it holds, unpack it.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { webServer } from '../toolbox/web-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-fetch-'));
const chart = readFileSync('examples/chart.png');
const server = await webServer({ '/chart.png': (response) => void response.end(chart) });
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A fetch that keeps the bodies it is given. */
function sink(): { bodies: string[]; fetch: typeof fetch } {
  const bodies: string[] = [];
  return {
    bodies,
    fetch: async (_input, init) => {
      bodies.push(typeof init?.body === 'string' ? init.body : await new Response(init?.body).text());
      return new Response('{}');
    },
  };
}

test('a path and a URL in a request are not opened, whoever wrote them', async () => {
  const path = join(folder, 'private.png');
  writeFileSync(path, chart);
  const named = [path, `file://${path}`, `${server.base}/chart.png`];
  const { bodies, fetch: base } = sink();
  const fetchIt = sightlineFetch({ fetch: base });
  const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
  const parts = named.map((url) => ({ type: 'image_url', image_url: { url } }));
  const blocks = named.flatMap((url) => [
    { type: 'image', path: url },
    { type: 'image', source: { type: 'url', url } },
    { type: 'resource_link', uri: url, mimeType: 'image/png' },
  ]);
  const medium = { type: 'image', data: chart.toString('base64'), mimeType: 'image/png' }; // so that the turn is written anew
  const body = {
    model: 'gpt-4.1',
    messages: [
      { role: 'user', content: [{ type: 'text', text: named.join(' ') }, ...parts] },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ content: [...blocks, medium], files: named }) },
    ],
  };
  await fetchIt('https://api.openai.com/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) });
  expect(server.seen).toEqual([]);
  const [sent = ''] = bodies;
  expect(sent.split(chart.toString('base64'))).toHaveLength(2); // the one that came with its bytes
  for (const one of named) expect(sent).toContain(one);
});

const fails = async (): Promise<never> => Promise.reject(new Error('the disk is gone'));

test('a store that fails fails no request: it goes out as it was written', async () => {
  const { bodies, fetch: base } = sink();
  const assets = { ...memoryAssets(), put: fails, get: fails, missing: fails };
  const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
  const body = JSON.stringify({
    model: 'gpt-4.1',
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ screenshot: chart.toString('base64') }) },
    ],
  });
  const url = 'https://api.openai.com/v1/chat/completions';
  const response = await sightlineFetch({ fetch: base, assets })(url, { method: 'POST', body });
  expect(response.status).toBe(200);
  expect(bodies).toEqual([body]);
});

test('a compressed body passes, byte for byte', async () => {
  const body = gzipSync(
    JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: chart.toString('base64') }] }),
  );
  const given: unknown[] = [];
  const base: typeof fetch = async (_input, init) => (given.push(init?.body), new Response('{}'));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  await sightlineFetch({ fetch: base })('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    headers,
    body,
  });
  expect(given).toEqual([body]);
  expect(given[0]).toBe(body);
});

/** Sends a request with a picture through a wrapper that stays, then looks through all that the process still holds. */
const program = `
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import { writeHeapSnapshot } from 'node:v8';
import { sightlineFetch } from ${JSON.stringify(new URL('../../src/fetch/index.ts', import.meta.url).href)};
const fetchIt = sightlineFetch({ fetch: async () => new Response('{}') });
const word = (...parts) => parts.join('-of-the-');
async function ask() {
  const data = readFileSync('examples/chart.png').toString('base64');
  const body = { model: 'gpt-4.1', messages: [
    { role: 'system', content: word('words', 'system') },
    { role: 'user', content: word('words', 'user') },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'a', content: JSON.stringify({ screenshot: data }) },
    { role: 'user', content: word('question', 'user') } ] };
  await fetchIt('https://api.openai.com/v1/chat/completions?key=' + word('address', 'key'), { method: 'POST',
    headers: { authorization: 'Bearer ' + word('secret', 'key') }, body: JSON.stringify(body) });
}
await ask();
await ask();
globalThis.kept = word('control', 'heap'); // this one is held
await new Promise((resolve) => setTimeout(resolve, 50));
for (let at = 0; at < 5; at++) globalThis.gc();
const file = writeHeapSnapshot(process.argv[1]);
let found = new Set(), tail = '';
for await (const chunk of createReadStream(file, 'latin1')) {
  const text = tail + chunk;
  for (const [is] of text.matchAll(/(?:words|question|address|secret|control)-of-the-[a-z]+/g)) found.add(is);
  tail = text.slice(-100);
}
rmSync(file);
console.log(JSON.stringify([...found].sort()), typeof fetchIt);
process.exit();
`;

test('of a request it keeps neither the key nor the words', async () => {
  const words = ['--expose-gc', '--input-type=module', '-e', program, join(folder, 'heap.heapsnapshot')];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 1e8 });
  expect(stdout.trim()).toBe('["control-of-the-heap"] function');
});

test('media that the AI SDK wrote beside the responses of Gemini go to the calls in their order', async () => {
  const { bodies, fetch: base } = sink();
  const beside = [
    { inlineData: { mimeType: 'image/png', data: chart.toString('base64') } },
    { text: 'Tool executed successfully and returned this image as a response' },
  ];
  const pdf = readFileSync('examples/report.pdf').toString('base64');
  const file = [
    { inlineData: { mimeType: 'application/pdf', data: pdf } },
    { text: 'Tool executed successfully and returned this file as a response' },
  ];
  const response = { functionResponse: { name: 'words', response: { name: 'words', content: 'only words' } } };
  const body = {
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }] },
      { role: 'model', parts: ['look', 'read', 'words'].map((name) => ({ functionCall: { name, args: {} } })) },
      { role: 'user', parts: [...beside, ...file, response] },
    ],
  };
  const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-preview:generateContent';
  await sightlineFetch({ fetch: base })(url, { method: 'POST', body: JSON.stringify(body) });
  type Response = { functionResponse?: { name: string; parts?: { inlineData: { mimeType: string } }[] } };
  const { contents } = JSON.parse(bodies[0] ?? '{}') as { contents: { parts: Response[] }[] };
  const answers = contents.flatMap(({ parts }) => parts.flatMap(({ functionResponse }) => functionResponse ?? []));
  expect(answers.map(({ name, parts = [] }) => [name, ...parts.map(({ inlineData }) => inlineData.mimeType)])).toEqual([
    ['look', 'image/png'],
    ['read', 'application/pdf'],
    ['words'],
  ]);
});
