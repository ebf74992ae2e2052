// What stands on the screen: every line fits, nothing that came from outside steers the terminal.
import * as fc from 'fast-check';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import { memoryAssets } from '../../src/content/memory-assets.ts';
import type { Block } from '../../src/content/block.ts';
import { read } from '../../src/media/index.ts';
import { commandOf } from '../../src/tui/commands.ts';
import { filesLike } from '../../src/tui/completions.ts';
import { Markdown, visibleWidth } from '../../src/tui/kit.ts';
import type { Component, Container } from '../../src/tui/kit.ts';
import { changeLine } from '../../src/tui/receipts.ts';
import { money } from '../../src/content/figures.ts';
import { meterOf, statusText } from '../../src/tui/status.ts';
import { themeOf } from '../../src/tui/theme.ts';
import type { Attached } from '../../src/message/attached.ts';
import { conversationView } from '../../src/tui/view/conversation.ts';
import type { ConversationView } from '../../src/tui/view/conversation.ts';
import { hintLine } from '../../src/tui/view/hint.ts';
import { growingMarkdown } from '../../src/tui/view/markdown.ts';
import { questionLines } from '../../src/tui/view/question.ts';
import { still } from '../../src/tui/view/view.ts';
import type { Scene } from '../../src/tui/view/view.ts';

function newScene(): Scene {
  return {
    theme: themeOf(false),
    graphics: 'none',
    cell: () => ({ width: 9, height: 18 }),
    assets: memoryAssets(),
    open: { thinking: false, calls: false },
    redraw: () => undefined,
  };
}

function answer(conversation: ConversationView, words: string): void {
  const call = { type: 'call', id: 'c1', name: words, input: { path: words } } as const;
  const result = { role: 'tool', callId: 'c1', name: words, content: [{ type: 'text', text: words }] } as const;
  const events: AgentEvent[] = [
    { type: 'message-start', model: 'a/b' },
    { type: 'block-start', index: 0, block: { type: 'thinking', text: '' } },
    { type: 'block-delta', index: 0, kind: 'thinking', text: words },
    { type: 'block-start', index: 1, block: { type: 'text', text: '' } },
    { type: 'block-delta', index: 1, kind: 'text', text: words },
    { type: 'call-start', call },
    { type: 'call-progress', call, text: words },
    { type: 'call-end', call, result: { ...result, content: [...result.content] }, ms: 1234 },
    { type: 'request-healed', why: words, receipts: [] },
  ];
  for (const event of events) conversation.event(event);
}

const asset = { id: `sha256:${'ab'.repeat(32)}`, mediaType: 'image/png', size: 3 } as const;

test('an answer with thinking, text and a call', () => {
  const scene = newScene();
  const conversation = conversationView(scene);
  conversation.said([{ type: 'text', text: 'Hello' }]);
  answer(conversation, 'some words');
  const shown = conversation.component.render(60).join('\n');
  expect(shown).toContain(' › Hello');
  expect(shown).toContain('▸ thinking (2 words) · ctrl+t opens');
  expect(shown).toContain('✓ 1.2 s some words {"path":"some words"}');
  scene.open.thinking = true;
  expect(conversation.component.render(60).join('\n')).toContain('▾ thinking\n   some words');
});

const shownOn = (name: string): Block => ({ type: 'image', asset: { ...asset, name }, width: 64, height: 48 });

test('what a tool shows on its way is on the screen, the newest alone, until its result takes its place', () => {
  const conversation = conversationView(newScene());
  const call = { type: 'call', id: 'c1', name: 'draw', input: {} } as const;
  const shown = (): string => conversation.component.render(60).join('\n');
  conversation.event({ type: 'call-start', call });
  conversation.event({ type: 'call-progress', call, text: 'a sketch', content: [shownOn('sketch.png')] });
  expect(shown()).toContain('[Image: sketch.png, 64x48]');
  conversation.event({ type: 'call-progress', call, text: 'with colours', content: [shownOn('colours.png')] });
  expect(shown()).toContain('[Image: colours.png, 64x48]');
  expect(shown()).not.toContain('sketch.png');
  const result = { role: 'tool', callId: 'c1', name: 'draw', content: [shownOn('done.png')] } as const;
  conversation.event({ type: 'call-end', call, result: { ...result, content: [...result.content] }, ms: 5 });
  expect(shown()).toContain('[Image: done.png, 64x48]');
  expect(shown()).not.toContain('colours.png');
});

