// `sightline wire`: what a model would get, and how a transcript that cannot be sent is told.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAgent } from '../../src/agent/run.ts';
import { script, scriptedSend } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { newFolder, run } from './run.ts';
import { sampleFolder } from './samples.ts';

const folder = sampleFolder();
const model = 'openai-chat/gpt-4.1';

describe('a good transcript', () => {
  test.concurrent('is shown as the request, with base64 left out, and explained on stderr', async () => {
    const { code, stdout, stderr } = await run(['wire', 'turn.json', '-m', model, '--explain'], { cwd: folder });
    expect(code).toBe(0);
    const [head = '', body = ''] = stdout.split('\n\n');
    expect(head).toBe('POST https://api.openai.com/v1/chat/completions\ncontent-type: application/json');
    expect(JSON.parse(body)).toMatchObject({ model: 'gpt-4.1' });
    expect(body).toMatch(/data:image\/png;base64,<[\d,]+ characters of base64, asset [0-9a-f]{8}>/);
    expect(stderr).toContain('after    image "chart.png" 640×400 (call call_1): gpt-4.1 takes it there');
    expect(stderr).toContain('after    PDF "report.pdf", 1 page (call call_2)');
  });

  test.concurrent('is one JSON value with --json, from any folder', async () => {
    const words = ['wire', join(folder, 'turn.json'), '--for', model, '--json'];
    const { stdout, stderr } = await run(words, { cwd: '/' });
    expect(stderr).toBe('');
    const { ok, value } = JSON.parse(stdout);
    expect(ok).toBe(true);
    expect(Object.keys(value)).toEqual([
      'model',
      'wire',
      'url',
      'headers',
      'contentLength',
      'body',
      'receipts',
      'totals',
      'cost',
    ]);
  });

  test.concurrent('may come from stdin, with options and the model of the environment', async () => {
    const stdin = readFileSync(join(folder, 'turn.json'));
    const env = { SIGHTLINE_MODEL: 'openai/gpt-5.2' };
    const words = ['wire', '-', '--full', '--max-tokens', '9000', '--thinking', 'low'];
    const body = JSON.parse((await run(words, { cwd: folder, stdin, env })).stdout);
    expect(body).toMatchObject({ max_output_tokens: 9000, reasoning: { effort: 'low' } });
  });
});

describe('a request that cannot be made', () => {
  const rows: [file: string, model: string, said: RegExp][] = [
    ['absent.json', model, /absent\.json does not exist/],
    ['malformed.json', model, /malformed\.json is not JSON: Unexpected end/],
    ['empty.json', model, /empty\.json is empty/],
    ['broken.png', model, /broken\.png is not UTF-8 text/],
    ['no-transcript.json', model, /"messages" is missing or not an array/],
    ['wrong-role.json', model, /messages\[1\].*the role "robot" is not one of user, assistant, tool/],
    ['turn.json', 'gpt-4.1', /The model "gpt-4\.1" has no endpoint\n {2}Next: {2}Did you mean openai/],
    ['missing-file.json', model, /messages\[2\]\.content\[1\]: absent\.png does not exist/],
    ['wrong-base64.json', model, /messages\[2\]\.content\[1\]: The data is not base64/],
    ['corrupt-picture.json', model, /messages\[2\]\.content\[1\]: broken\.png is damaged/],
  ];

  test.concurrent.each(rows)('%s for %s is refused on stderr', async (file, asked, said) => {
    const { code, stdout, stderr } = await run(['wire', file, '-m', asked, '--full'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Refused: .*\n(?: {2}Limit: .*\n)? {2}Next: {2}.*\n$/);
    expect(stderr).toMatch(said);
  });

  test.concurrent('is the refusal alone with --json', async () => {
    const words = ['wire', 'corrupt-picture.json', '-m', model, '--json'];
    const { code, stdout, stderr } = await run(words, { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const refusal = { code: 'corrupt', place: 'messages[2].content[1]', next: expect.any(String) };
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, refusal });
  });
});

test.concurrent.each([
  [{ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }, model, 'http://127.0.0.1:9/v1/chat/completions'],
  [{ GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9' }, 'google/gemini-2.5-pro', 'http://127.0.0.1:9/v1beta/models/'],
])('the address is the one of the environment: %j', async (env, name, url) => {
  const { stdout } = await run(['wire', 'turn.json', '-m', name], { cwd: folder, env });
  expect(stdout).toContain(`POST ${url}`);
});

test.concurrent('what the settings say of requests counts as it does in a chat', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), '[window]\nimages_to_keep = 0\nmax_bytes = 2000000\n');
  const words = ['wire', 'turn.json', '-m', model, '--json'];
  const shown = async (env: Record<string, string>): Promise<string> =>
    JSON.stringify(JSON.parse((await run(words, { cwd: folder, env })).stdout).value.body);
  expect(await shown({})).toContain('data:image/png;base64');
  const kept = await shown({ SIGHTLINE_HOME: home });
  expect(kept).not.toContain('data:image/png;base64');
  expect(kept).toContain('chart.png');
});

