// What is offered while a person writes: commands after a slash, files after an @.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { visibleLine } from '../content/visible.ts';
import { commandRows } from './commands.ts';
import { CombinedAutocompleteProvider } from './kit.ts';
import type { AutocompleteItem, AutocompleteProvider } from './kit.ts';
import { pathFrom } from '../config/home.ts';

const most = 50;

/** The file that is being named at the end of a line, if there is one. */
const named = /(?<=^|\s)@(?:"([^"]*)|([^\s"]*))$/;

export function completions(folder: string): AutocompleteProvider {
  const commands = commandRows.map(({ name, argument, does }) => ({
    name,
    description: does,
    ...(argument !== undefined && { argumentHint: argument }),
  }));
  const library = new CombinedAutocompleteProvider(commands, folder);
  return {
    getSuggestions: async (lines, row, column, options) => {
      const before = (lines[row] ?? '').slice(0, column);
      const [prefix, quoted, bare] = named.exec(before) ?? [];
      if (prefix === undefined) return await library.getSuggestions(lines, row, column, options);
      const items = await filesLike(quoted ?? bare ?? '', folder, quoted !== undefined);
      return items.length === 0 || options.signal.aborted ? null : { items, prefix };
    },
    applyCompletion: (...of) => library.applyCompletion(...of),
    shouldTriggerFileCompletion: (...of) => library.shouldTriggerFileCompletion(...of),
  };
}

/** Whether what stands before the cursor needs no completion: the path of something that is there, or no name at all. */
export function isWholeWord(before: string, folder: string): boolean {
  const [prefix, quoted, bare] = named.exec(before) ?? [];
  if (prefix === undefined) return !/^\/\S*$/.test(before); // a command is completed, what follows it is not
  const path = quoted ?? bare ?? '';
  return path !== '' && existsSync(pathFrom(folder, path));
}

/** Files and folders whose name begins like this, else those that hold it; hidden ones only when asked for. */
export async function filesLike(start: string, folder: string, quoted = false): Promise<AutocompleteItem[]> {
  const slash = start.lastIndexOf('/') + 1;
  const [parent, name] = [start.slice(0, slash), start.slice(slash).toLowerCase()];
  const entries = await readdir(pathFrom(folder, parent), { withFileTypes: true }).catch(() => []);
  const open = entries.filter((entry) => name.startsWith('.') || !entry.name.startsWith('.'));
  const begins = open.filter((entry) => entry.name.toLowerCase().startsWith(name));
  const found = begins.length > 0 ? begins : open.filter((entry) => entry.name.toLowerCase().includes(name));
  return found
    .filter((entry) => !entry.name.includes('"') && visibleLine(entry.name) === entry.name)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .slice(0, most)
    .map((entry) => {
      const label = entry.isDirectory() ? `${entry.name}/` : entry.name;
      const path = `${parent}${label}`;
      return { label, value: quoted || /\s/.test(path) ? `@"${path}"` : `@${path}` };
    });
}
