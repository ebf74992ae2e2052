// The chat as a person has it: the real program, a real terminal, a model that follows a script over the network.
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer, Step } from '../../src/model/script/index.ts';
import { mainFile, newFolder } from '../cli/run.ts';
import { hasTmux, openScreen } from './terminal.ts';
import type { Screen } from './terminal.ts';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const open: { screen?: Screen; server?: ScriptedServer } = {};

afterEach(async () => {
  open.screen?.close();
  await open.server?.close();
});

async function chat(steps: readonly Step[], words: string[] = [], home = newFolder()): Promise<Screen> {
  open.server = await scriptedServer(script(steps));
  const env = {
    SIGHTLINE_HOME: home,
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: open.server.url,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `${open.server.url}/v1`,
    SIGHTLINE_GRAPHICS: 'blocks',
    COLORTERM: 'truecolor',
  };
  const command = [process.execPath, mainFile, 'chat', '-m', 'anthropic/claude-sonnet-4-5', ...words];
  open.screen = openScreen(command, { cwd: examples, env });
  await open.screen.until('/help');
  return open.screen;
}

const look: Step = {
  thinking: 'I have to see it.',
  text: 'Looking.',
  calls: [{ name: 'read_file', input: { path: 'chart.png' } }],
};

test.runIf(hasTmux)('a question, a tool, its picture, the answer, the cost', async () => {
  const screen = await chat([
    look,
    { text: 'It shows **four** bars.', usage: { inputTokens: 5000, outputTokens: 20, cachedTokens: 4000 } },
  ]);
  screen.type('what is in the chart?', 'Enter');
  const shown = await screen.until('four bars');
  expect(shown).toContain('› what is in the chart?');
  expect(shown).toMatch(/▸ thinking \(5 words\)/);
  expect(shown).toMatch(/✓ \d+ m?s read_file/);
  expect(shown).toContain('[Image: chart.png, 640x400]');
  await screen.until(/▀{20}/);
  expect(await screen.until('% cached')).toMatch(/1 picture .* % cached · \$0\.\d+/);
  screen.type('', 'C-t');
  await screen.until('I have to see it.');
  await screen.command('/explain');
  await screen.until(/inside: .*chart\.png/);
});

test.runIf(hasTmux)('pages of a PDF are turned and read', async () => {
  const screen = await chat([{ text: 'I see it.' }]);
  screen.type('@report.pdf here', 'Enter');
  await screen.until('[PDF: report.pdf, page 1 of 1]');
  screen.type('', 'M-t');
  await screen.until('Sales report 2026');
});

test.runIf(hasTmux)('escape stops an answer and keeps what was said; the next question goes on', async () => {
  const screen = await chat([
    { text: 'One two three four five six seven eight nine ten.', slow: 400 },
    { text: 'Here I am again.' },
  ]);
  screen.type('count', 'Enter');
  await screen.until('One');
  screen.type('', 'Escape');
  await screen.until('Stopped. What was said so far is kept.');
  screen.type('again', 'Enter');
  const shown = await screen.until('Here I am again.');
  expect(shown).toContain('› count');
});

test.runIf(hasTmux)('a tool that reaches out asks first, and no is an answer', async () => {
  const shot: Step = { calls: [{ name: 'fetch_url', input: { url: 'https://example.com/' } }] };
  const screen = await chat([shot, { text: 'Then not.' }]);
  screen.type('fetch it', 'Enter');
  await screen.until(/Allow fetch_url/);
  screen.type('n');
  const shown = await screen.until('Then not.');
  expect(shown).toContain('The user did not allow this call.');
});

test.runIf(hasTmux)('another model takes over in mid-conversation, and 40 columns are enough', async () => {
  const screen = await chat([look, { text: 'Bars.' }, ({ model }) => ({ text: `${model} speaking.` })]);
  screen.type('look', 'Enter');
  await screen.until('Bars.');
  await screen.command('/model openai/gpt-5.2');
  expect(await screen.until('From here on openai/gpt-5.2 answers')).toMatch(/✓ \d+ m?s read_file/);
  screen.resize(40, 30);
  screen.type('and now?', 'Enter');
  const shown = await screen.until('gpt-5.2 speaking.');
  expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(JSON.stringify(open.server?.requests.at(-1)?.body)).toContain('input_image');
});

test.runIf(hasTmux)('leaving keeps the conversation, and -c goes on with it', async () => {
  const home = newFolder();
  const first = await chat([{ text: 'I will remember.' }], [], home);
  first.type('my name is Ada', 'Enter');
  await first.until('I will remember.');
  first.type('', 'C-d');
  for (let waited = 0; waited < 100 && !first.ended(); waited++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(first.ended()).toBe(true);
  await open.server?.close();
  const second = await chat([{ text: 'You are Ada.' }], ['-c'], home);
  await second.until('I will remember.');
  second.type('who am I?', 'Enter');
  await second.until('You are Ada.');
  expect(JSON.stringify(open.server?.requests.at(-1)?.body)).toContain('my name is Ada');
});
