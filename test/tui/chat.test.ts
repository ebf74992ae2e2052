// The chat as a person has it: the real program, a real terminal, a model that follows a script over the network.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { script, scriptedServer } from '../../src/model/script/index.ts';
import type { ScriptedServer, Step } from '../../src/model/script/index.ts';
import { openSessions } from '../../src/session/store.ts';
import { effort } from '../effort.ts';
import { mainFile, newFolder, run } from '../cli/run.ts';
import { writeProgram } from '../program.ts';
import { user } from '../session/samples.ts';
import { hasTmux, openScreen } from './terminal.ts';
import type { Screen } from './terminal.ts';
import { onlySome } from '../some.ts';

onlySome(5);

const { isLong } = effort;

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const open: { screen?: Screen; server?: ScriptedServer } = {};

afterEach(async () => {
  open.screen?.close();
  await open.server?.close();
});

type More = { home?: string; cwd?: string; env?: Record<string, string> };

async function chat(steps: Parameters<typeof script>[0], words: string[] = ['chat'], more: More = {}): Promise<Screen> {
  open.server = await scriptedServer(script(steps));
  const env = {
    SIGHTLINE_HOME: more.home ?? newFolder(),
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: open.server.url,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `${open.server.url}/v1`,
    SIGHTLINE_GRAPHICS: 'blocks',
    COLORTERM: 'truecolor',
    SIGHTLINE_MODEL: 'anthropic/claude-sonnet-4-5',
    ...more.env,
  };
  const command = [process.execPath, mainFile, ...words];
  open.screen = openScreen(command, { cwd: more.cwd ?? examples, env });
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
  expect(shown).toMatch(/✓ [\d.]+ m?s read_file/);
  expect(shown).toContain('[Image: chart.png, 640x400]');
  await screen.until(/▀{20}/);
  expect(await screen.until('% cached')).toMatch(/1 picture .* % cached · \$0\.\d+/);
  screen.type('', 'C-t');
  await screen.until('I have to see it.');
  screen.command('/explain');
  await screen.until(/inside  image "chart\.png"/);
});

test.runIf(hasTmux)('ask tells on a terminal what it waits for, in a line that goes away', async () => {
  open.server = await scriptedServer(script([{ silence: 100_000, text: 'Four bars.' }]));
  const env = { SIGHTLINE_HOME: newFolder(), ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: open.server.url };
  const words = ['ask', '-m', 'anthropic/claude-sonnet-4-5', 'how many bars has @chart.png?'];
  const command = `trap : INT; "${process.execPath}" "${mainFile}" ${words.map((word) => `'${word}'`).join(' ')}; sleep 600`;
  open.screen = openScreen(['sh', '-c', command], { cwd: examples, env });
  await open.screen.until(/^waiting for anthropic\/claude-sonnet-4-5 · \d+ s$/m);
  open.screen.type('', 'C-c');
  expect(await open.screen.until(/^Stopped\./m)).not.toContain('waiting for');
});

test.runIf(hasTmux)(
  'enter sends a line that ends with a whole path, with names offered below it and without',
  async () => {
    const screen = await chat([{ text: 'One bar.' }, { text: 'Two bars.' }]);
    screen.type('see @chart.png');
    await screen.until(/→ chart\.png/);
    screen.type('', 'Enter');
    expect(await screen.until('One bar.')).toContain('› see @chart.png');
    screen.type('again @chart.png ', 'Enter');
    expect(await screen.until('Two bars.')).toContain('› again @chart.png');
  },
);

test.runIf(hasTmux)('pages of a PDF are turned and read', async () => {
  const screen = await chat([{ text: 'I see it.' }]);
  screen.type('@report.pdf here', 'Enter');
  await screen.until('[PDF: report.pdf, page 1 of 1]');
  await screen.until('Sales report 2026'); // in half blocks it could not be read
  screen.type('', 'M-t');
  await screen.until('▀');
  screen.type('', 'M-t');
  await screen.until('Sales report 2026');
});

