import { expect, test } from 'vitest';
import { z } from 'zod';
import { boundedFetch } from '../../src/mcp/bounded-fetch.ts';
import { inputSchemaOf } from '../../src/mcp/input-schema.ts';
import { boundedLines } from '../../src/mcp/lines.ts';
import { toolName } from '../../src/mcp/name.ts';
import { allowedRoots } from '../../src/mcp/roots.ts';
import { newSessions } from '../../src/mcp/sessions.ts';
import { checkJsonSchema } from '../../src/tool/schema.ts';

const mebibyte = 1 << 20;

function flood(contentType: string, chunk: string): () => Promise<Response> {
  const bytes = new TextEncoder().encode(chunk);
  return async () => {
    let left = 40;
    const body = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(bytes) : controller.close()),
    });
    return new Response(body, { headers: { 'content-type': contentType } });
  };
}

const long = 'x'.repeat(100_000);
const answers: [what: string, contentType: string, chunk: string, fits: boolean][] = [
  ['a body above the bound', 'application/json', long, false],
  ['one event above the bound', 'text/event-stream', `data: ${long}\n`, false],
  ['many events below it', 'text/event-stream', `data: ${long}\n\n`, true],
  ['many events with Windows line ends', 'text/event-stream', `data: ${long}\r\n\r\n`, true],
];

test.each(answers)('%s: an answer over HTTP may hold 1 MiB at a time', async (_what, contentType, chunk, fits) => {
  const response = await boundedFetch(mebibyte, flood(contentType, chunk))('http://127.0.0.1/');
  const read = response.text();
  if (fits) expect(await read).toHaveLength(chunk.length * 40);
  else await expect(read).rejects.toThrow('it sent a message of more than 1 MiB');
});

test('lines are the same in any chunking, and one that is too long ends them', () => {
  const text = 'first\r\n\n{"ü":"😀"}\nlast\n';
  const bytes = Buffer.from(text);
  for (let size = 1; size <= bytes.length; size++) {
    const lines: string[] = [];
    const take = boundedLines(100, { line: (line) => lines.push(line.trim()), tooLong: () => lines.push('too long') });
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    expect(lines).toEqual(['first', '{"ü":"😀"}', 'last']);
    take(Buffer.from('x'.repeat(101)));
    take(Buffer.from('\nmore\n'));
    expect(lines).toEqual(['first', '{"ü":"😀"}', 'last', 'too long']);
  }
});

test('sessions are bounded: the one that was used least recently makes room', async () => {
  let count = 0;
  const closed: string[] = [];
  const sessions = newSessions(async (opened) => {
    const id = `s${count++}`;
    return {
      handle: async () => {
        opened(id);
        return new Response(id);
      },
      close: async () => void closed.push(id),
    };
  });
  const ask = (id?: string): Promise<Response> =>
    sessions.handle(new Request('http://127.0.0.1/', { headers: id === undefined ? {} : { 'mcp-session-id': id } }));
  for (let at = 0; at < 100; at++) await ask();
  await ask('s0');
  await ask();
  expect({ count: sessions.count(), closed }).toEqual({ count: 100, closed: ['s1'] });
  expect((await ask('s1')).status).toBe(404);
  await sessions.close();
  expect(closed).toHaveLength(101);
});

test('a session whose first request breaks is not left open', async () => {
  const closed: string[] = [];
  const sessions = newSessions(async () => ({
    handle: () => Promise.reject(new Error('the client has gone')),
    close: async () => void closed.push('closed'),
  }));
  await expect(sessions.handle(new Request('http://127.0.0.1/'))).rejects.toThrow('gone');
  expect({ count: sessions.count(), closed }).toEqual({ count: 0, closed: ['closed'] });
});

const names: [server: string, tool: string, name: RegExp][] = [
  ['files', 'read', /^files_read$/],
  ['my server', 'lösch.es/now', /^my_server_l_sch_es_now$/],
  ['9lives', 'meow', /^_9lives_meow$/],
  ['files', 'x'.repeat(80), /^files_x{51}_\w{6}$/],
];

test.each(names)('the tool of "%s" called "%s" gets a name that every API takes', (server, tool, name) => {
  expect(toolName(server, tool, new Set())).toMatch(name);
  expect(toolName(server, tool, new Set([toolName(server, tool, new Set())]))).toMatch(/^[a-zA-Z_][\w-]{0,63}$/);
});

test('a union at the top of a schema becomes one object, and a field with a default need not be given', () => {
  expect(
    inputSchemaOf({
      $schema: 'x',
      anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { default: 1 } } }],
      properties: { c: { type: 'number' } },
      required: ['b', 'c'],
    }),
  ).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { default: 1 }, c: { type: 'number' } },
    required: ['c'],
  });
});

test('a field that tells the branches apart takes what each of them says, and has to be given', () => {
  const typed = z.object({ action: z.literal('type'), at: z.string(), text: z.string() });
  const branches = z.union([
    z.discriminatedUnion('action', [z.object({ action: z.literal('click'), at: z.number() }), typed]),
    z.object({ action: z.literal('wait') }),
    z.object({ action: z.literal('stop'), text: z.string() }),
  ]);
  const schema = inputSchemaOf(z.toJSONSchema(branches));
  expect(schema).toEqual({
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['click', 'type', 'wait', 'stop'] },
      at: { anyOf: [{ type: 'number' }, { type: 'string' }] },
      text: { type: 'string' },
    },
    required: ['action'],
  });
  for (const input of [{ action: 'click', at: 1 }, { action: 'type', at: 'x', text: 'y' }, { action: 'wait' }])
    expect(checkJsonSchema(schema, input)).toMatchObject({ ok: true });
});

test('what all branches hold together is needed, and branches that lead to each other have an end', () => {
  const $defs = {
    one: { properties: { a: {} }, required: ['a'], anyOf: [{ $ref: '#/$defs/other' }, { $ref: '#/$defs/other' }] },
    other: { properties: { b: {} }, anyOf: [{ $ref: '#/$defs/one' }, { $ref: '#/$defs/one' }] },
  };
  const allOf = [{ $ref: '#/$defs/one' }, { properties: { c: {} }, required: ['c'] }];
  expect(inputSchemaOf({ $defs, allOf, required: ['d'] })).toMatchObject({
    properties: { a: {}, b: {}, c: {} },
    required: ['d', 'a', 'c'],
  });
});

test('a branch that is a definition gives its fields, too', () => {
  const $defs = { a: { properties: { a: { type: 'string' } } } };
  expect(inputSchemaOf({ $defs, oneOf: [{ $ref: '#/$defs/a' }] })).toMatchObject({
    properties: { a: { type: 'string' } },
  });
});

const uri = (...paths: string[]): object => ({ roots: paths.map((path) => ({ uri: `file://${path}` })) });
const rules: [what: string, answer: unknown, narrow: boolean, roots: string[]][] = [
  ['a client that started us chooses', uri('/elsewhere'), false, ['/elsewhere']],
  ['one that names none gets ours', { roots: [] }, false, ['/ours']],
  ['one that does not answer gets ours', undefined, true, ['/ours']],
  ['one from the network may narrow', uri('/ours/part', '/elsewhere'), true, ['/ours/part']],
  ['and may not climb out', uri('/ours/../elsewhere', '/oursish'), true, []],
  ['what is no folder of this machine is none', { roots: [{ uri: 'https://x/' }, 5] }, false, ['/ours']],
];

test.each(rules)('roots: %s', (_what, answer, narrow, roots) => {
  expect(allowedRoots(answer, { own: ['/ours'], narrow })).toEqual(roots);
});
