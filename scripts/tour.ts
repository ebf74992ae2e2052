// What a newcomer sees: the program in tmux, typed into as people type, answered by a scripted model over loopback. Writes the
// tour of the README and the still pictures of the chat into docs/images, made of what stood on the screen. Needs tmux.
//   npm run tour                  all of them
//   npm run tour -- chat-lines    one of them: tour, or the name of a still picture
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { script, scriptedServer } from '../src/model/script/index.ts';
import { hasTmux, openScreen } from '../test/tui/terminal.ts';
import type { Screen } from '../test/tui/terminal.ts';
import { argumentsOf } from './arguments.ts';
import { dark, light, moving, still } from './tour/svg.ts';
import type { Frame } from './tour/svg.ts';

const [wanted] = argumentsOf(import.meta.filename, {}, { words: true }).positionals;
if (!hasTmux) process.exit(0); // it has said so

const program = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const out = fileURLToPath(new URL('../docs/images/', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'sightline-tour-'));
const [work, bin] = [join(root, 'work'), join(root, 'bin')];
for (const folder of [work, bin]) mkdirSync(folder);
for (const name of ['chart.png', 'report.pdf'])
  copyFileSync(fileURLToPath(new URL(`../examples/${name}`, import.meta.url)), join(work, name));
writeFileSync(join(bin, 'sightline'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });

const table = '| quarter | units |\n| --- | ---: |\n| Q1 | 412 |\n| Q2 | 468 |\n| Q3 | 391 |\n| Q4 | 537 |';
const model = await scriptedServer(
  script(
    ({ index }) =>
      [
        {
          text: `Sales in 2026, four bars:\n\n${table}\n\nThe step into **Q4** is the largest: $\\frac{537}{391} \\approx 1.37$.`,
        },
        { calls: [{ name: 'read_file', input: { path: 'report.pdf' } }] },
        {
          text: 'The same figures, and why:\n\n- 1808 units in all\n- Q3 was weak\n  - *the Lyon warehouse* was closed',
        },
      ][index % 3] ?? { text: 'Yes.' },
  ),
);

const base = {
  HOME: root,
  PS1: '$ ',
  SIGHTLINE_HOME: join(root, 'home'),
  SIGHTLINE_MODEL: 'anthropic/claude-sonnet-5',
  ANTHROPIC_API_KEY: 'none',
  ANTHROPIC_BASE_URL: model.url,
  COLORTERM: 'truecolor',
  TERM: 'xterm-256color',
  NO_UPDATE_NOTIFIER: '1',
};

type Look = { columns: number; rows: number; env?: Record<string, string> };

function terminal({ columns, rows, env = {} }: Look): Screen {
  const start = `export PATH='${bin}':$PATH PS1='$ '; exec bash --norc --noprofile -i`;
  return openScreen(['bash', '-c', start], { columns, rows, cwd: work, env: { ...base, ...env } });
}

/** The screen each time it has changed, and for how long it stood. A long wait is cut short. */
function recorder(screen: Screen): { pause: (ms: number) => Promise<void>; frames: Frame[] } {
  const frames: Frame[] = [];
  return {
    frames,
    pause: async (ms) => {
      for (let left = ms; left > 0; left -= 100) {
        await sleep(100);
        const now = screen.styled().trimEnd();
        const last = frames.at(-1);
        if (last?.screen === now) last.ms = Math.min(last.ms + 150, 6000);
        else frames.push({ screen: now, ms: 150 });
      }
    },
  };
}

/** As people type: letter by letter, with a pause at the end of a word; or all at once. */
async function typed(
  words: string,
  screen: Screen,
  pause: (ms: number) => Promise<void>,
  quick = false,
): Promise<void> {
  for (const piece of quick ? [words] : (words.match(/\S{1,3}|\s/g) ?? [])) {
    screen.type(piece);
    await pause(quick ? 100 : 100);
  }
}

async function tour(): Promise<void> {
  const look = { columns: 88, rows: 30 };
  const screen = terminal(look);
  const { pause, frames } = recorder(screen);
  try {
    await screen.until('$');
    await pause(600);
    await typed(
      'sightline read chart.png -m anthropic/claude-sonnet-5,openai-chat/gpt-4.1,ollama/llama3.1',
      screen,
      pause,
    );
    screen.type('', 'Enter');
    await screen.until(/ollama\/llama3\.1 +in the result/);
    await pause(3500);
    screen.type('clear', 'Enter');
    await typed('sightline', screen, pause);
    screen.type('', 'Enter');
    await screen.until('/help');
    await pause(900);
    await typed('what does @chart.png show?', screen, pause);
    screen.type('', 'Enter');
    await screen.until('1.37');
    await pause(3500);
    await typed('and what does the report say?', screen, pause);
    screen.type('', 'Enter');
    await screen.until('Q3 was weak');
    await pause(3500);
    await typed('/explain', screen, pause, true);
    screen.type('', 'Enter');
    await pause(3500);
    writeFileSync(join(out, 'tour.svg'), moving(frames, look.columns, look.rows, dark));
    const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    console.log(`tour.svg: ${frames.length} pictures, ${seconds.toFixed(0)} s`);
  } finally {
    screen.close();
  }
}

const stills: (Look & { name: string; palette: typeof dark })[] = [
  { name: 'chat-80x24', columns: 80, rows: 24, palette: dark },
  { name: 'chat-120x40', columns: 120, rows: 40, palette: light },
  { name: 'chat-40x24', columns: 40, rows: 24, palette: dark },
  { name: 'chat-no-color', columns: 80, rows: 24, palette: light, env: { NO_COLOR: '1' } },
  { name: 'chat-lines', columns: 80, rows: 24, palette: light },
];

/** The same three things in each surrounding; the second question is pasted at once. */
async function looked({ name, palette, ...look }: (typeof stills)[number], at: number): Promise<void> {
  const screen = terminal({ ...look, env: { ...look.env, SIGHTLINE_HOME: join(root, `home-${at}`) } });
  const { pause } = recorder(screen);
  try {
    await screen.until('$');
    const isPlain = name === 'chat-lines'; // tmux names its terminal itself, so it is said here
    screen.type(`${isPlain ? 'TERM=dumb ' : ''}sightline chat`, 'Enter');
    await screen.until(isPlain ? /^>/m : '/help');
    await typed('what does @chart.png show?', screen, pause);
    screen.type('', 'Enter');
    await screen.until(/1\.37|≈/);
    await pause(400);
    screen.command('and what does the report say?');
    await screen.until('Q3 was weak');
    await pause(800);
    writeFileSync(join(out, `${name}.svg`), still(screen.styled().trimEnd(), look.columns, look.rows, palette));
    console.log(`${name}.svg`);
  } finally {
    screen.close();
  }
}

try {
  if (wanted === undefined || wanted === 'tour') await tour();
  for (const [at, row] of stills.entries()) if (wanted === undefined || wanted === row.name) await looked(row, at);
} finally {
  await model.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 20 });
}