test.runIf(hasTmux)('escape stops an answer and every wait for one; what was said is kept', async () => {
  const screen = await chat([
    { text: `One two three ${'and more '.repeat(2000)}`, slow: 100 }, // nobody waits for its end
    { error: { status: 529, message: 'Overloaded', retryAfter: 50_000 } }, // nor for these
    { silence: 100_000, text: 'Too late.' },
    { text: 'Here I am again.' },
  ]);
  screen.type('count', 'Enter');
  await screen.until('One');
  screen.type('', 'Escape');
  await screen.until('Stopped. What was said so far is kept.');
  screen.type('more', 'Enter');
  await screen.until(/waiting for anthropic\/claude-sonnet-4-5, try 2 of 3, in \d+ s · esc stops/);
  screen.type('', 'Escape');
  await screen.until(/Overloaded\. Try 2 of 3 in 50\.\d s\.\s+Stopped/);
  screen.type('and more', 'Enter');
  await screen.until(/waiting for anthropic\/claude-sonnet-4-5 · \d+ s · esc stops/);
  screen.type('', 'Escape');
  await screen.until(/› and more\s+Stopped/);
  screen.type('again', 'Enter');
  const shown = await screen.until('Here I am again.');
  expect(shown).toContain('› count');
  await expect.poll(() => screen.text()).not.toContain('esc stops');
});

test.runIf(hasTmux)('what no answer could take up stands in the line again, before what is being written', async () => {
  const screen = await chat([{ text: `One two three ${'and more '.repeat(2000)}`, slow: 100 }]);
  screen.type('count', 'Enter');
  await screen.until('One');
  screen.type('and then?', 'Enter');
  await screen.until('› and then?');
  screen.paste('something else');
  await screen.until('something else');
  screen.type('', 'Escape');
  const shown = await screen.until(/^and then\?\nsomething else/m);
  expect(shown).toContain('› count');
  expect(shown).not.toContain('› and then?');
});

test.runIf(hasTmux)('what helps against a failure is told of the model that was asked last', async () => {
  const models = 'anthropic/claude-sonnet-4-5,openai/gpt-5.2';
  const screen = await chat(() => ({ error: { status: 401, message: 'No such key.' } }), ['chat', '-m', models]);
  screen.type('hi', 'Enter');
  await screen.until('Check the key in OPENAI_API_KEY');
});

test.runIf(hasTmux)('a question stands on the screen while the tools get ready for it', async () => {
  const home = newFolder();
  mkdirSync(join(home, 'tools'));
  writeProgram(join(home, 'tools', 'late.sh'), '#!/bin/sh\nexec sleep 100\n');
  const screen = await chat([{ text: 'Hello.' }], ['chat'], { home });
  screen.type('hi there', 'Enter');
  expect(await screen.until('getting the tools ready')).toContain('› hi there');
  screen.type('', 'Escape');
  await screen.until(/^hi there/m);
  await expect.poll(() => screen.text()).not.toContain('› hi there');
});

test.runIf(hasTmux)(
  'a list of tools that are not ready yet is waited for in sight, can be stopped, and holds nobody back',
  async () => {
    const home = newFolder();
    mkdirSync(join(home, 'tools'));
    writeProgram(join(home, 'tools', 'late.sh'), '#!/bin/sh\nexec sleep 100\n');
    const screen = await chat([], ['chat'], { home });
    screen.command('/tools');
    await screen.until(/getting the tools ready .*esc stops/);
    screen.type('', 'Escape');
    await screen.until('Stopped.');
    screen.command('/tools');
    screen.type('', 'C-d');
    await expect.poll(() => screen.ended()).toBe(true);
  },
);

test.runIf(hasTmux)('a tool that reaches out asks first, and no is an answer', async () => {
  const shot: Step = { calls: [{ name: 'fetch_url', input: { url: 'https://example.com/' } }] };
  const here: Step = { calls: [{ name: 'fetch_url', input: { url: 'http://localhost:9/app' } }] };
  const screen = await chat([shot, { text: 'Then not.' }, here, { text: 'Nobody was there.' }]);
  screen.type('fetch it', 'Enter');
  await screen.until(/Allow fetch_url/);
  screen.type('n');
  const shown = await screen.until('Then not.');
  expect(shown).toContain('The user did not allow this call.');
  screen.command('/thinking high');
  await screen.until('From here on the model thinks: high.');
  screen.type('and mine', 'Enter');
  await screen.until(
    /It reaches localhost:9 on this machine\.\s+y yes · n no · A always in this chat · P always in this folder/,
  );
  screen.type('y');
  expect(await screen.until('Nobody was there.')).toContain('localhost:9 could not be reached');
  expect(
    open.server?.requests.filter(({ body }) => JSON.stringify(body).includes('"budget_tokens":16384')),
  ).toHaveLength(1);
});

/** A conversation whose program ended while a call ran. */
async function killedHome(): Promise<string> {
  const home = newFolder();
  await using store = openSessions({ home });
  const session = await store.create({ model: 'anthropic/claude-sonnet-4-5' });
  const call = { type: 'call', id: 'c1', name: 'read_file', input: { path: 'chart.png' } } as const;
  await session.append({ type: 'message', message: user('what is in the chart?') });
  await session.append({
    type: 'message',
    message: { role: 'assistant', model: 'anthropic/claude-sonnet-4-5', content: [call], stop: 'calls' },
  });
  return home;
}