const closely = '[images]\ndetail = "low"\n[models.close]\nmodel = "openai-chat/gpt-4.1"\nimage_detail = "auto"\n';

test.concurrent.each([
  ['nothing', '', model, 'high'],
  ['something of all models', closely, model, 'low'],
  ['something of this model', closely, 'close', 'auto'],
])('where the settings say %s, pictures are looked at so closely', async (_what, settings, name, detail) => {
  const SIGHTLINE_HOME = newFolder();
  writeFileSync(join(SIGHTLINE_HOME, 'config.toml'), settings, { mode: 0o600 });
  const { stdout } = await run(['wire', 'turn.json', '-m', name, '--full'], { cwd: folder, env: { SIGHTLINE_HOME } });
  expect([...stdout.matchAll(/"detail":"(\w+)"/g)].map(([, said]) => said)).toEqual([detail]);
});

test.concurrent('what the settings ask of a model stands in the request, and flags go over it', async () => {
  const SIGHTLINE_HOME = newFolder();
  const asked = 'temperature = 0.1\nmax_tokens = 700\nseed = 7\nstop = ["END"]\n';
  const text = `[models.cool]\nmodel = "openai-chat/gpt-4.1"\napi_key = "own-key-1234"\n${asked}`;
  writeFileSync(join(SIGHTLINE_HOME, 'config.toml'), text, { mode: 0o600 });
  const words = ['wire', 'turn.json', '-m', 'cool'];
  const { stdout } = await run([...words, '--json'], { cwd: folder, env: { SIGHTLINE_HOME } });
  const options = { temperature: 0.1, max_completion_tokens: 700, seed: 7, stop: ['END'] };
  expect(JSON.parse(stdout)).toMatchObject({ value: { body: options } });
  expect(stdout).not.toContain('own-key-1234');
  const over = await run([...words, '--full', '--max-tokens', '90'], { cwd: folder, env: { SIGHTLINE_HOME } });
  expect(JSON.parse(over.stdout)).toMatchObject({ ...options, max_completion_tokens: 90 });
});

test.each([
  ['wire', ['wire', 'last', '-m', model, '--full']],
  ['sessions show --raw', ['sessions', 'show', 'last', '-m', model, '--raw']],
])(
  'of a session that was summed up, %s shows what would be sent: the summary and what followed',
  async (_what, words) => {
    const home = newFolder();
    {
      await using store = openSessions({ home });
      await using session = await store.create();
      const say = (text: string): Promise<unknown> =>
        session.append({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }] } });
      await say('the long beginning');
      await session.append({ type: 'summary', text: 'It began at length.', covers: 1 });
      await say('and now?');
    }
    const { code, stdout } = await run(words, { env: { SIGHTLINE_HOME: home } });
    expect(code).toBe(0);
    const request = stdout.slice(stdout.lastIndexOf('"model"'));
    expect(request).toContain('It began at length.');
    expect(request).toContain('and now?');
    expect(request).not.toContain('the long beginning');
  },
);

test.each([[['--full']], [[]], [['--json']]])(
  'a picture whose file was overwritten is told in words the first time as later, with %j',
  async (flags) => {
    const home = newFolder();
    const chart = readFileSync('examples/chart.png');
    {
      await using store = openSessions({ home });
      await using session = await store.create();
      const send = scriptedSend(script([{ text: 'Seen.' }]));
      const prompt = [{ type: 'image' as const, data: chart, name: 'chart.png' }];
      await runAgent({ model: 'anthropic/claude-sonnet-5', session, send, prompt }).result();
    }
    for (const name of readdirSync(join(home, 'assets'), { recursive: true, encoding: 'utf8' })) {
      const path = join(home, 'assets', name);
      if (statSync(path).isFile()) writeFileSync(path, Buffer.alloc(statSync(path).size));
    }
    for (const time of ['first', 'second']) {
      const ran = await run(['wire', 'last', '-m', model, ...flags], { env: { SIGHTLINE_HOME: home } });
      expect([time, ran.code, ran.stderr]).toEqual([time, 0, '']);
      expect(ran.stdout).toMatch(/\[image \\"chart\.png\\" [^[\]]*not shown: its bytes are no longer stored/);
      expect(ran.stdout).not.toContain('image_url');
    }
  },
);
