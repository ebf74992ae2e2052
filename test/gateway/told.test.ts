// What a gateway tells: which model answered in place of which, how often each decision was taken, whether its store works,
// and what a budget puts aside.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputTokens } from '../../src/gateway/estimate.ts';
import { openGateway } from '../../src/gateway/index.ts';
import { openReport } from '../../src/gateway/report.ts';
import { openScan } from '../../src/gateway/scan.ts';
import { openKnownStrings, stringsOf } from '../../src/gateway/strings.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/index.ts';
import { profileFor } from '../../src/window/profile.ts';
import { run } from '../cli/run.ts';
import { chart } from './clients.ts';

let upstream: ScriptedServer;
let failing: ScriptedServer;
let isDown = true;

beforeAll(async () => {
  upstream = await scriptedServer(script(() => ({ text: 'Fine.', usage: { inputTokens: 10, outputTokens: 5 } })));
  failing = await scriptedServer(
    script(() => (isDown ? { error: { status: 404, message: 'No such model' } } : { text: 'Back again.' })),
  );
});
afterAll(async () => {
  await upstream.close();
  await failing.close();
});

const models = (): Record<string, { model: `${string}/${string}`; baseUrl: string; key: string }> => ({
  claude: { model: 'anthropic/claude-sonnet-5', baseUrl: upstream.url, key: 'k' },
  down: { model: 'openai/gpt-5.2', baseUrl: failing.url, key: 'k' },
});

const said = (url: string, model: string, content: unknown = 'Hi.'): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model, messages: [{ role: 'user', content }], logit_bias: { 1: 2 } }),
  });

test('a model that failed rests for 30 seconds, and the receipts say who answered in its place', async () => {
  let now = 1_000_000;
  const lines: string[] = [];
  const clock = {
    now: () => now,
    after: (ms: number, act: () => void) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  };
  const routes = { both: ['down', 'claude'] };
  await using gateway = await openGateway({
    port: 0,
    models: models(),
    routes,
    clock,
    log: (line) => lines.push(line),
  });
  const first = await said(gateway.url, 'both');
  expect(first.headers.get('x-sightline-model')).toBe('anthropic/claude-sonnet-5');
  expect(first.headers.get('x-sightline-receipts')).toMatch(/^1 fallback, .*1 ignored.*; id=req_/);
  const asked = failing.requests.length;
  expect((await said(gateway.url, 'both')).headers.get('x-sightline-receipts')).not.toContain('fallback');
  expect(failing.requests.length, 'it rests').toBe(asked);
  now += 30_001;
  isDown = false;
  expect((await said(gateway.url, 'both')).headers.get('x-sightline-model')).toBe('openai/gpt-5.2');
  await expect.poll(() => lines.length).toBe(3);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ receipts: { fallback: 1 } });
  isDown = true;
});

test('what a model has not seen by its own count stands in the log of a request that was relayed, and goes another way next', async () => {
  const bodies: string[] = [];
  const counted = { modality: 'TEXT', tokenCount: 9 };
  const candidate = { content: { role: 'model', parts: [{ text: 'A dog.' }] }, finishReason: 'STOP' };
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 3, promptTokensDetails: [counted] };
  const google = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ candidates: [candidate], usageMetadata }));
  });
  await new Promise<void>((done) => google.listen(0, '127.0.0.1', done));
  const lines: string[] = [];
  const baseUrl = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
  const sees = { eye: { model: 'gemini/gemini-3-pro-preview' as const, baseUrl, key: 'k' } };
  await using gateway = await openGateway({ port: 0, models: sees, log: (line) => lines.push(line) });
  const shot = { inlineData: { mimeType: 'image/png', data: chart } };
  const contents = [
    { role: 'user', parts: [{ text: 'Look.' }] },
    { role: 'model', parts: [{ functionCall: { id: 'a', name: 'shot', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'shot', response: { output: 'Here.' }, parts: [shot] } }] },
  ]; // prettier-ignore
  const ask = (): Promise<string> =>
    fetch(`${gateway.url}/v1beta/models/eye:generateContent`, {
      method: 'POST',
      body: JSON.stringify({ contents }),
    }).then((response) => response.text());
  expect(await ask()).toContain('A dog.');
  await ask();
  google.close();
  await expect.poll(() => lines.length).toBe(2);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ way: 'relay', receipts: { inside: 1, unseen: 1 } });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ way: 'relay', receipts: { after: 1, unseen: 1 } });
  expect(bodies.map((body) => /"parts":\[\{"inlineData"/.test(body))).toEqual([true, false]);
});