test('a question to a conversation that was stopped in mid-call gets the result of the call first', async () => {
  open.server = await scriptedServer(script([{ text: 'Four bars.' }]));
  const env = {
    SIGHTLINE_HOME: await killedHome(),
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: open.server.url,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: `${open.server.url}/v1`,
  };
  const { stdout, stderr } = await run(['ask', '-c', 'and now?'], { env, cwd: examples });
  expect([stdout.trim(), stderr]).toEqual(['Four bars.', expect.not.stringContaining('never answered')]);
  await using store = openSessions({ home: env.SIGHTLINE_HOME });
  const messages = await (await store.read(await store.resolve('last'))).messages();
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
  expect(messages[2]?.content.some(({ type }) => type === 'image')).toBe(true);
});

test.runIf(hasTmux)('chat -r goes on with what a program left that was killed', async () => {
  const screen = await chat([{ text: 'It shows four bars.' }], ['chat', '-r', 'last'], { home: await killedHome() });
  const shown = await screen.until('four bars');
  expect(shown).toMatch(/stopped in the middle of its work[^]*✓ [\d.]+ m?s read_file/);
});

test.runIf(hasTmux)('another model takes over in mid-conversation, and 40 columns are enough', async () => {
  const screen = await chat([look, { text: 'Bars.' }, ({ model }) => ({ text: `${model} speaking.` })]);
  screen.type('look', 'Enter');
  await screen.until('Bars.');
  screen.command('/model openai/gpt-5.2');
  expect(await screen.until('From here on openai/gpt-5.2 answers')).toMatch(/✓ [\d.]+ m?s read_file/);
  screen.resize(40, 30);
  screen.type('and now?', 'Enter');
  const shown = await screen.until('gpt-5.2 speaking.');
  expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(JSON.stringify(open.server?.requests.at(-1)?.body)).toContain('input_image');
});

test.runIf(hasTmux)('leaving keeps the conversation, and -c goes on with it', async () => {
  const home = newFolder();
  const first = await chat([{ text: 'I will remember.' }], ['chat'], { home });
  first.type('my name is Ada', 'Enter');
  await first.until('I will remember.');
  first.type('', 'C-d');
  await expect.poll(() => first.ended()).toBe(true);
  await open.server?.close();
  const second = await chat([{ text: 'You are Ada.' }], ['chat', '-c'], { home });
  await second.until('I will remember.');
  second.type('who am I?', 'Enter');
  await second.until('You are Ada.');
  expect(JSON.stringify(open.server?.requests.at(-1)?.body)).toContain('my name is Ada');
});

/** What the user said last, as the model got it. */
function heard(): string {
  return JSON.stringify(open.server?.requests.at(-1)?.transcript?.messages.at(-1)?.content ?? '');
}

function writeTool(home: string, name: string, body: string): void {
  const spec = { name, description: `Does ${name}.`, input_schema: { type: 'object', properties: {} } };
  const program = `#!/bin/sh\n[ "$1" = --toolspec ] && { echo '${JSON.stringify(spec)}'; exit; }\n${body}\n`;
  mkdirSync(join(home, 'tools'), { recursive: true });
  writeProgram(join(home, 'tools', name), program);
}

/** The names of the tools in each request so far. */
function offered(): string[][] {
  return (open.server?.requests ?? []).map(({ transcript }) => (transcript?.tools ?? []).map(({ name }) => name));
}

test.runIf(hasTmux)('a tool written while the chat runs is offered in the next request, with one line', async () => {
  const home = newFolder();
  writeTool(home, 'hold', `while [ ! -e '${home}/go' ]; do sleep 0.1; done; echo held`);
  const steps: Step[] = [{ calls: [{ name: 'hold' }] }, { text: 'Held.' }, { text: 'Two.' }, { text: 'Three.' }];
  const screen = await chat(steps, ['chat'], { home });
  screen.type('hold on', 'Enter');
  await screen.until(/Allow hold/);
  screen.type('y');
  await screen.until(/… hold|working/);
  writeTool(home, 'weather', 'echo sunny');
  await screen.until('Tools changed: weather added.');
  writeFileSync(join(home, 'go'), '');
  await screen.until('Held.');
  screen.type('second', 'Enter');
  const shown = await screen.until('Two.');
  expect(offered().map((names) => names.includes('weather'))).toEqual([false, true, true]);
  expect(shown.split('the tools changed')).toHaveLength(2);
  rmSync(join(home, 'tools', 'hold'));
  await screen.until('Tools changed: hold gone.');
  screen.type('third', 'Enter');
  expect((await screen.until('Three.')).split('the tools changed')).toHaveLength(3);
  expect(offered().at(-1)).not.toContain('hold');
});