const calledAs = (id: string, name: string, input: unknown): Block => ({ type: 'call', id, name, input });

test('a picture that the model made, and what it gives along, stand with its answer, also on another day', () => {
  const made = shownOn('made.png');
  const chart = shownOn('chart.png');
  const file = { ...asset, id: `sha256:${'cd'.repeat(32)}`, mediaType: 'application/zip', name: 'all.zip' } as const;
  const conversation = conversationView(newScene());
  const shown = (): string => conversation.component.render(60).join('\n');
  conversation.event({ type: 'block-end', index: 0, block: made });
  expect(shown()).toContain('[Image: made.png, 64x48]');
  const attachments: Attached[] = [chart as Attached, { type: 'file', asset: file }];
  conversation.event({ type: 'run-end', stop: 'end', usage: { inputTokens: 1, outputTokens: 1 }, attachments });
  expect(shown()).toMatch(/\[Image: chart\.png, 64x48\][^]*\[application\/zip "all\.zip"\]/);
  const later = conversationView(newScene());
  later.replay([
    { role: 'user', content: [{ type: 'text', text: 'Draw.' }] },
    { role: 'assistant', model: 'a/b', content: [calledAs('c1', 'draw', {})] },
    { role: 'tool', callId: 'c1', name: 'draw', content: [{ type: 'text', text: 'x' }], kept: [file] },
    { role: 'assistant', model: 'a/b', content: [calledAs('c2', 'attach_to_response', { assets: ['cdcdcdcd'] })] },
    { role: 'tool', callId: 'c2', name: 'attach_to_response', content: [{ type: 'text', text: 'ok' }] },
    { role: 'assistant', model: 'a/b', content: [{ type: 'text', text: 'Here.' }, made] },
  ]);
  const replayed = later.component.render(60).join('\n');
  expect(replayed).toMatch(/Here\.[^]*\[Image: made\.png, 64x48\][^]*\[application\/zip "all\.zip"\]/);
});

test('a result that came late is told below the calls, not in the place of their answer', () => {
  const conversation = conversationView(newScene());
  const call = { type: 'call', id: 'c1', name: 'draw', input: {} } as const;
  const message = { role: 'tool', callId: 'c1', name: 'draw', content: [shownOn('late.png')], late: true } as const;
  conversation.event({ type: 'call-start', call });
  const stopped = {
    role: 'tool',
    callId: 'c1',
    name: 'draw',
    content: [{ type: 'text', text: 'took too long' }],
  } as const;
  conversation.event({
    type: 'call-end',
    call,
    result: { ...stopped, content: [...stopped.content], isError: true },
    ms: 5,
  });
  conversation.event({ type: 'message-added', message: { ...message, content: [...message.content] } });
  const shown = conversation.component.render(70).join('\n');
  expect(shown).toMatch(/took too long[^]*draw gave its result after its time was over[^]*\[Image: late\.png, 64x48\]/);
});

test('long results are folded to three lines until they are opened', () => {
  const scene = newScene();
  const conversation = conversationView(scene);
  answer(conversation, 'a\nb\nc\nd\ne');
  const folded = conversation.component.render(60).join('\n');
  expect(folded).toContain('… 2 more lines · ctrl+o opens');
  scene.open.calls = true;
  expect(conversation.component.render(60).join('\n')).not.toContain('more lines');
});

