// Who asks a provider whose dialect the client speaks: the same as where a request is converted.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openGateway } from '../../src/gateway/index.ts';
import type { TargetModel } from '../../src/gateway/settings.ts';
import { failWith, faultServer } from '../model/fault-server.ts';
import type { Act, Heard } from '../model/fault-server.ts';
import { fine } from '../model/refusing-server.ts';

beforeEach(() => {
  for (const name of [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    'CLOUDSDK_AUTH_ACCESS_TOKEN',
  ])
    vi.stubEnv(name, '');
});
afterEach(() => vi.unstubAllEnvs());

/** What a provider hears when a client of Anthropic's dialect asks, and what the client hears. */
async function heardOf(
  more: TargetModel,
  act: Act = fine('anthropic-messages'),
): Promise<{ heard: Heard | undefined; said: string; way: string | null }> {
  const server = await faultServer(() => act);
  const own = { ...more, baseUrl: server.url };
  await using gateway = await openGateway({ port: 0, models: { own } });
  const messages = [{ role: 'user', content: 'Hello' }];
  const answer = await fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'of the client' },
    body: JSON.stringify({ model: 'own', max_tokens: 10, stream: true, messages }),
  });
  const said = await answer.text();
  await server.close();
  return { heard: server.heard[0], said, way: answer.headers.get('x-sightline-way') };
}

test('Claude on AWS is asked with the keys of AWS', async () => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-1234');
  const model = 'bedrock-claude/anthropic.claude-opus-4-7' as const;
  const { heard, said } = await heardOf({ model });
  expect(heard?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/);
  expect(said).toContain('message_stop');
  vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'bedrock-api-key-1');
  const { heard: keyed, way } = await heardOf({ model });
  expect([keyed?.headers.authorization, way]).toEqual(['Bearer bedrock-api-key-1', 'relay']);
});

test('Claude on Google Cloud is told the version in the body, and no model', async () => {
  const { heard, said } = await heardOf({ model: 'vertex-claude/claude-sonnet-4-5', token: 't' });
  expect(heard?.url).toBe('/models/claude-sonnet-4-5:streamRawPredict');
  expect(heard?.headers).toMatchObject({ authorization: 'Bearer t' });
  const body = JSON.parse(heard?.body ?? '') as object;
  expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16' });
  expect(body).not.toHaveProperty('model');
  expect(said).toContain('message_stop');
});

test('a key that is given when it is needed is sent, and that of the environment is not', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'of the house');
  const { heard, way } = await heardOf({
    model: 'anthropic/claude-sonnet-5',
    key: () => Promise.resolve('of an hour'),
  });
  expect([heard?.headers['x-api-key'], way]).toEqual(['of an hour', 'relay']);
});

test('a key among the headers of a model takes the place of that of the environment', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'of the house');
  const { heard, way } = await heardOf({ model: 'anthropic/claude-sonnet-5', headers: { 'X-Api-Key': 'its own' } });
  expect([heard?.headers['x-api-key'], way]).toEqual(['its own', 'relay']);
});

test('a model whose key was named and is not set is not asked, and the client hears why', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', 'of the house');
  const { heard, said } = await heardOf({ model: 'anthropic/claude-sonnet-5', key: '' });
  expect(heard).toBeUndefined();
  expect(said).toContain('the variable of its api_key_env is not set');
});

test('a key among the headers of a model stands in no complaint of its provider', async () => {
  const own = { model: 'anthropic/claude-sonnet-5', headers: { 'X-Gateway-Token': 'own-token-1234' } } as const;
  const { said } = await heardOf(own, failWith(400, 'The token own-token-1234 is too old.'));
  expect(said).toContain('The token [key] is too old.');
});
