// `sightline tools new`: a tool from a template or from a file. It is tried before it takes its place.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { buffer as readAll } from 'node:stream/consumers';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import { stem, toolFilesIn } from '../../toolbox/executable/discover.ts';
import { isTrusted, projectOf, projectTools, setTrust } from '../../toolbox/executable/place.ts';
import { homeFolder } from '../../config/home.ts';
import { installTool } from '../../toolbox/executable/shelf.ts';
import type { ExitCode } from '../exit.ts';
import { refused } from '../refusal.ts';
import { busy, say, styled, tell } from '../terminal.ts';
import { finished, namesBeside } from './found.ts';
import { templateOf } from './templates.ts';
import type { Language } from './templates.ts';

type NewArguments = { lang?: Language; from?: string; project?: true; replace?: true; json?: true };

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;

export async function newCommand(name: string, options: NewArguments): Promise<ExitCode> {
  const { project: inProject, replace = false, json } = options;
  if (!namePattern.test(name)) {
    const next = 'Use letters, digits and _, and begin with a letter.';
    return refused({ code: 'unsupported', what: `"${name}" is no name for a tool`, next }, json);
  }
  const code = await codeOf(name, options);
  if (!code.ok) return refused(code.refusal, json);
  const shelf = shelfOf(inProject);
  const file = join(shelf.folder, `${name}${code.value.ending}`);
  const free = freePlace(file);
  if (!free.ok) return refused(free.refusal, json);
  const asking = { cwd: process.cwd(), environment: process.env };
  const beside = await namesBeside(file);
  const trial = installTool({ file, code: code.value.code, replace, beside }, asking);
  const made = await busy(`trying ${basename(file)}`, trial);
  if (!made.ok) return refused(made.refusal, json);
  shelf.trustIfNew();
  const [spec] = made.value.specs;
  return finished(made.value, json, () => {
    say(styled('green', 'Made '), file);
    tellPlace(shelf, made.value.archived);
    tell('Try it: sightline tools test ', spec?.name ?? name);
  });
}

/** A folder for tools of one's own, or of a project. */
type Shelf = {
  folder: string;
  isTrusted: () => boolean;
  /** All that is in a new folder was just put there. */ trustIfNew: () => void;
};

/** Where a new tool goes. */
export function shelfOf(inProject: boolean | undefined): Shelf {
  const home = homeFolder();
  if (!inProject) return { folder: join(home, 'tools'), isTrusted: () => true, trustIfNew: () => undefined };
  const project = projectOf(process.cwd(), home) ?? process.cwd();
  const folder = projectTools(project);
  const isNew = !existsSync(folder);
  return {
    folder,
    isTrusted: () => isTrusted(home, project),
    trustIfNew: () => {
      if (isNew) setTrust(home, project, true);
    },
  };
}

/** Two files of one name with different endings would be one tool twice. */
export function freePlace(file: string): Read<undefined> {
  const names = toolFilesIn(dirname(file)).map((one) => basename(one.file));
  const twin = names.find((one) => stem(one) === stem(file) && one !== basename(file));
  if (twin === undefined) return { ok: true, value: undefined };
  return refuse('not-allowed', `There is a tool in ${twin} already`, 'Choose another name, or archive that one first.');
}

/** What is to be said of the place a tool was put into. */
export function tellPlace({ isTrusted: trusted }: Shelf, archived: string | undefined): void {
  if (archived !== undefined) say('The old version is in ', archived);
  if (!trusted()) tell('Its project is not trusted yet: sightline tools trust');
}

/** The tool, byte for byte, because it may be a compiled program, and the ending of its name. */
async function codeOf(
  name: string,
  { lang = 'ts', from }: NewArguments,
): Promise<Read<{ code: string | Uint8Array; ending: string }>> {
  if (from === undefined) return { ok: true, value: { code: templateOf(lang, name), ending: `.${lang}` } };
  if (from === '-') return { ok: true, value: { code: await readAll(process.stdin), ending: `.${lang}` } };
  if (!existsSync(from) || !statSync(from).isFile())
    return refuse('not-found', `There is no file ${from}`, 'Check the path.');
  return { ok: true, value: { code: readFileSync(from), ending: extname(from) } };
}
