// Models on Google Cloud and AWS: where requests go, in which words, and who is said to ask.
import { createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyHashOf, signedHeaders } from '../../src/asset/sigv4.ts';
import { accessOf } from '../../src/config/environment.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { MessageError } from '../../src/message/error.ts';
import { systemClock } from '../../src/model/http/clock.ts';
import type { Clock } from '../../src/model/http/clock.ts';
import { countTokens } from '../../src/model/count-tokens.ts';
import { prepare } from '../../src/model/prepare.ts';
import { send } from '../../src/model/send.ts';
import type { SendOptions } from '../../src/model/send.ts';
import { profileFor } from '../../src/window/profile.ts';
import { sightlineFetch } from '../../src/fetch/index.ts';
import { faultServer } from './fault-server.ts';
import type { Heard } from './fault-server.ts';
import { fine } from './refusing-server.ts';

const variables = [
  'GOOGLE_CLOUD_PROJECT', 'GCLOUD_PROJECT', 'ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_CLOUD_REGION',
  'CLOUD_ML_REGION', 'CLOUDSDK_AUTH_ACCESS_TOKEN', 'CLOUDSDK_CONFIG', 'GOOGLE_APPLICATION_CREDENTIALS', 'GCE_METADATA_HOST',
  'AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK',
]; // prettier-ignore

beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, '');
  vi.stubEnv('CLOUDSDK_CONFIG', mkdtempSync(join(tmpdir(), 'sightline-gcloud-')));
});
afterEach(() => vi.unstubAllEnvs());

/** A clock that stands still. */
const standing = (now: number): Clock => ({ ...systemClock, now: () => now });

const hello = { messages: [{ role: 'user' as const, content: 'Hello' }] };

type Asked = { heard: Heard | undefined; error: MessageError | undefined };

/** What a server hears of one request. */
async function heardOf(model: string, options: SendOptions = {}, path = ''): Promise<Asked> {
  const server = await faultServer(() => fine(profileFor(model).wire));
  const request = await prepare(hello, { model, baseUrl: server.url + path, assets: memoryAssets() });
  let error: MessageError | undefined;
  for await (const event of send(request, { tries: 1, ...options })) if (event.type === 'message-error') error = event;
  await server.close();
  return { heard: server.heard[0], error };
}

describe('addresses name the project and the region that the environment tells', () => {
  const google = 'aiplatform.googleapis.com/v1/projects/my-project/locations';
  const rows: [model: string, region: string, url: string][] = [
    ['vertex/gemini-3-flash', 'europe-west4', `https://europe-west4-${google}/europe-west4/publishers/google/models/gemini-3-flash:streamGenerateContent?alt=sse`],
    ['vertex/gemini-3-flash', 'global', `https://${google}/global/publishers/google/models/gemini-3-flash:streamGenerateContent?alt=sse`],
    ['vertex-claude/claude-sonnet-4-5@20250929', 'us-east5', `https://us-east5-${google}/us-east5/publishers/anthropic/models/claude-sonnet-4-5%4020250929:streamRawPredict`],
    ['bedrock-claude/anthropic.claude-opus-4-7', 'us-west-2', 'https://bedrock-mantle.us-west-2.api.aws/anthropic/v1/messages'],
    ['bedrock-openai/openai.gpt-5.2', 'us-west-2', 'https://bedrock-mantle.us-west-2.api.aws/openai/v1/responses'],
  ]; // prettier-ignore
  test.each(rows)('%s in %s', async (model, region, url) => {
    vi.stubEnv('GOOGLE_CLOUD_PROJECT', 'my-project');
    vi.stubEnv('GOOGLE_CLOUD_LOCATION', region);
    vi.stubEnv('AWS_REGION', region);
    const request = await prepare(hello, { model });
    expect(request.outgoing(accessOf(profileFor(model).endpoint)).url).toBe(url);
    expect(profileFor(model).media.image.result).toBe('inside');
  });

  test.each([
    ['vertex/gemini-3-flash', 'Set GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, or give its base URL.'],
    ['bedrock-claude/anthropic.claude-opus-4-7', 'Set AWS_REGION, or give its base URL.'],
  ])('%s without them says which variables', async (model, words) => {
    const request = await prepare(hello, { model });
    const events: unknown[] = [];
    for await (const event of send(request, { token: 't' })) events.push(event);
    expect(events).toMatchObject([{ code: 'auth', message: expect.stringContaining(words) as string }]);
  });
});