test('JSON is folded to a line for each thing in it, and opened as it is', () => {
  const scene = newScene();
  const conversation = conversationView(scene);
  const orders = Array.from({ length: 12 }, (_, id) => ({ id, total: 30.5, lines: [{ sku: 'a' }] }));
  answer(conversation, JSON.stringify({ orders, next: 'abc', text: 'long '.repeat(40), box: [1, 2, 3, 4], page: 1 }));
  const folded = conversation.component.render(72);
  expect(folded.filter((row) => row.startsWith('   '))).toEqual([
    '   orders: 12 items, the first { id, total, lines }',
    '   next: "abc"',
    expect.stringMatching(/^ {3}text: "long long .*\.\.\./),
    '   … 2 more lines · ctrl+o opens',
  ]);
  expect(folded.every((row) => visibleWidth(row) <= 72)).toBe(true);
  scene.open.calls = true;
  const opened = conversation.component.render(72).join('\n');
  expect(opened).toContain('     "orders": [\n       {\n         "id": 0,');
  expect(opened).toMatch(/… \d+ more lines$/m);
});

test('a short JSON says that there is more of it; a text that only looks like it stays', () => {
  const conversation = conversationView(newScene());
  answer(conversation, '[{"name":"a","size":1},{"name":"b","size":2}]');
  const shown = conversation.component.render(60).join('\n');
  expect(shown).toContain('   - { name: "a", size: 1 }\n   - { name: "b", size: 2 }\n   ctrl+o opens');
  const other = conversationView(newScene());
  answer(other, '{ not: json }');
  expect(other.component.render(60).join('\n')).toContain('   { not: json }\n');
});

test('a restart takes the broken answer from the screen', () => {
  const conversation = conversationView(newScene());
  conversation.event({ type: 'message-start', model: 'a/b' });
  conversation.event({ type: 'block-start', index: 0, block: { type: 'text', text: 'half a sent' } });
  conversation.event({ type: 'step-restart', step: 1, model: 'a/b', why: 'It broke off.' });
  const shown = conversation.component.render(60).join('\n');
  expect(shown).not.toContain('half a sent');
  expect(shown).toContain('It broke off. Trying again with a/b.');
});

test('a picture that a tool gave is named once', () => {
  const conversation = conversationView(newScene());
  const picture = { type: 'image', asset: { ...asset, name: 'photo.png' }, width: 640, height: 480 } as const;
  const words = '[Image: photo.png, 640x480, 6,352 bytes, .png]\nTaken in March.';
  const content = [{ type: 'text', text: words }, picture] as const;
  conversation.replay([
    { role: 'assistant', model: 'a/b', content: [{ type: 'call', id: 'c1', name: 'look', input: {} }] },
    { role: 'tool', callId: 'c1', name: 'look', content: [...content] },
  ]);
  const shown = conversation.component.render(80).join('\n');
  expect(shown.match(/photo\.png/g)).toHaveLength(1);
  expect(shown).toContain('Taken in March.');
});

test('media are named as people know them', () => {
  const scene = newScene();
  const conversation = conversationView(scene);
  conversation.media({ type: 'image', asset: { ...asset, name: 'photo.png' }, width: 640, height: 480 });
  const pdf = { ...asset, name: 'report.pdf', mediaType: 'application/pdf' };
  conversation.media({ type: 'document', asset: pdf, pages: 47, range: [0, 20] });
  const type = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
  const deck = { ...asset, name: 'talk.pptx', mediaType: type };
  conversation.media({ type: 'document', asset: deck, pages: 9, range: [1, 3] });
  const shown = conversation.component.render(80).join('\n');
  expect(shown).toContain('[Document: talk.pptx, pages 2-3 of 9]');
  expect(shown).toContain('[Image: photo.png, 640x480]');
  expect(shown).toContain('[PDF: report.pdf, pages 1-20 of 47]');
  expect(shown).toContain('alt+n next');
  expect(shown).not.toContain('image/png');
  scene.open.calls = true;
  expect(conversation.component.render(80).join('\n')).toContain('640x480, 3 B, image/png, asset abababab]');
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u001B]52;c;cm0gLXJm\u0007',
    '\u001B]8;;http://evil\u001B\\click\u001B]8;;\u001B\\',
    '\u001B[2J\u001B[H',
    '\u202Egnp.exe',
    '\u009B31m',
    'x'.repeat(5000),
    '表'.repeat(300),
    '👩‍👩‍👧‍👦'.repeat(40),
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '```\ncode',
    '- '.repeat(30),
  ),
);

const escape = '\u001B';
const styles = new RegExp(String.raw`${escape}\[[\d;]*m`, 'g');

