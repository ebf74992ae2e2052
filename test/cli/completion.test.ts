// `sightline completion` in the shells themselves: bash, zsh and fish, where they are installed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeProgram } from '../program.ts';
import { hasTmux, openScreen } from '../tui/terminal.ts';
import type { Screen } from '../tui/terminal.ts';
import { mainFile, newFolder, run } from './run.ts';
import { onlySome } from '../some.ts';

onlySome(3);

const root = newFolder();
const [home, work, bin] = [join(root, 'home'), join(root, 'work'), join(root, 'bin')];
const env = {
  SIGHTLINE_HOME: home,
  HOME: root,
  SILICA_TOOLS_DIR: join(root, 'silica'),
  OLLAMA_HOST: 'http://127.0.0.1:9',
  PATH: `${bin}:${process.env['PATH'] ?? ''}`,
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  GEMINI_API_KEY: '',
};
const spec = '{"name":"hello","description":"Says hello.","input_schema":{"type":"object"}}';
const scripts: Record<string, string> = {};
let session = '';

beforeAll(async () => {
  for (const folder of [join(home, 'tools'), join(work, 'sub'), bin]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, 'config.toml'), '[models.mine]\nmodel = "compatible/x"\nbase_url = "http://127.0.0.1:9"\n');
  writeProgram(join(home, 'tools', 'hello.sh'), `#!/bin/sh\necho '${spec}'\n`);
  writeFileSync(join(work, 'report.pdf'), '');
  writeFileSync(join(work, 'talk.json'), JSON.stringify({ version: 1, messages: [{ role: 'user', content: 'Hi' }] }));
  writeProgram(join(bin, 'sightline'), `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`);
  const shells = ['bash', 'zsh', 'fish'];
  const [imported, ...made] = await Promise.all([
    run(['sessions', 'import', 'talk.json', '--json'], { cwd: work, env }),
    ...shells.map((shell) => run(['completion', shell], { env })),
  ]);
  session = (JSON.parse(imported.stdout) as { id: string }).id;
  for (const [at, shell] of shells.entries()) scripts[shell] = made[at]?.stdout ?? '';
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What bash offers for a line that ends where the cursor is. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const list = words.map((word) => `'${word}'`).join(' ');
  const ask = `${scripts['bash']}\nCOMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDS=(${list}) COMP_CWORD=${words.length - 1}; _sightline; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', ask], { cwd: work, env: { ...process.env, ...env }, encoding: 'utf8' }).split('\n').filter((word) => word !== ''); // prettier-ignore
}

test('bash completes commands, their commands and their options, and leaves files to the shell', () => {
  const rows: [line: string, offers: string[]][] = [
    ['sightline re', ['read']],
    ['sightline co', ['config', 'completion']],
    ['sightline tools n', ['new']],
    ['sightline models d', ['default']],
    ['sightline read --pa', ['--pages', '--password', '--part']],
    ['sightline read x.pdf --as', ['--as']],
    ['sightline read x.pdf --as ', ['auto', 'text', 'image']],
    ['sightline ask read ', []],
    ['sightline read ', []],
    ['sightline tools new x --la', ['--lang']],
    ['sightline tools new x --lang ', ['ts', 'py', 'sh']],
  ];
  for (const [line, offers] of rows) expect([line, offered(line)]).toEqual([line, offers]);
});

test('bash offers models, sessions and tools by their names', () => {
  expect(offered('sightline ask -m mi')).toEqual(['mine']);
  expect(offered('sightline tools test -m mine he')).toEqual(['hello']);
  expect(offered('sightline tools test hello he')).toEqual([]);
  expect(offered('sightline sessions show ')).toEqual(['last', session]);
});

test('only shells that there are get a script', async () => {
  const other = await run(['completion', 'tcsh']);
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toBe('error: "tcsh" is not bash, zsh or fish\nTry: sightline completion --help\n');
});

function isInstalled(shell: string): boolean {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`${shell} is not installed: its completion is not tried.`);
    return false;
  }
}

const typed = async (words: readonly string[], ready: string, rows: readonly [string, RegExp][]): Promise<void> => {
  const screen: Screen = openScreen(words, { cwd: work, env: { ...env, PS1: '% ', TERM: 'xterm' }, columns: 90 });
  try {
    await screen.until(ready);
    for (const [keys, shown] of rows) {
      screen.type(keys, 'Tab');
      await screen.until(shown);
      screen.type('', 'C-u');
    }
  } finally {
    screen.close();
  }
};

describe.runIf(hasTmux)('on a screen', () => {
  const path = `PATH='${bin}':$PATH\n`; // tmux may have another
  const rows: [string, RegExp][] = [
    ['sightline tools te', /tools test$/m],
    ['sightline tools test he', /tools test hello$/m],
    ['sightline ask -m mi', /ask -m mine$/m],
    ['sightline ask @rep', /ask @report\.pdf/],
    ['sightline ask @sub', /ask @sub\//],
    ['sightline ask "what is in @rep', /ask "what is in @report\.pdf/],
  ];

  test('bash completes what is typed', async () => {
    writeFileSync(join(root, 'rc.bash'), `${scripts['bash']}\n${path}PS1='% '\necho ready\n`);
    await typed(['bash', '--rcfile', join(root, 'rc.bash'), '-i'], 'ready', rows);
  });

  test.runIf(isInstalled('zsh'))('zsh completes what is typed', async () => {
    writeFileSync(join(bin, '_sightline'), scripts['zsh'] ?? '');
    const rc = `${path}fpath=('${bin}' $fpath)\nautoload -Uz compinit\ncompinit -u -D\nPS1='% '\necho ready\n`;
    writeFileSync(join(root, '.zshrc'), rc);
    await typed(['env', `ZDOTDIR=${root}`, 'zsh', '-i'], 'ready', rows);
  });
});

test.runIf(isInstalled('fish'))('fish completes what is typed', () => {
  writeFileSync(join(root, 'sightline.fish'), scripts['fish'] ?? '');
  const lines = ['tools te', 'tools test he', 'ask -m mi', 'ask @rep', 'sessions show la', 'chat --res'];
  const asked = lines.map((line) => `complete -C 'sightline ${line}'`).join('; ');
  const words = ['--no-config', '-c', `source '${join(root, 'sightline.fish')}'; ${asked}`];
  const out = execFileSync('fish', words, { cwd: work, env: { ...process.env, ...env }, encoding: 'utf8' });
  const names = out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t', 1)[0]]));
  expect(names).toEqual(['test', 'hello', 'mine', '@report.pdf', 'last', '--resume']);
});