test('Claude on Google Cloud is told the version in the body, and the model in the address', async () => {
  const { heard, error } = await heardOf('vertex-claude/claude-sonnet-4-5', { token: 't' }, '/v1/publishers/anthropic');
  expect(error).toBeUndefined();
  expect(heard?.url).toBe('/v1/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict');
  expect(heard?.headers).toMatchObject({ authorization: 'Bearer t' });
  expect(heard?.headers).not.toHaveProperty('anthropic-version');
  const body = JSON.parse(heard?.body ?? '') as object;
  expect(body).toMatchObject({ anthropic_version: 'vertex-2023-10-16', stream: true });
  expect(body).not.toHaveProperty('model');
  const request = await prepare(hello, { model: 'vertex-claude/claude-sonnet-4-5' });
  expect(await request.sdk()).toMatchObject({ model: 'claude-sonnet-4-5' }); // its own SDK moves it
  expect(await countTokens(request)).toMatchObject({ ok: false, refusal: { code: 'unsupported' } });
});

test('sightlineFetch knows Claude on Google Cloud by its address', async () => {
  const seen: string[] = [];
  const repaired = sightlineFetch({
    fetch: (_, init) => {
      seen.push(init?.body as string);
      return Promise.resolve(Response.json({}));
    },
  });
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: JSON.stringify({ shot: png }) }] },
  ];
  const body = JSON.stringify({ anthropic_version: 'vertex-2023-10-16', max_tokens: 10, messages });
  const base = 'https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic';
  await repaired(`${base}/models/claude-sonnet-4-5@20250929:rawPredict`, { method: 'POST', body });
  expect(seen[0]).toContain('"media_type":"image/png"');
});

describe('who asks on AWS', () => {
  const model = 'bedrock-claude/anthropic.claude-opus-4-7';
  const clock = standing(Date.parse('2026-11-16T06:00:00Z'));

  test('a key of Bedrock goes as a bearer token, before all others', async () => {
    vi.stubEnv('AWS_BEARER_TOKEN_BEDROCK', 'bedrock-api-key-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-1234');
    const { heard } = await heardOf(model, {}, '/anthropic');
    expect(heard?.headers.authorization).toBe('Bearer bedrock-api-key-1');
  });

  test.each([
    ['of the environment', undefined],
    [
      'of a credential provider',
      { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret-1234', sessionToken: 'for an hour' },
    ],
  ])('keys %s sign the request as it arrives', async (_, given) => {
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', given ? 'another' : 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-1234');
    const credentials = given && { credentials: () => Promise.resolve(given) };
    const { heard, error } = await heardOf(model, { clock, ...credentials }, '/anthropic');
    expect(error).toBeUndefined();
    const { authorization = '', host, ...headers } = (heard?.headers ?? {}) as Record<string, string>;
    const names =
      /SignedHeaders=([^,]+)/
        .exec(authorization)?.[1]
        ?.split(';')
        .filter((name) => name !== 'host') ?? [];
    expect(names).toEqual(expect.arrayContaining(['anthropic-version', 'content-type', 'x-amz-date']));
    const url = new URL(heard?.url ?? '', `http://${host}`);
    const said = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
    const again = await signedHeaders(
      { method: 'POST', url, headers: said, bodyHash: await bodyHashOf(heard?.body ?? '') },
      { id: 'AKIDEXAMPLE', secret: 'secret-1234', ...(given && { token: 'for an hour' }) },
      { region: 'eu-central-1', service: 'bedrock-mantle', now: new Date(clock.now()) },
    );
    expect(again['authorization']).toBe(authorization);
  });

  test('nobody is told of, and no key goes to an address that only a project names', async () => {
    expect((await heardOf(model)).error?.message).toContain('AWS_ACCESS_KEY_ID with AWS_SECRET_ACCESS_KEY');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-1234');
    const { heard, error } = await heardOf(model, { key: '' });
    expect(heard).toBeUndefined();
    expect(error?.code).toBe('auth');
  });
});