test.runIf(hasTmux)('the first tool of a project, and trust in it, are noticed while the chat runs', async () => {
  const [home, project] = [newFolder(), newFolder()];
  const server = { command: process.execPath, args: [mainFile, 'mcp'] };
  const table = Object.entries(server).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  writeFileSync(join(project, 'sightline.toml'), `[mcp.inner]\n${table.join('\n')}\n`);
  const screen = await chat([{ text: 'One.' }, { text: 'Two.' }], ['chat'], { home, cwd: project });
  screen.type('first', 'Enter');
  await screen.until('One.');
  writeTool(join(project, '.sightline'), 'weather', 'echo sunny');
  await screen.until(/weather: .*not trusted/);
  const { code } = await run(['tools', 'trust'], { cwd: project, env: { SIGHTLINE_HOME: home } });
  expect(code).toBe(0);
  await screen.until(/Tools changed: weather,/);
  screen.type('second', 'Enter');
  await screen.until('Two.');
  const seen = ['weather', 'inner_read_file'].map((name) => offered().map((names) => names.includes(name)));
  expect(seen).toEqual([
    [false, true],
    [false, true],
  ]);
});

test.runIf(hasTmux && isLong)('a file dropped on the terminal is attached, and so is a pasted picture', async () => {
  const screen = await chat(() => ({ text: 'Seen.' }));
  screen.paste(`${examples}/chart.png`);
  await screen.until(`@${examples}/chart.png`);
  screen.type('what?', 'Enter');
  await screen.until('Seen.');
  expect(await screen.until('[attached: chart.png]')).toContain('[Image: chart.png, 640x400]');
  expect(heard()).toContain('"type":"image"');
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
  screen.paste(`and data:image/png;base64,${dot}`);
  screen.type(' this', 'Enter');
  await screen.until('[Image: pasted-1.png, 1x1]');
  await screen.until(/and \[pasted-1\.png\] this/);
  screen.type('@repo');
  await screen.until('report.pdf');
  screen.type('', 'Tab');
  await screen.until('@report.pdf');
});

test.runIf(hasTmux && isLong)('escape ends a tool that runs, and its call is answered', async () => {
  const home = newFolder();
  writeTool(home, 'nap', 'exec sleep 60');
  const screen = await chat([{ calls: [{ name: 'nap' }] }, { text: 'Good morning.' }], ['chat'], { home });
  screen.type('sleep', 'Enter');
  await screen.until(/Allow nap/);
  // A line that is being written goes on; only an empty one answers.
  screen.type('hAy');
  await screen.until('send or clear your line first');
  screen.type('', 'BSpace', 'BSpace', 'BSpace');
  await screen.until('y yes');
  screen.type('y');
  await screen.until(/… nap|working/);
  screen.type('', 'Escape');
  const stopped = await screen.until('Stopped. What was said so far is kept.');
  expect(stopped).toMatch(/✗ .*nap/);
  screen.type('wake up', 'Enter');
  await screen.until('Good morning.');
  expect(JSON.stringify(open.server?.requests.at(-1)?.body)).toContain('Cancelled');
});

test.runIf(hasTmux && isLong)(
  'a long answer survives a resize in its middle, and nothing said meanwhile is lost',
  async () => {
    const long = Array.from({ length: 20 }, (_, at) => `Paragraph ${at} with 表記 and **bold** words.`).join('\n\n');
    const screen = await chat([{ text: long, slow: 8 }, { text: 'Noted.' }]);
    screen.type('tell me', 'Enter');
    await screen.until('Paragraph 3 ');
    screen.resize(44, 24);
    screen.type('and more', 'Enter');
    await screen.until('› and more');
    screen.resize(100, 40);
    const shown = await screen.until('Noted.');
    expect(shown).toContain('Paragraph 19 with 表記 and bold words.');
    expect(heard()).toContain('and more');
  },
);

