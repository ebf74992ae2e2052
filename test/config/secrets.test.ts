// Which values of the environment and the settings count as secrets, and how they are taken out of words.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutSecrets } from '../../src/config/secret-names.ts';
import { escaped } from '../../src/page/html.ts';
import { exposedKey, hidingStream, knownSecrets } from '../../src/config/secrets.ts';

function homeWith(config: string, mode = 0o600): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), 'sightline-secrets-'));
  writeFileSync(join(home, 'config.toml'), config);
  chmodSync(join(home, 'config.toml'), mode);
  return { SIGHTLINE_HOME: home };
}

test('keys of vendors, whatever is called a secret, and passwords of addresses', () => {
  const environment = {
    ...homeWith(''),
    OPENAI_API_KEY: ' openai-key-1 ',
    ANTHROPIC_AUTH_TOKEN: 'anthropic-token',
    DATABASE_PASSWORD: 'database-password',
    HTTPS_PROXY: 'http://me:proxy-pass%21@proxy:3128',
    DATABASE_URL: 'postgres://me:100%-sure-of-it@db/shop',
    EDITOR: 'an-editor-with-a-long-name',
    KEYBOARD: 'an-english-keyboard',
    GITHUB_TOKEN: 'short',
  };
  expect(knownSecrets(environment, tmpdir()).toSorted()).toEqual([
    '100%-sure-of-it',
    'anthropic-token',
    'database-password',
    'openai-key-1',
    'proxy-pass!',
  ]);
});

test.each(['SMTP_PASS', 'SSH_KEY_PASSPHRASE', 'GITHUB_PAT'])('%s names a secret', (name) => {
  const environment = { ...homeWith(''), [name]: 'a-secret-of-mine', COMPASS: 'to-the-north', PATTERN: 'of-a-carpet' };
  expect(knownSecrets(environment, tmpdir())).toEqual(['a-secret-of-mine']);
});

test('a password of an address that holds a bare percent sign is a secret as it stands', () => {
  const environment = { ...homeWith(''), DATABASE_URL: 'postgres://me:100%-secret@db.example/app' };
  expect(knownSecrets(environment, tmpdir())).toEqual(['100%-secret']);
});

test('keys of the settings, and what servers and tools are handed', () => {
  const config = `
[models.mine]
model = "compatible/x"
api_key = "key-of-the-model"
[models.other]
model = "compatible/x"
api_key_env = "MINE"
[mcp.theirs]
url = "http://127.0.0.1:1/mcp"
headers = { Authorization = "Bearer token-of-the-server", "X-Team" = "the-team-of-mine", "X-Var" = "\${NAME_OF_ONE}" }
[mcp.started]
command = "program"
args = ["an-argument-of-it"]
env = { ANYTHING = "value-of-anything" }
`;
  expect(knownSecrets({ ...homeWith(config), MINE: 'another-of-mine' }, tmpdir()).toSorted()).toEqual([
    'another-of-mine',
    'key-of-the-model',
    'the-team-of-mine',
    'token-of-the-server',
    'value-of-anything',
  ]);
  expect(knownSecrets(homeWith('this is = no = toml'), tmpdir())).toEqual([]);
});

test('what a header only names is no key in the file, and what it stands for is one', () => {
  const config = `
[mcp.one]
url = "http://127.0.0.1:1/mcp"
headers = { Authorization = "Bearer \${GITHUB_PERSONAL}", "X-Other" = "token \${OTHER_LOGIN}" }
`;
  const environment = { ...homeWith(config, 0o644), GITHUB_PERSONAL: 'a-pat-of-mine', OTHER_LOGIN: 'another-pat' };
  expect(knownSecrets(environment, tmpdir()).toSorted()).toEqual(['a-pat-of-mine', 'another-pat']);
  expect(exposedKey(environment, tmpdir())).toBeUndefined();
});

test('a secret goes as it is, as it stands in JSON, in an address, and in a page', () => {
  const secret = 'a"key/with <signs>';
  const words = `${secret} ${JSON.stringify(secret)} ?key=${encodeURIComponent(secret)} ${escaped(secret)} the end`;
  expect(withoutSecrets(words, [secret])).toBe('[key] "[key]" ?key=[key] [key] the end');
});

test('of one secret inside another nothing is left', () => {
  const environment = { ...homeWith(''), A_KEY: 'longer-secret', B_KEY: 'longer-secret-than-that' };
  expect(withoutSecrets('it is longer-secret-than-that', knownSecrets(environment, tmpdir()))).toBe('it is [key]');
});

test('of a secret that comes in parts nothing is told, whatever the parts', () => {
  const secrets = ['secret-of-the-first', 'secret-of-the-second-one', 'a"quoted\\secret'];
  const whole = `secret-of-the-first! secret-of-the-third, ${JSON.stringify(secrets[2])} secret-of-the-secret-of-the-second-one s`;
  const expected = withoutSecrets(whole, secrets);
  for (const size of [1, 2, 3, 5, 7, 19, 40]) {
    const { add, end, found } = hidingStream(secrets);
    const parts = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const told = [...parts.map(add), end()];
    expect(told.join(''), String(size)).toBe(expected);
    expect(found()).toBe(true);
  }
  const { add, end, found } = hidingStream(secrets);
  expect([add('nothing to se'), add('e'), end(), found()]).toEqual(['nothing to ', 'see', '', false]);
});

test.skipIf(process.platform === 'win32')('settings with a key are for their owner alone', () => {
  const config = '[models.mine]\nmodel = "compatible/x"\napi_key = "key-of-the-model"\n';
  expect(exposedKey(homeWith(config, 0o600), tmpdir())).toBeUndefined();
  expect(exposedKey(homeWith(config, 0o640), tmpdir())).toMatch(/config\.toml holds a key.*mode 640.*chmod 600/);
  expect(exposedKey(homeWith(config, 0o604), tmpdir())).toContain('mode 604');
  expect(exposedKey(homeWith('model = "openai/gpt-5.2"\n', 0o644), tmpdir())).toBeUndefined();
  expect(exposedKey(homeWith('no = toml = at all', 0o644), tmpdir())).toBeUndefined();
});
