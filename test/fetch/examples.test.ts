// The examples of `sightline/fetch`, run as a reader would run them, with the real SDK.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { WireName } from '../../src/core.ts';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { base64InText } from '../judge/judge.ts';

const rows: [string, WireName, string][] = [
  ['with-ai-sdk', 'openai-chat', 'openReport'],
  ['with-langchain', 'openai-chat', 'open_report'],
  ['with-openai-agents', 'openai-responses', 'open_report'],
];

test.each(rows)('the example %s shows the model what its tool returned', async (name, wire, tool) => {
  await using server = await scriptedServer(
    script([{ calls: [{ name: tool, input: { quarter: 'Q3' } }] }, { text: 'Sales rose.' }]),
  );
  const env = { ...process.env, OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${server.url}/v1` };
  const { stdout } = await promisify(execFile)(process.execPath, [`examples/${name}.ts`], { env });
  expect(stdout).toContain('Sales rose.');
  const [, request] = server.requests;
  expect(base64InText(wire, request?.body)).toEqual([]);
  const results = request?.transcript?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(JSON.stringify(results)).toContain('"type":"image"');
});