test.runIf(hasTmux && isLong)('commands: title, export, view, compact, fork, sessions', async () => {
  const home = newFolder();
  const screen = await chat(
    ({ transcript }) => {
      const asked = JSON.stringify(transcript.messages.at(-1)?.content ?? '');
      return {
        text: asked.includes('Sum up') ? 'They greeted.' : `Answer to ${/hello \w+/.exec(asked)?.[0] ?? ''}.`,
      };
    },
    ['chat'],
    { home, env: { HOME: home } },
  );
  for (const word of ['one', 'two @chart.png', 'three', 'four']) {
    screen.type(`hello ${word}`, 'Enter');
    await screen.until(`Answer to hello ${word.split(' ')[0] ?? ''}.`);
  }
  screen.command('/title Greetings');
  await screen.until('is now called "Greetings"');
  screen.command('/export ~/talk.html');
  await screen.until(`Written to ${home}/talk.html.`);
  expect(readFileSync(join(home, 'talk.html'), 'utf8')).toContain('Answer to hello four');
  screen.command('/view 2a189ab4');
  await screen.until(/\[Image: chart\.png, 640x400\][^]*four[^]*|▀{20}/);
  screen.command('/compact');
  await screen.until('4 earlier messages are from now on sent as a summary.');
  screen.type('hello five', 'Enter');
  await screen.until('Answer to hello five.');
  const sent = JSON.stringify(open.server?.requests.at(-1)?.body);
  expect(sent).toContain('They greeted.');
  expect(sent).not.toContain('hello one');
  screen.command('/fork');
  await screen.until('This is a copy');
  screen.command('/sessions');
  await screen.until(/→ Greetings +now · 10 messages/);
  screen.type('', 'Enter');
  await screen.until('Answer to hello five.');
  screen.command('/nonsense');
  await screen.until('There is no command /nonsense');
});

test.runIf(hasTmux && isLong)('the bare name opens the chat, and NO_COLOR is honoured', async () => {
  const screen = await chat([{ thinking: 'Hm.', text: '# Title\n\n**bold**' }], [], {
    env: { NO_COLOR: '1', SIGHTLINE_GRAPHICS: '' },
  });
  screen.type('look @chart.png', 'Enter');
  await screen.until('bold');
  await screen.until('[Image: chart.png, 640x400]');
  // The cursor is shown by turning its letter over; nothing else is styled.
  const harmless = new RegExp(String.raw`${'\u001B'}\[(?:0|7|27|39|49)?m`, 'g');
  expect(screen.styled().replaceAll(harmless, '')).not.toContain('\u001B[');
});

test.runIf(hasTmux)('a dumb terminal gets the same chat line by line', async () => {
  const shell = ['sh', '-c', 'TERM=dumb "$@"; echo "ended with $?"; sleep 60', 'sh', process.execPath, mainFile];
  open.server = await scriptedServer(
    script([
      { calls: ['a', 'b'].map((path) => ({ name: 'fetch_url', input: { url: `https://example.com/${path}` } })) },
      { text: 'Then **not**.' },
    ]),
  );
  const env = { SIGHTLINE_HOME: newFolder(), ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: open.server.url };
  open.screen = openScreen(shell, { cwd: examples, env });
  await open.screen.until('/help, /quit');
  open.screen.type('fetch it', 'Enter');
  const asked = await open.screen.until('[y]es, [n]o, [a]lways');
  expect(asked).toMatch(/· fetch_url .*\n· fetch_url .*\nAllow fetch_url .*\n\[y\]es, .*older:$/m);
  open.screen.type('n', 'Enter');
  await open.screen.until('Allow fetch_url {"url":"https://example.com/b"}?');
  open.screen.type('n', 'Enter');
  await open.screen.until('Then **not**.');
  open.screen.type('/quit', 'Enter');
  const shown = await open.screen.until('ended with 0');
  expect(shown).toMatch(/Go on with: sightline chat -r [a-z0-9]{12}/);
});

test.runIf(hasTmux)(
  'ctrl+c at a list of a dumb terminal closes the list, and the next line is a question',
  async () => {
    const shell = ['sh', '-c', 'trap : INT; TERM=dumb "$@"; sleep 60', 'sh', process.execPath, mainFile];
    open.server = await scriptedServer(script([{ text: 'Hello.' }]));
    const env = { SIGHTLINE_HOME: newFolder(), ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: open.server.url };
    open.screen = openScreen(shell, { cwd: examples, env });
    await open.screen.until('/help, /quit');
    open.screen.type('/thinking', 'Enter');
    await open.screen.until('Number or name');
    open.screen.type('', 'C-c');
    await open.screen.until(/as it is:[^]*>\s*$/);
    open.screen.type('hi there', 'Enter');
    expect(await open.screen.until(/Hello\.|all stays as it is/)).toContain('Hello.');
  },
);
