// Pictures in terminals as they are really drawn: each terminal that is installed runs the chat on a display of its own
// (Xvfb), a screenshot is taken, and four colours must stand where they stand in the picture, in its proportions.
// Needs Debian's xvfb, imagemagick and one of xterm, mlterm, kitty, konsole; without them it says so.
//   npm run pictures                  all of them, the screenshots into a temporary folder
//   npm run pictures -- DIR kitty     into a folder, and only terminals whose name begins so
import { spawn, execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { argumentsOf } from './arguments.ts';

type Row = { name: string; program: string; words: readonly string[]; graphics: string; reads?: true };

const program = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const size = '900x640';

const konsole = [
  '--nofork',
  '--hide-menubar',
  '--hide-tabbar',
  '-p',
  'TerminalColumns=90',
  '-p',
  'TerminalRows=32',
  '-e',
];

/** `graphics` is what the chat shall find out by itself, or `read` in its place; where it cannot, it is told. */
const rows: readonly Row[] = [
  { name: 'xterm-sixel', program: 'xterm', words: ['-ti', 'vt340', '-geometry', '90x32', '-e'], graphics: 'found' },
  { name: 'xterm-blocks', program: 'xterm', words: ['-geometry', '90x32', '-e'], graphics: 'blocks' },
  { name: 'mlterm-sixel', program: 'mlterm', words: ['-g', '90x32', '-e'], graphics: 'found' },
  { name: 'xterm-read', program: 'xterm', words: ['-ti', 'vt340', '-geometry', '90x32', '-e'], graphics: 'found', reads: true },
  { name: 'mlterm-read', program: 'mlterm', words: ['-g', '90x32', '-e'], graphics: 'found', reads: true },
  { name: 'mlterm-iterm2', program: 'mlterm', words: ['-g', '90x32', '-e'], graphics: 'iterm2' },
  { name: 'kitty-kitty', program: 'kitty', words: ['-o', 'initial_window_width=90c', '-o', 'initial_window_height=32c', '-o', 'remember_window_size=no'], graphics: 'found' },
  { name: 'konsole-sixel', program: 'konsole', words: konsole, graphics: 'found' },
  { name: 'konsole-kitty', program: 'konsole', words: konsole, graphics: 'kitty' },
  { name: 'konsole-iterm2', program: 'konsole', words: konsole, graphics: 'iterm2' },
]; // prettier-ignore

const colours = [[224, 0, 0], [0, 160, 0], [0, 0, 224], [224, 192, 0]] as const; // prettier-ignore

const [place = join(tmpdir(), 'sightline-pictures'), begins = ''] = argumentsOf(
  import.meta.filename,
  {},
  { words: true },
).positionals;
const needed = ['Xvfb', 'import'].filter((name) => !isInstalled(name));
if (needed.length > 0) {
  console.log(
    `Skipped: ${needed.join(' and ')} must be installed (apt install xvfb imagemagick xterm mlterm kitty konsole).`,
  );
  process.exit(0);
}

const out = resolve(place);
mkdirSync(out, { recursive: true });
const home = mkdtempSync(join(tmpdir(), 'sightline-pictures-home-'));
const pictureFile = join(home, 'colours.png');
const display = `:${90 + (process.pid % 100)}`;
const screen = spawn('Xvfb', [display, '-screen', '0', `${size}x24`, '+extension', 'GLX', '-nolisten', 'tcp'], {
  stdio: 'ignore',
});
let failed = 0;
try {
  await sleep(1500);
  const session = await conversation();
  for (const row of rows.filter(({ name }) => name.startsWith(begins))) {
    if (!isInstalled(row.program)) console.log(`${row.name}: skipped, ${row.program} is not installed`);
    else failed += (await tried(row, session)) ? 0 : 1;
  }
} finally {
  await ended(screen);
  rmSync(home, { recursive: true, force: true });
}
console.log(`Screenshots are in ${out}.`);
process.exit(failed === 0 ? 0 : 1);

function isInstalled(name: string): boolean {
  try {
    execFileSync('which', [name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

type Quarter = { input: { create: { width: number; height: number; channels: 3; background: string } } };

function quarter(background: string): Quarter {
  return { input: { create: { width: 300, height: 200, channels: 3, background } } };
}

/** A conversation with a picture of four colours and words below it. */
async function conversation(): Promise<string> {
  const picture = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#ffffff' } })
    .composite([
      { ...quarter('#e00000'), left: 0, top: 0 },
      { ...quarter('#00a000'), left: 300, top: 0 },
      { ...quarter('#0000e0'), left: 0, top: 200 },
      { ...quarter('#e0c000'), left: 300, top: 200 },
    ])
    .png()
    .toBuffer();
  writeFileSync(pictureFile, picture);
  const data = picture.toString('base64');
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
    { role: 'assistant', content: [{ type: 'text', text: 'Four colours.' }] },
  ];
  const file = join(home, 'talk.json');
  writeFileSync(file, JSON.stringify(messages));
  const told = execFileSync(process.execPath, [program, 'sessions', 'import', file, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, SIGHTLINE_HOME: home },
  });
  return (JSON.parse(told) as { id: string }).id;
}

async function tried({ name, program: terminal, words, graphics, reads }: Row, session: string): Promise<boolean> {
  const {
    SIGHTLINE_GRAPHICS: _told,
    TMUX: _tmux,
    TERM_PROGRAM: _of,
    TERM: _term,
    COLORTERM: _colours,
    ...outer
  } = process.env;
  const env = {
    ...outer,
    DISPLAY: display,
    LIBGL_ALWAYS_SOFTWARE: '1',
    LC_ALL: 'C.UTF-8',
    SIGHTLINE_HOME: home,
    ANTHROPIC_API_KEY: 'none',
    ...(graphics !== 'found' && { SIGHTLINE_GRAPHICS: graphics }),
  };
  const chat = [process.execPath, program, 'chat', '-r', session, '-m', 'anthropic/claude-sonnet-5', '--tools', 'none'];
  const reading = ['sh', '-c', `'${process.execPath}' '${program}' read '${pictureFile}' && sleep 30`];
  const child = spawn(terminal, [...words, ...(reads ? reading : chat)], { env, stdio: 'ignore', detached: true });
  const file = join(out, `${name}.png`);
  let seen = 'nothing was drawn';
  for (let turn = 0; turn < 20 && seen !== ''; turn++) {
    await sleep(1000);
    execFileSync('import', ['-display', display, '-window', 'root', file]);
    seen = await wrong(file);
  }
  await ended(child);
  console.log(`${name}: ${seen === '' ? 'drawn as it is' : seen}`);
  return seen === '';
}

/** What is wrong with the picture on a screenshot; nothing when it is right. */
async function wrong(file: string): Promise<string> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const boxes = colours.map((colour) => boxOf(data, info.width, colour));
  const [red, green, blue, yellow] = boxes;
  if (!red || !green || !blue || !yellow) return `of four colours only ${boxes.filter(Boolean).length} are seen`;
  if (!(red.right <= green.left + 8 && blue.right <= yellow.left + 8)) return 'left and right are mixed';
  if (!(red.bottom <= blue.top + 16 && green.bottom <= yellow.top + 16)) return 'above and below are mixed';
  const ratio = (yellow.right - red.left + 1) / (yellow.bottom - red.top + 1);
  return Math.abs(ratio - 1.5) > 0.15 ? `its sides are ${ratio.toFixed(2)} to 1 instead of 1.5 to 1` : '';
}

type Box = { left: number; right: number; top: number; bottom: number };

function many(counts: Map<number, number>): number[] {
  return [...counts].flatMap(([at, count]) => (count > 20 ? [at] : []));
}

/** Where a colour is, stray pixels left out. */
function boxOf(data: Uint8Array, width: number, wanted: readonly number[]): Box | undefined {
  const [across, down] = [new Map<number, number>(), new Map<number, number>()];
  for (let at = 0; at < data.length; at += 3) {
    if (wanted.some((value, channel) => Math.abs((data[at + channel] ?? 0) - value) > 40)) continue;
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    across.set(x, (across.get(x) ?? 0) + 1);
    down.set(y, (down.get(y) ?? 0) + 1);
  }
  const [columns, lines] = [many(across), many(down)];
  if (columns.length < 20 || lines.length < 20) return undefined;
  return {
    left: Math.min(...columns),
    right: Math.max(...columns),
    top: Math.min(...lines),
    bottom: Math.max(...lines),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await Promise.race([gone, sleep(3000).then(() => child.kill('SIGKILL'))]);
}