test('no line is wider than the screen, and nothing from outside steers the terminal', () => {
  fc.assert(
    fc.property(
      fc.array(hostile, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 12, max: 120 }),
      (parts, width) => {
        const words = parts.join(' ');
        const scene = newScene();
        scene.open = { thinking: true, calls: true };
        const conversation = conversationView(scene);
        conversation.said([{ type: 'text', text: words }]);
        answer(conversation, words);
        conversation.media({ type: 'image', asset: { ...asset, name: words }, width: 1, height: 1 });
        conversation.note(words, 'bad');
        for (const line of conversation.component.render(width)) {
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          // Styles are the library's own; nothing else may begin with an escape.
          expect(line.replaceAll(styles, '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
        }
      },
    ),
    { numRuns: 150, examples: [[['\t', '31m'], 12]] },
  );
});

test.each([
  ['/help', { name: 'help', argument: '' }],
  ['/mod openai/gpt-5.2', { name: 'model', argument: 'openai/gpt-5.2' }],
  ['/ex', { unknown: 'ex' }],
  ['/nonsense', { unknown: 'nonsense' }],
  ['/etc/hosts is a file', undefined],
  ['what is /help?', undefined],
])('%j is understood', (line, command) => {
  const found = commandOf(line);
  if (command === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(command);
});

test('the status line counts tokens, bytes, pictures, cache and money', () => {
  const meter = { ...meterOf('a/b'), tokens: 12_345, window: 200_000, bytes: 1_400_000, images: 2, cost: 0.0123 };
  meter.usage = { inputTokens: 1000, outputTokens: 10, cachedTokens: 900 };
  expect(statusText(meter)).toBe('a/b · 12k of 200k tokens (6 %) · 1.4 MB · 2 pictures · 90 % cached · $0.0123');
  expect(statusText(meter, 60)).toBe('a/b · 12k of 200k tokens (6 %) · $0.0123');
  expect(statusText(meter, 20)).toBe('a/b · 6 % · $0.0123');
  expect(statusText(meter, 15)).toMatch(/^\$0\.0123 · a\/b/);
  expect([money(0), money(0.00001), money(0.0312), money(12.345)]).toEqual(['$0.00', '<$0.0001', '$0.0312', '$12.35']);
});

test('a list keeps its columns where there is room, and puts words below names where there is none', () => {
  const conversation = conversationView(newScene());
  conversation.list([
    ['/help', 'commands and keys'],
    ['/model <name>', 'go on with another model; \u001B[31mthe history is planned anew'],
  ]);
  expect(conversation.component.render(50).map((row) => row.trimEnd())).toEqual([
    '',
    ' /help          commands and keys',
    ' /model <name>  go on with another model;',
    `${' '.repeat(16)}\\x1b[31mthe history is planned`,
    `${' '.repeat(16)}anew`,
  ]);
  const narrow = conversation.component.render(24);
  expect(narrow.slice(1, 3).map((row) => row.trimEnd())).toEqual([' /help', '   commands and keys']);
  expect(Math.max(...narrow.map(visibleWidth))).toBeLessThanOrEqual(24);
});

test('what changed on the way is told once', () => {
  const told = new Set<string>();
  const receipts = [
    { action: 'reduced', subject: 'a', why: '' },
    { action: 'reduced', subject: 'b', why: '' },
    { action: 'inside', subject: 'c', why: '' },
  ] as const;
  expect(changeLine(receipts, told)).toBe('2 made smaller');
  expect(changeLine(receipts, told)).toBeUndefined();
  const moved = { action: 'checkpoint', subject: 'tools-changed', why: '' } as const;
  expect(changeLine([moved], told)).toBe('the request was planned anew, because the tools changed');
});

const parts = fc.constantFrom(
  'A paragraph of some words.',
  '# A heading',
  '- one\n- two',
  '1. first\n\n2. second',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '> quoted\n> words',
  '**bold** and `code` and 表記 letters',
);

function linesOf(component: Component): string[] {
  return component.render(70).map((line) => line.trimEnd());
}

test('Markdown that arrives in pieces is what it is as a whole', () => {
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 90 }), (texts, size) => {
      const whole = texts.join('\n\n');
      const growing = growingMarkdown(themeOf(false));
      for (let at = 0; at < whole.length; at += size) growing.add(whole.slice(at, at + size));
      expect(linesOf(growing.component)).toEqual(linesOf(new Markdown(whole, 1, 0, themeOf(false).markdown)));
    }),
    { numRuns: 60 },
  );
});

