// A server of one's own, added in three questions and tried with real media: one that sees, one that does not, one that is not
// there. The servers look at the pixels that reach them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFolder, run } from './run.ts';
import type { Ran } from './run.ts';

const servers: Server[] = [];
const keys: (string | undefined)[] = [];
let [seeing, blind] = ['', ''];

beforeAll(async () => {
  [seeing, blind] = await Promise.all([start(true), start(false)]);
});

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

async function start(sees: boolean): Promise<string> {
  const server = createServer((request, response) => {
    void replyTo(request, sees).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function replyTo(request: IncomingMessage, sees: boolean): Promise<[status: number, body: unknown]> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  keys.push(request.headers.authorization);
  if (request.url === '/v1/models') return [200, { data: [{ id: 'alpha' }, { id: 'beta' }] }];
  if (request.url !== '/v1/chat/completions') return [404, { error: { message: 'no such route' } }];
  const picture = /data:image\/png;base64,([A-Za-z0-9+/=]+)/.exec(body)?.[1];
  if (picture !== undefined && !sees) return [400, { error: { message: 'alpha does not support image input' } }];
  const content = picture === undefined ? 'I see nothing.' : await coloursIn(picture);
  return [200, { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] }];
}

async function coloursIn(base64: string): Promise<string> {
  const { data, info } = await sharp(Buffer.from(base64, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const name = (x: number): string => {
    const [red = 0, green = 0, blue = 0] = data.subarray(x * 3, x * 3 + 3);
    if (red > 200) return blue > 200 ? 'white' : green > 200 ? 'yellow' : 'red';
    return green > 100 ? 'green' : blue > 100 ? 'blue' : 'black';
  };
  return `It is ${name(2)}, then ${name(info.width - 2)}.`;
}

function add(home: string, answers: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return run(['config', 'add-endpoint'], { stdin: `${answers.join('\n')}\n`, env: { SIGHTLINE_HOME: home, ...env } });
}

test('a server is added in three questions, after its model has seen a picture', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), '# mine\n[window]\n');
  const { code, stdout, stderr } = await add(home, [seeing, 'LAB_KEY', 'lab'], { LAB_KEY: 'secret-of-the-lab' });
  expect([code, stdout]).toEqual([0, '✓ alpha answers and sees pictures.\n']);
  expect(stderr).toContain('It has 2 models');
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toBe(
    `# mine\n[window]\n\n[models.lab]\nmodel = "compatible/alpha"\nbase_url = "http://${seeing}/v1"\n` +
      'api_key_env = "LAB_KEY"\ncapabilities = { vision = true }\n',
  );
  expect(keys).toContain('Bearer secret-of-the-lab');
});

test('a model that refuses pictures is written down as blind', async () => {
  const home = newFolder();
  const { code, stdout } = await add(home, [`http://${blind}/v1`, '', '']);
  expect([code, stdout]).toEqual([0, '✓ alpha answers, and does not see pictures: they go to it as words.\n']);
  expect(readFileSync(join(home, 'config.toml'), 'utf8')).toMatch(/\[models\.local\][^]*vision = false/);
});

test.each([
  ['a key in place of its variable', ['http://127.0.0.1:1', 'sk-12345', ''], 'no name of a variable'],
  ['a variable that is not set', ['http://127.0.0.1:1', 'NOBODY_SET_THIS', ''], 'export NOBODY_SET_THIS=…'],
  ['a server that is not there', ['http://127.0.0.1:1', '', 'lab', 'alpha'], 'Nothing was written'],
])('%s is refused, and nothing is written', async (_what, answers, words) => {
  const home = newFolder();
  const { code, stderr } = await add(home, answers);
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(existsSync(join(home, 'config.toml'))).toBe(false);
});

function row(name: string, at: string): string {
  return `[models.${name}]\nmodel = "compatible/${name}"\nbase_url = "http://${at}/v1"\n`;
}

test('doctor --live shows each model a picture and a PDF, says where they went, and later plans know it', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), row('eyes', seeing) + row('none', blind));
  const env = { SIGHTLINE_HOME: home };
  const { code, stdout } = await run(['doctor', '--live', '--json'], { env });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      part: 'eyes',
      state: 'off',
      trials: { picture: { seen: true, how: 'as picture, after results' }, pdf: { seen: false } },
    },
    {
      part: 'none',
      state: 'off',
      trials: { picture: { seen: false, healed: [expect.stringContaining('image input')] } },
    },
  ]);
  const { models } = JSON.parse((await run(['models', '--json'], { env })).stdout) as {
    models: { model: string; vision: boolean }[];
  };
  expect(models.find(({ model }) => model === 'eyes')?.vision).toBe(true);
  expect(models.find(({ model }) => model === 'none')?.vision).toBe(false);

  const { stderr } = await run(['doctor', '--live', '-m', 'none'], { env });
  expect(stderr).toContain(`What was learned is kept in ${join(home, 'trials.json')} and applies from now on.`);
});