test('a store that fails is one line in the log, and the gateway says that it is not ready', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const lines: string[] = [];
  await using gateway = await openGateway({ port: 0, models: models(), database, log: (line) => lines.push(line) });
  expect(await (await fetch(`${gateway.url}/readyz`)).json()).toMatchObject({ ok: true, database: true });
  using other = new DatabaseSync(database);
  other.exec('DROP TABLE gateway_said; DROP TABLE gateway_ledger');
  for (let at = 0; at < 2; at++) expect((await said(gateway.url, 'claude')).status).toBe(200);
  const ready = await fetch(`${gateway.url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([503, { ok: false, database: false }]);
  await expect.poll(() => lines.length).toBe(3);
  const warnings = lines.filter((line) => 'warning' in (JSON.parse(line) as object));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('The database fails: no such table');
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  expect(metrics).toMatch(/sightline_conversations \d/);
  expect(metrics).toContain('sightline_uploads_bytes 0');
});

test('a request that failed here is a 500, in the log as to its client', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const lines: string[] = [];
  const hash = `sha256:${createHash('sha256').update('mine').digest('hex')}`;
  await using gateway = await openGateway({
    port: 0,
    models: models(),
    keys: { mine: { hash, budget: 1, per: 'ever', upstream: 'gateway' } },
    database,
    log: (line) => lines.push(line),
  });
  using other = new DatabaseSync(database);
  other.exec('DROP TABLE gateway_reserved');
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer mine' },
    body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi.' }] }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { message: 'The gateway failed.' } }]);
  await expect.poll(() => lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ key: 'mine', status: 500, error: 'server' });
});

test('what was decided for a request is shown by its id, with what was sent to each model', async () => {
  const home = mkdtempSync(join(tmpdir(), 'gateway-'));
  const sessions = openSessions({ home });
  const { recorder } = sessions;
  if (!recorder) throw new Error('no recorder');
  const gateway = await openGateway({ port: 0, models: models(), routes: { both: ['down', 'claude'] }, recorder });
  const converted = await said(gateway.url, 'both');
  const relayed = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({ model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] }),
  });
  await Promise.all([converted.text(), relayed.text()]);
  await gateway.close();
  await sessions.close();
  const show = (id: string | null, ...more: string[]): ReturnType<typeof run> =>
    run(['serve', 'show', id ?? '', ...more], { cwd: home, env: { SIGHTLINE_HOME: home } });
  const { stdout, code } = await show(converted.headers.get('x-sightline-id'));
  expect(code).toBe(0);
  expect(stdout).toMatch(/openai\/gpt-5\.2 at .*refused, No such model[\s\S]*anthropic\/claude-sonnet-5 at .*answered/);
  expect(stdout).toContain('logit_bias');
  const json = await show(relayed.headers.get('x-sightline-id'), '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([{ via: 'gateway', model: 'anthropic/claude-sonnet-5' }]);
  const none = await show('req_nobody');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('No request req_nobody is recorded')]);
});

test('a budget puts aside what a request may really come to: a picture is no text', async () => {
  const profile = profileFor('anthropic/claude-sonnet-5');
  const tokensIn = (body: object): number => {
    const known = openKnownStrings();
    const scan = openScan(known);
    scan.push(Buffer.from(JSON.stringify(body)));
    const { outline, strings } = scan.end();
    return inputTokens(outline.toString(), stringsOf(strings, known), profile);
  };
  const large = Buffer.concat([Buffer.from(chart, 'base64'), Buffer.alloc(1_500_000)]).toString('base64');
  const words = 'All quiet on the northern side of the river. '.repeat(400);
  expect(tokensIn({ messages: [{ role: 'user', content: words }] })).toBeGreaterThan(4000);
  expect(tokensIn({ messages: [{ role: 'user', content: words }] })).toBeLessThan(6500);
  expect(tokensIn({ data: `data:image/png;base64,${large}` })).toBeLessThan(10_000);
  const hash = `sha256:${createHash('sha256').update('k').digest('hex')}`;
  const keys = { alice: { hash, budget: 2, per: 'month', upstream: 'gateway' } as const };
  await using gateway = await openGateway({ port: 0, models: models(), keys });
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${chart}` } }];
  const body = JSON.stringify({ model: 'claude', messages: [{ role: 'user', content }] });
  const headers = { authorization: 'Bearer k' };
  const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
});