test('a long answer costs as much per piece at its end as at its beginning', () => {
  const growing = growingMarkdown(themeOf(false));
  const paragraph = 'Some **words** that go on for a while, with `code` in them and more to come.\n\n';
  const openParts: number[] = [];
  for (let piece = 0; piece < 400; piece++) {
    growing.add(paragraph);
    growing.component.render(80);
    openParts.push(growing.component.render(80).length);
  }
  expect(openParts.at(-1)).toBeGreaterThan(790);
  // What is finished is not parsed again: the same lines come back, not equal ones.
  const [first] = (growing.component as Container).children;
  expect(first?.render(80)).toBe(first?.render(80));
  expect((growing.component as Container).children.length).toBeGreaterThan(20);
});

/** How many characters the largest part is made of, each of which is parsed when it changes. */
function largestPart(text: string, size: number): number {
  const parsed = vi.spyOn(Markdown.prototype, 'setText');
  try {
    const growing = growingMarkdown(themeOf(false));
    for (let at = 0; at < text.length; at += size) growing.add(text.slice(at, at + size));
    expect(linesOf(growing.component)).toEqual(linesOf(new Markdown(text, 1, 0, themeOf(false).markdown)));
    return Math.max(...parsed.mock.calls.map(([part]) => part.length));
  } finally {
    parsed.mockRestore();
  }
}

const manyOf = (line: (at: number) => string): string => Array.from({ length: 2000 }, (_, at) => line(at)).join('\n');

describe('a long answer is drawn in small parts, at once or as it comes, and looks as it would in one', () => {
  const rows: [string, string][] = [
    ['items', manyOf((at) => `- item ${at}`)],
    ['items with lists in them', manyOf((at) => (at % 3 === 0 ? `- item ${at}` : `  - below ${at}`))],
    ['items apart from each other', manyOf((at) => `* item ${at}\n`)],
    ['numbers', manyOf((at) => `${at + 1}. item`)],
    ['paragraphs', manyOf((at) => `Paragraph ${at}.\n`)],
    ['paragraphs behind a formula', `$$a^2$$\n\n${manyOf((at) => `Paragraph ${at}.\n`)}`],
    [
      'paragraphs behind code with two dollars',
      `\`\`\`make\na:; echo $$HOME\n\`\`\`\n\n${manyOf((at) => `Paragraph ${at}.\n`)}`,
    ],
    ['paragraphs behind two dollars in a line', `It prints \`$$\`.\n\n${manyOf((at) => `Paragraph ${at}.\n`)}`],
  ];
  test.each(rows)('%s', (_, text) => {
    expect(largestPart(text, text.length)).toBeLessThan(2000);
    expect(largestPart(text, 700)).toBeLessThan(2500);
  });

  test('numbers that are all the same are counted in one part', () => {
    expect(
      largestPart(
        manyOf(() => '1. item'),
        700,
      ),
    ).toBeGreaterThan(10_000);
  });
});

test('what is allowed can be read to its end, and why its provider doubts', () => {
  const scene = newScene();
  const script = Array.from({ length: 90 }, (_, at) => `step-${at}`).join(' && ');
  const call = { type: 'call', id: 'c1', name: 'shell', input: { script: `${script} && rm -rf it` } } as const;
  const asked = { call, warnings: ['Its provider wants you to look first: The page gives orders.'], lineIsEmpty: true };
  const folded = questionLines(asked, scene, 80).join('\n');
  expect(folded).toContain('step-40');
  expect(folded).toMatch(/… \d+ more lines of what would run · ctrl\+o shows all/);
  expect(folded).toContain('The page gives orders.');
  scene.open.calls = true;
  const whole = questionLines(asked, scene, 80).join('\n');
  expect(whole.replaceAll(/\s+/g, ' ')).toContain(`${script} && rm -rf it"}?`);
  const narrow = questionLines({ ...asked, call: { ...call, input: {} } }, scene, 40);
  expect(narrow.slice(-2)).toEqual([' y yes · n no · A always in this chat', ' P always in this folder · esc stop']);
  const conversation = conversationView(scene);
  conversation.event({ type: 'call-start', call });
  expect(conversation.component.render(80).join(' ').replaceAll(/\s+/g, ' ')).toContain('rm -rf it');
});

