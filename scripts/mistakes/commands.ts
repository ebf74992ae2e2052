// Mistakes that people make at the terminal, as they type them; what the program then says to people is on the page.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedZip } from '../../src/media/zip/write.ts';
import { newFolder, openProgram } from '../../test/cli/run.ts';

const wrongLines: Record<string, readonly string[]> = {
  'Typing a command': [
    'aks what is this?',
    'ask',
    'ask --modell x hello',
    'ask -m claude-sonnet-5 hello',
    'ask -m antropic/claude-sonnet-5 hello',
    'ask -m anthropic/claude-sonnet-5 hello',
    'ask -m mine hello',
    'ask --thinking much hello',
    'ask what is on @missing.png?',
    'chat',
    'wire missing.json -m openai/gpt-5.2',
    'wire notes.txt -m openai/gpt-5.2',
    'wire talk.json',
    'serve sublime',
    'serve --port 99999',
    'mcp --roots missing',
    'help reed',
  ],
  'Reading files at the terminal': [
    'read',
    'read missing.png',
    'read notes.tx',
    'read broken.png',
    'read empty.bin',
    'read notes.txt --pages last',
    'read notes.txt --as picture',
    'read archive.zip',
    'read empty.zip',
    'read https://127.0.0.1/x.png',
  ],
  'Sessions, tools and settings at the terminal': [
    'sessions show nothing',
    'sessions export nothing',
    'sessions fork nothing',
    'sessions rm nothing',
    'sessions import missing.json',
    'sessions import notes.txt',
    'sessions search',
    'tools inspect nothing',
    'tools test nothing',
    'tools new "two words"',
    'tools install missing.py',
    'tools update nothing',
    'tools restore nothing',
    'models default claude',
    'doctor --install orc',
    'doctor --live -m nothing',
    'inspect nothing',
    'completion tcsh',
  ],
};

/** A line as a shell takes it apart. */
const wordsOf = (line: string): string[] => (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));

/** Every such mistake, made in a folder with some files and a home with nothing in it, and what is read then. */
export async function commandRows(): Promise<Record<string, [line: string, says: string][]>> {
  const folder = realpathSync(newFolder());
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'sightline-mistakes-')));
  writeFileSync(join(folder, 'notes.txt'), 'Some words.\n');
  writeFileSync(join(folder, 'empty.bin'), '');
  writeFileSync(join(folder, 'broken.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));
  writeFileSync(join(folder, 'archive.zip'), storedZip([{ path: 'notes.txt', content: Buffer.from('a note') }]));
  writeFileSync(join(folder, 'empty.zip'), storedZip([]));
  writeFileSync(join(folder, 'talk.json'), '{"version":1,"messages":[{"role":"user","content":"Hi."}]}');
  const program = openProgram();
  const env = { HOME: home, SIGHTLINE_HOME: join(home, '.sightline'), OLLAMA_HOST: 'http://127.0.0.1:9' };
  const rows: Record<string, [string, string][]> = {};
  try {
    for (const [title, lines] of Object.entries(wrongLines)) {
      rows[title] = [];
      for (const line of lines) {
        const { code, stdout, stderr } = await program.run(wordsOf(line), { cwd: folder, env });
        const said = (stderr.trim() === '' ? stdout : stderr).trim().replaceAll(folder, '.').replaceAll(home, '~');
        rows[title].push([`sightline ${line}`, code === 0 ? `nothing: ${said}` : said]);
      }
    }
    return rows;
  } finally {
    program.close();
    for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
  }
}
