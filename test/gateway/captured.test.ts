// Requests as real coding agents send them (their prompts replaced by words of ours), each to a model of every dialect:
// `npm run clients -- --shapes` captures them anew.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { Gateway } from '../../src/gateway/index.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer } from '../../src/model/script/index.ts';
import { unpaired } from '../../scripts/clients/heard.ts';
import { base64InText, schemaErrors } from '../judge/judge.ts';
import { chart, report, targets } from './clients.ts';

const folder = 'test/fixtures/clients';
const captured = readdirSync(folder).map((file) => file.replace('.json', ''));

let upstream: ScriptedServer;
const gateways: Record<string, Gateway> = {};

beforeAll(async () => {
  upstream = await scriptedServer(script(() => ({ text: 'Sales rose.' })));
  for (const [name, model] of Object.entries(targets)) {
    const models = { target: { model, baseUrl: upstream.url, key: 'k' } };
    gateways[name] = await openGateway({ port: 0, models, routes: { '*': ['target'] } });
  }
});
afterAll(async () => {
  for (const gateway of Object.values(gateways)) await gateway.close();
  await upstream.close();
});

test('all six are there', () => {
  expect(captured).toEqual(['claude', 'codex', 'gemini', 'opencode', 'pi', 'qwen']);
});

const pairs = captured.flatMap((client) => Object.keys(targets).map((target) => ({ client, target })));

test.each(pairs)('$client, answered by $target', async ({ client, target }) => {
  const text = readFileSync(`${folder}/${client}.json`, 'utf8');
  const filled = text.replaceAll('{{chart.png}}', chart).replaceAll('{{report.pdf}}', report);
  const { path, headers, body } = JSON.parse(filled) as { path: string; headers: Record<string, string>; body: object };
  const address = `${gateways[target]?.url}${path}`;
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/Sales [\s\S]*rose\./)]);
  const sent = upstream.requests.at(-1);
  if (!sent?.wire || !sent.transcript) throw new Error('No request was made.');
  const out = JSON.stringify(sent.body);
  expect(out, 'the picture').toContain(chart);
  if (text.includes('{{report.pdf}}') && sent.wire !== 'ollama') expect(out, 'the PDF').toContain(report);
  expect(unpaired(sent.transcript)).toEqual([]);
  expect(base64InText(sent.wire, sent.body)).toEqual([]);
  if (answer.headers.get('x-sightline-way') === 'convert') expect(await schemaErrors(sent.wire, sent.body)).toEqual([]);
});