/** Writes down who asks. */
function known(credentials: object): void {
  const path = join(mkdtempSync(join(tmpdir(), 'sightline-google-')), 'key.json');
  writeFileSync(path, JSON.stringify(credentials));
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', path);
}

/** A server that gives tokens, one after the other, or says why not. */
const tokenServer = (why?: object): ReturnType<typeof faultServer> => {
  let count = 0;
  return faultServer(() => (response) => {
    response.writeHead(why ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(why ?? { access_token: `token-${++count}`, expires_in: 3600, token_type: 'Bearer' }));
  });
};

describe('who asks on Google Cloud', () => {
  const model = 'vertex/gemini-3-flash';
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });

  test('a service account signs a statement, and its token is used until shortly before it expires', async () => {
    const tokens = await tokenServer();
    known({
      type: 'service_account',
      client_email: 'me@my-project',
      private_key: key,
      token_uri: `${tokens.url}/token`,
    });
    const begin = Date.parse('2026-11-16T06:00:00Z');
    const used: (string | undefined)[] = [];
    for (const minutes of [0, 1, 54, 56])
      used.push((await heardOf(model, { clock: standing(begin + minutes * 60_000) })).heard?.headers.authorization);
    await tokens.close();
    expect(used).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    const form = new URLSearchParams(tokens.heard[0]?.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head = '', claims = '', signature = ''] = form.get('assertion')?.split('.') ?? [];
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).toBe(true);
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' });
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: 'me@my-project',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: `${tokens.url}/token`,
      iat: begin / 1000,
      exp: begin / 1000 + 3600,
    });
  });

  test('a person has a token that renews, and a machine is asked who it is', async () => {
    const tokens = await tokenServer();
    const person = { client_id: 'id', client_secret: 'secret', refresh_token: 'renew' };
    known({ type: 'authorized_user', ...person, token_uri: `${tokens.url}/token` });
    expect((await heardOf(model)).heard?.headers.authorization).toBe('Bearer token-1');
    expect(Object.fromEntries(new URLSearchParams(tokens.heard[0]?.body))).toEqual({
      ...person,
      grant_type: 'refresh_token',
    });
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '');
    vi.stubEnv('GCE_METADATA_HOST', new URL(tokens.url).host);
    expect((await heardOf(model)).heard?.headers.authorization).toBe('Bearer token-2');
    expect(tokens.heard[1]).toMatchObject({
      url: '/computeMetadata/v1/instance/service-accounts/default/token',
      headers: { 'metadata-flavor': 'Google' },
    });
    await tokens.close();
  });

  test('no token is told in a sentence that says what to do', async () => {
    const refusing = await tokenServer({
      error: 'invalid_grant',
      error_description: 'Token has been expired or revoked.',
    });
    known({ type: 'authorized_user', token_uri: `${refusing.url}/token` });
    const { error, heard } = await heardOf(model);
    await refusing.close();
    expect(heard).toBeUndefined();
    expect(error).toMatchObject({ code: 'auth', retryable: false });
    expect(error?.message).toMatch(
      /^Google Cloud gave no token: Token has been expired or revoked\. Log in with "gcloud/,
    );
    known({ type: 'external_account' });
    expect((await heardOf(model)).error?.message).toContain('"external_account" are not known here');
    const flat = String(key).replaceAll('\n', String.raw`\n`); // as it comes out of many variables
    known({ type: 'service_account', client_email: 'me@my-project', private_key: flat });
    expect((await heardOf(model)).error).toMatchObject({
      code: 'auth',
      message: expect.stringMatching(
        /^Google Cloud gave no token: the "private_key" of its service account is no whole/,
      ),
    });
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '/nowhere/key.json');
    vi.stubEnv('GCE_METADATA_HOST', '127.0.0.1:1');
    expect((await heardOf(model)).error?.message).toContain('there are no credentials on this machine');
  });
});
