// `sightline read`: a file as a model would get it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { read } from '../../src/media/read.ts';
import { mainFile, newFolder, run } from './run.ts';
import { sampleFolder } from './samples.ts';
import { writing } from '../media/writing.ts';
import { hasTmux, openScreen } from '../tui/terminal.ts';
import { onlySome } from '../some.ts';

onlySome(6);

const folder = sampleFolder();
const here = { cwd: folder };

test.concurrent('a PDF is shown as its text, then as its block', async () => {
  const { code, stdout, stderr } = await run(['read', 'report.pdf', '--pages', '1'], here);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('--- Page 1 ---\n# Sales report 2026\n');
  expect(stdout).toMatch(/\nblock 1: PDF "report\.pdf", 1 page, application\/pdf, \d+ B, asset [0-9a-f]{8}\n$/);
});

test.concurrent('--as text shows the text only, --as image the pages as pictures', async () => {
  const text = await run(['read', 'report.pdf', '--as', 'text'], here);
  expect(text.stdout).toContain('Q4: 537 units');
  expect(text.stdout).not.toContain('block 1');
  const pictures = await run(['read', 'report.pdf', '--as', 'image'], here);
  expect(pictures.stdout).toMatch(/block 2: image .*page 1.* \d+×\d+/);
});

test.concurrent('--json is the value that read resolves to', async () => {
  const { stdout, stderr } = await run(['read', 'chart.png', '--json'], here);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(await read(join(folder, 'chart.png')))));
});

test.concurrent('stdin is read as any file', async () => {
  const { stdout } = await run(['read', '-', '--json'], { stdin: readFileSync(join(folder, 'chart.png')) });
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    value: { blocks: [{ type: 'image', width: 640, height: 400 }] },
  });
});

test.concurrent('how high its letters are for each model is told, as the settings have it cut', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'config.toml'), '[models.near]\nmodel = "anthropic/claude-sonnet-4-5"\ntiles = "off"\n');
  const page = await writing({ px: 12, width: 900, height: 5200 }).png().toBuffer();
  writeFileSync(join(home, 'page.png'), page);
  const env = { SIGHTLINE_HOME: home };
  const words = ['read', 'page.png', '-m', 'near,anthropic/claude-sonnet-4-5'];
  const { stdout } = await run(words, { cwd: home, env });
  expect(stdout).toMatch(/model +where +as +letters/);
  expect(stdout).toMatch(/near +in the result +picture +\d(?:\.\d)? px, small/);
  expect(stdout).toMatch(/claude-sonnet-4-5 +in the result +\d pieces +\d+(?:\.\d)? px/);
  const said = { messages: [{ role: 'user', content: [{ type: 'image', path: 'page.png' }, 'What does it say?'] }] };
  writeFileSync(join(home, 'said.json'), JSON.stringify({ version: 1, ...said }));
  const { stderr } = await run(['wire', 'said.json', '-m', 'near', '--explain'], { cwd: home, env });
  expect(stderr).toMatch(/its letters \d(?:\.\d)? px high and hard to read/);
});

test.concurrent('named models get a table from their receipts', async () => {
  const models = 'anthropic/claude-sonnet-4-5,openai-chat/gpt-4.1,azure-chat/x';
  const { stdout } = await run(['read', 'report.pdf', '--for', models, '-m', 'ollama/llama3.1'], here);
  const cells = stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 3).join(' | '));
  // `-m` comes first, then its alias.
  expect(cells.slice(2, 7)).toEqual([
    'model | where | as',
    'ollama/llama3.1 | in the result | text',
    'anthropic/claude-sonnet-4-5 | in the result | PDF',
    'openai-chat/gpt-4.1 | after results | PDF',
    'azure-chat/x | after results | page pictures',
  ]);
  expect(stdout).toContain('azure-chat/x was planned as gpt-4.1');
});

test.concurrent('a text file has a row of its own, and the text in it is only text', async () => {
  const { stdout } = await run(['read', 'turn.json', '-m', 'openai/gpt-5.2', '--json'], here);
  const { models } = JSON.parse(stdout);
  expect(models).toMatchObject([{ model: 'openai/gpt-5.2', forms: [{ where: 'result', as: 'text', count: 1 }] }]);
});

test.concurrent('the model of the environment adds its table and leaves the JSON alone', async () => {
  const env = { SIGHTLINE_MODEL: 'ollama/llama3.1' };
  const { stdout } = await run(['read', 'chart.png'], { ...here, env });
  // The words on the chart are read off it where the optional library for that is installed and has the time.
  expect(stdout).toMatch(/block 1: image[^]*ollama\/llama3\.1 +in the result +(?:text|words only)/);
  expect(JSON.parse((await run(['read', 'chart.png', '--json'], { ...here, env })).stdout)).toHaveProperty('value');
});

