// What docs/security.md promises of a whole run: whom the program connects to, what a model learns of the disk.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { shippedTools } from '../../src/toolbox/shipped.ts';
import { newFolder, run } from './run.ts';

/** Loaded before the program: writes down every address that a socket is opened to. */
const watcher = (log: string): string =>
  `import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
subscribe('net.client.socket', ({ socket }) =>
  socket.on('connectionAttempt', (ip, port) => appendFileSync(${JSON.stringify(log)}, ip + ':' + port + '\\n')));`;

test('the program connects to the model it was told, and the model learns names, not places', async () => {
  const [home, outside] = [newFolder(), newFolder()];
  const cwd = join(newFolder(), 'a-private-place');
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'note.txt'), 'what it says');
  writeFileSync(join(outside, 'there.txt'), 'a secret');
  const asked = (name: string): { name: string; input: object } => ({
    name: 'read_file',
    input: { file_path: join(outside, name) },
  });
  await using server = await scriptedServer(
    script([{ calls: [asked('there.txt'), asked('gone.txt')] }, { text: 'Done.' }]),
  );
  const [log, watch] = [join(home, 'connections'), join(home, 'watch.mjs')];
  writeFileSync(watch, watcher(log));
  const { code, stdout } = await run(
    ['ask', 'What does it say?', '-f', join(cwd, 'note.txt'), '-m', 'anthropic/claude-sonnet-4-5'],
    {
      cwd,
      env: {
        SIGHTLINE_HOME: home,
        ANTHROPIC_API_KEY: 'key',
        ANTHROPIC_BASE_URL: server.url,
        NODE_OPTIONS: `--import=file://${watch}`,
      },
    },
  );
  expect([code, stdout.trim().endsWith('Done.')]).toEqual([0, true]);
  const places = new Set(readFileSync(log, 'utf8').trim().split('\n'));
  expect([...places]).toEqual([new URL(server.url).host]);
  const bodies = server.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.at(-1)).toContain('note.txt');
  expect(bodies.at(-1)).toContain('what it says');
  expect(bodies.join('')).not.toContain('a-private-place');
  const results = [...(bodies.at(-1) ?? '').matchAll(/(there|gone)\.txt lies outside the allowed folders[^"]*/g)];
  expect(results.map(([words, name]) => words.replace(`${name}.txt`, 'it'))).toEqual([
    'it lies outside the allowed folders. Name a file inside them.',
    'it lies outside the allowed folders. Name a file inside them.',
  ]);
  expect(bodies.join('')).not.toContain('a secret');
});

/** Of the shipped tools, those that change something on the disk. */
function writing(screen?: { folder: string }): string[] {
  const { list } = shippedTools({ roots: [], conversation: () => [], ...(screen && { screen }) });
  return list.filter(({ reach }) => reach === 'writes').map(({ tool }) => tool.name);
}

test('no shipped tool writes a file unless the program names a folder', () => {
  expect(writing()).toEqual([]);
  expect(writing({ folder: newFolder() })).toEqual(['screenshot']);
});

test('pictures and PDFs stay at home where the settings say so, and their words go', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), 'images = "never"\n', { mode: 0o600 });
  await using server = await scriptedServer(script([{ text: 'Done.' }]));
  const files = ['chart.png', 'report.pdf'].map((name) =>
    fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)),
  );
  const words = ['ask', 'What?', '-m', 'anthropic/claude-sonnet-4-5', '--tools', 'none'];
  const env = { SIGHTLINE_HOME: home, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
  const { code } = await run([...words, ...files.flatMap((file) => ['-f', file])], { env });
  expect(code).toBe(0);
  const body = JSON.stringify(server.requests[0]?.body);
  expect(body).not.toMatch(/"type":"(?:image|document)"|base64/);
  expect(body).toContain('chart.png');
  expect(body).toContain('report.pdf');
});

/** Whether a question leaves a record behind, with these settings. */
async function recorded(config: string): Promise<boolean> {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), config, { mode: 0o600 });
  await using server = await scriptedServer(script([{ text: 'Done.' }]));
  const words = ['ask', 'Once?', '-m', 'anthropic/claude-sonnet-4-5', '--tools', 'none', '--system', 'a rare walrus'];
  const env = { SIGHTLINE_HOME: home, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url };
  expect((await run(words, { env })).code).toBe(0);
  expect(statSync(join(home, 'sessions.db')).mode & 0o777).toBe(0o600);
  await using store = openSessions({ home, readOnly: true });
  return ((await store.requests?.sizes())?.length ?? 0) > 0;
}

test('requests are recorded in a file of one’s own, and not at all where the settings say so', async () => {
  expect([await recorded(''), await recorded('[requests]\nrecord = "off"\n')]).toEqual([true, false]);
});
