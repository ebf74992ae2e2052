// `sightline ask` with models on Amazon Bedrock, as a shell sees it: over the binary stream of Converse, in a real process.
import { afterAll, expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer, Step } from '../../src/model/script/index.ts';
import { schemaErrors } from '../judge/judge.ts';
import { newFolder, run } from './run.ts';
import { sampleFolder } from './samples.ts';

const folder = sampleFolder();
const servers: ScriptedServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const look: Step = { text: 'Looking.', calls: [{ name: 'read_file', input: { path: 'chart.png' } }] };
const claude = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';

/** What a person at a shell has, with a server in the place of Amazon's. */
async function asked(words: string[], keys: Record<string, string>, steps: Step[]): Promise<{ server: ScriptedServer; out: object }> {
  const server = await scriptedServer(script(steps));
  servers.push(server);
  const none = { AWS_BEARER_TOKEN_BEDROCK: '', AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_SESSION_TOKEN: '' };
  const env = { ...none, SIGHTLINE_HOME: newFolder(), AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url, ...keys };
  const { code, stdout, stderr } = await run(['ask', ...words], { cwd: folder, env });
  return { server, out: { code, stdout, stderr } };
} // prettier-ignore

test('a picture that a tool read stands inside its result, and the answer comes over a binary stream', async () => {
  const usage = { inputTokens: 900, outputTokens: 5, cachedTokens: 800 };
  const steps = [look, { thinking: 'Four of them.', text: 'Four bars – Grüße.', usage }];
  const words = ['-m', `bedrock/${claude}`, 'what is in chart.png?'];
  const { server, out } = await asked(words, { AWS_BEARER_TOKEN_BEDROCK: 'bedrock-key' }, steps);
  expect(out).toMatchObject({
    code: 0,
    stdout: 'Looking.\nFour bars – Grüße.\n',
    stderr: expect.stringContaining('800 of them cached') as string,
  });
  const second = server.requests.at(-1);
  expect(second).toMatchObject({
    path: `/model/${encodeURIComponent(claude)}/converse-stream`,
    headers: { authorization: 'Bearer bedrock-key' },
  });
  expect(await schemaErrors('bedrock-converse', second?.body)).toEqual([]);
  const { messages = [] } = (second?.body ?? {}) as { messages?: { content: object[] }[] };
  expect(messages.at(-1)?.content[0]).toMatchObject({
    toolResult: {
      content: expect.arrayContaining([
        { image: { format: 'png', source: { bytes: expect.stringMatching(/^iVBOR/) as string } } },
      ]) as object[],
    },
  });
});

test('keys of AWS sign the request, in the name of Bedrock', async () => {
  const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-1234' };
  const { server, out } = await asked(['-m', 'bedrock/us.amazon.nova-pro-v1:0', 'hello'], keys, [{ text: 'Hi.' }]);
  expect(out).toMatchObject({ code: 0, stdout: 'Hi.\n' });
  const { path = '', headers = {} } = server.requests[0] ?? {};
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers['authorization'] ?? '') ?? [];
  expect(headers['authorization']).toContain('/us-east-1/bedrock/aws4_request');
  expect(names.split(';')).toEqual(expect.arrayContaining(['content-type', 'host', 'x-amz-date']));
  expect(path).toBe('/model/us.amazon.nova-pro-v1%3A0/converse-stream');
});

test('without any key one reads which variables are looked for', async () => {
  const { server, out } = await asked(['-m', `bedrock/${claude}`, 'hello'], {}, [{ text: 'Hi.' }]);
  expect(out).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/AWS_BEARER_TOKEN_BEDROCK.*AWS_ACCESS_KEY_ID/s) as string,
  });
  expect(server.requests).toHaveLength(0);
});