test.concurrent('every path is tried, and one refusal makes the exit 1', async () => {
  const people = await run(['read', 'absent.png', 'chart.png'], here);
  expect(people.code).toBe(1);
  expect(people.stderr).toBe('Refused: absent.png does not exist\n  Next:  Check the path.\n');
  expect(people.stdout).toContain('block 1: image "chart.png"');
  const program = await run(['read', 'broken.png', 'chart.png', '--json'], here);
  expect({ code: program.code, stderr: program.stderr }).toEqual({ code: 1, stderr: '' });
  expect(JSON.parse(program.stdout)).toMatchObject([{ ok: false, refusal: { code: 'corrupt' } }, { ok: true }]);
});

test.concurrent('a refusal says what is wrong, the limit and what to do next', async () => {
  const { code, stdout, stderr } = await run(['read', 'report.pdf', '--pages', '5-9'], here);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.split('\n').map((line) => line.split(':')[0]?.trim())).toEqual(['Refused', 'Limit', 'Next', '']);
});

test.concurrent('a model nobody knows is refused before anything is read', async () => {
  const { code, stdout } = await run(['read', 'chart.png', '-m', 'gpt-4.1', '--json'], here);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, refusal: { what: 'The model "gpt-4.1" has no endpoint' } });
});

test.concurrent('what a file says cannot steer the terminal', async () => {
  const { stdout } = await run(['read', 'steering.txt'], here);
  expect(stdout).toContain(String.raw`plain \x1b[31mred\x1b]0;title\x07 \u202eover\x9b2J` + '\nsecond line\n');
  const json = await run(['read', 'steering.txt', '--json'], here);
  expect(json.stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(JSON.parse(json.stdout).value.output).toBe(readFileSync(join(folder, 'steering.txt'), 'utf8'));
});

test.concurrent('a folder is all files in it, a pattern what it matches, hidden ones left out', async () => {
  const place = newFolder();
  for (const inner of ['.hidden', 'node_modules', 'sub']) mkdirSync(join(place, inner));
  for (const name of ['b.txt', 'a.txt', 'sub/c.md', '.hidden/d.txt', 'node_modules/e.txt', '.f.txt'])
    writeFileSync(join(place, name), `this is ${name}`);
  const all = await run(['read', place, '--as', 'text'], here);
  expect(all.code).toBe(0);
  expect([...all.stdout.matchAll(/this is (\S+)/g)].map(([, name]) => name)).toEqual(['a.txt', 'b.txt', 'sub/c.md']);
  const some = await run(['read', '*.txt', '--json'], { cwd: place });
  expect(JSON.parse(some.stdout)).toMatchObject([{ value: { output: 'this is a.txt' } }, { ok: true }]);
  expect((await run(['read', '.hidden'], { cwd: place })).stdout).toContain('this is .hidden/d.txt');
  const none = await run(['read', '*.png'], { cwd: place });
  expect(none).toMatchObject({ code: 1, stderr: 'Refused: There are no files in *.png\n  Next:  Name another.\n' });
});

test.runIf(hasTmux)('whoever gives no password at the prompt is told so', async () => {
  const command = ['sh', '-c', '"$@"; echo "ended with $?"; sleep 60', 'sh', process.execPath, mainFile];
  const screen = openScreen([...command, 'read', 'report.pdf', '--password'], { cwd: folder, env: {} });
  try {
    await screen.until('Password:');
    screen.type('', 'C-d');
    expect(await screen.until('ended with')).toMatch(/error: no password was given\n[^]*ended with 2/);
  } finally {
    screen.close();
  }
});

test.runIf(hasTmux)('a picture is drawn where the terminal can, above what it costs', async () => {
  const env = { SIGHTLINE_GRAPHICS: 'blocks', SIGHTLINE_MODEL: 'anthropic/claude-sonnet-4-5' };
  const words = [process.execPath, mainFile, 'read', 'chart.png'];
  const screen = openScreen(['sh', '-c', '"$@"; sleep 60', 'sh', ...words], { cwd: folder, env });
  try {
    const shown = await screen.until('cost');
    expect(shown).toMatch(/▀{60}/);
    expect(shown).toContain('block 1: image "chart.png" 640×400');
  } finally {
    screen.close();
  }
});

test.concurrent('--lines shows a part of a text, and the way to the next is told in flags', async () => {
  const stdin = Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}`).join('\n');
  const [part, whole, none] = await Promise.all(
    [['--lines', '7-8'], [], ['--lines', '30000']].map((flags) =>
      run(['read', '-', '--as', 'text', ...flags], { stdin }),
    ),
  );
  expect(part?.stdout).toBe('[Lines 7-8 of 20000. --lines 9- shows more.]\nline 7\nline 8\n');
  expect(whole?.stdout).toMatch(/^\[Lines 1-\d+ of 20000\. --lines \d+- shows more\.\]\nline 1\n/);
  expect(none?.stderr).toBe('Refused: There is no line 30000\n  Next:  There are lines 1 to 20000.\n');
});