test.each([
  ['that is converted', 'claude'],
  ['that is relayed', 'chat'],
])('where nobody traces, the trace of a client goes on to the provider with a request %s', async (_how, model) => {
  const chat = { model: 'openai-chat/gpt-4.1', baseUrl: upstream.url, key: 'k' } as const;
  await using gateway = await openGateway({ port: 0, models: { ...models(), chat } });
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=1' };
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi.' }] });
  const headers = { ...trace, baggage: 'user=1', 'content-type': 'application/json' };
  expect((await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).status).toBe(200);
  const arrived = upstream.requests.at(-1)?.headers;
  expect(arrived).toMatchObject(trace);
});

test('a cost that cannot be written down costs no answer, and is told', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const slow = await scriptedServer(script(() => ({ text: 'Sales rose in every month.', slow: 50 })));
  const lines: string[] = [];
  const hash = `sha256:${createHash('sha256').update('mine').digest('hex')}`;
  await using gateway = await openGateway({
    port: 0,
    models: { claude: { model: 'anthropic/claude-sonnet-5', baseUrl: slow.url, key: 'k' } },
    keys: { mine: { hash, budget: 1, per: 'ever', upstream: 'gateway' } },
    database,
    log: (line) => lines.push(line),
  });
  using other = new DatabaseSync(database);
  for (const path of ['/v1/messages', '/v1/chat/completions']) {
    other.exec('CREATE TABLE IF NOT EXISTS gateway_spent (place TEXT PRIMARY KEY, dollars REAL NOT NULL)');
    const answer = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer mine' },
      body: JSON.stringify({
        model: 'claude',
        max_tokens: 9,
        stream: true,
        messages: [{ role: 'user', content: 'Hi.' }],
      }),
    });
    other.exec('DROP TABLE gateway_spent');
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('month')]);
  }
  await expect.poll(() => lines.length).toBe(4);
  const [warning = '', line = ''] = lines;
  expect(warning).toContain('The database fails: no such table');
  expect(JSON.parse(line)).toMatchObject({ key: 'mine', status: 200 });
  expect(JSON.parse(line)).not.toHaveProperty('error');
  await slow.close();
});

test.skipIf(process.platform !== 'linux')('a gateway that cannot listen keeps no file open', async () => {
  const database = join(mkdtempSync(join(tmpdir(), 'gateway-')), 'sessions.db');
  const { port } = new URL(upstream.url);
  await expect(openGateway({ port: Number(port), models: models(), database })).rejects.toThrow(/is in use/);
  const open = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return []; // closed meanwhile
    }
  });
  expect(open.filter((path) => path.startsWith(database))).toEqual([]);
});

test('however many models clients name, the counters stay few', () => {
  const report = openReport(undefined);
  const line = { time: '', id: '', wire: 'gemini', route: '', status: 404, bytes: 0, totalMs: 1, receipts: {} };
  for (let at = 0; at < 3000; at++) report.tell({ ...line, target: `gemini/model-${at}` });
  const rows = report
    .metrics({})
    .split('\n')
    .filter((row) => row.startsWith('sightline_requests_total'));
  expect(rows.length).toBeLessThanOrEqual(1001);
  expect(rows).toContain('sightline_requests_total{wire="gemini",target="other",way="none",status="404"} 2000');
  expect(rows[0]).toContain('target="gemini/model-0"');
});

test('a log that throws stops no request', async () => {
  const report = openReport(() => {
    throw new Error('The disk is full.');
  });
  const line = { time: '', id: '', wire: 'gemini', route: '', status: 200, bytes: 0, totalMs: 1, receipts: {} };
  expect(() => report.tell(line)).not.toThrow();
  expect(() => report.warn('', 'The database fails.')).not.toThrow();
});