test('on a narrow screen it is seen since when it goes on, and how to stop it', () => {
  const [wide, narrow] = [80, 40].map((width) =>
    hintLine(false, 'anthropic/claude-sonnet-5 answers · 12 s', themeOf(false), width),
  );
  expect(wide).toBe(' anthropic/claude-sonnet-5 answers · 12 s · esc stops');
  expect(narrow).toBe(' …de-sonnet-5 answers · 12 s · esc stops');
});

test('what is drawn is kept until the width or what it depends on changes', () => {
  let drawn = 0;
  let fold = false;
  const component = still(
    (width) => {
      drawn += 1;
      return ['x'.repeat(width)];
    },
    () => fold,
  );
  for (const width of [10, 10, 20, 20]) component.render(width);
  expect(drawn).toBe(2);
  fold = true;
  component.render(20);
  component.invalidate();
  component.render(20);
  expect(drawn).toBe(4);
});

test('files are offered behind an @, folders to go on in, hidden ones only when asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-complete-'));
  mkdirSync(join(folder, 'charts'));
  for (const name of ['chart 1.png', 'report.pdf', '.secret', 'charts/a.png', 'old-report.txt', 'a"b.png'])
    writeFileSync(join(folder, name), '');
  const offers = async (start: string): Promise<string[]> => (await filesLike(start, folder)).map(({ value }) => value);
  expect(await offers('ch')).toEqual(['@"chart 1.png"', '@charts/']);
  expect(await offers('rep')).toEqual(['@report.pdf']);
  expect(await offers('port')).toEqual(['@old-report.txt', '@report.pdf']);
  expect(await offers('charts/')).toEqual(['@charts/a.png']);
  expect(await offers('.')).toEqual(['@.secret']);
  expect(await offers('a"')).toEqual([]);
  expect(await offers('nowhere/')).toEqual([]);
});

test('where a page could only be drawn in blocks, its words are shown, and the page when it is asked for', async () => {
  const scene: Scene = { ...newScene(), graphics: 'blocks' };
  const reading = await read('examples/report.pdf', { assets: scene.assets });
  const document = reading.ok ? reading.value.blocks.find(({ type }) => type === 'document') : undefined;
  if (document?.type !== 'document') throw new Error('the report is no document');
  const conversation = conversationView(scene);
  conversation.said([document]);
  const shown = (): string => conversation.component.render(80).join('\n');
  await expect.poll(shown).toContain('  │ ');
  expect(shown()).toContain('alt+t page · alt+o opens it');
  conversation.pager()?.toggleText();
  await expect.poll(shown).toContain('▀');
  expect(shown()).toContain('alt+t text');
});

test('a session that goes on shows what it has cost, media of long ago by name', () => {
  expect(statusText(meterOf('a/b', { inputTokens: 1000, outputTokens: 10, cost: 0.5 }))).toBe('a/b · $0.50');
  expect(statusText(meterOf('a/b', { inputTokens: 1000, outputTokens: 10 }))).toBe('a/b');
  const scene: Scene = { ...newScene(), graphics: 'blocks' };
  const conversation = conversationView(scene);
  const picture: Block = { type: 'image', asset: { ...asset, name: 'old.png' }, width: 640, height: 480 };
  const call = { type: 'call', id: 'c9', name: 'shot', input: {} } as const;
  conversation.replay([
    {
      role: 'user',
      content: [{ type: 'text', text: '[attached: old.png]' }, picture, { type: 'text', text: 'what?' }],
    },
    { role: 'assistant', model: 'a/b', content: [call] },
    { role: 'tool', callId: 'c9', name: 'shot', content: [{ type: 'text', text: 'taken' }] },
  ]);
  const shown = conversation.component.render(80).join('\n');
  expect(shown).toContain('[Image: old.png, 640x480]');
  expect(shown).toContain(' › what?');
  expect(shown).toContain(' ✓ shot {}');
});
