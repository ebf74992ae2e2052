// `sightline sessions …`: its commands and their options.
import type { ExitCode } from '../exit.ts';
import { Option, wholeNumber } from '../parser.ts';
import type { Command, Define } from '../parser.ts';
import type { MoveFlags } from './move.ts';

type Json = { json?: true };
type ShowFlags = Json & { raw?: true; model?: string };
type ExportFlags = Json & { format?: 'html' | 'markdown' | 'json' };

type Add = (line: string, does: string) => Command;
type End = (code: Promise<ExitCode>) => Promise<void>;

export const define: Define = (command, finish) => {
  const add: Add = (line, does) => command.command(line).description(does).option('--json', 'print the result as JSON');
  const end: End = async (code) => finish(await code);

  command.addHelpText(
    'after',
    '\nThe first letters of an id are enough if no other id begins with them;\n' +
      'last is the newest session.\n\n' +
      'Examples:\n  sightline sessions list\n  sightline sessions search "quarterly report"\n' +
      '  sightline sessions export k3f9 walk.html\n  sightline sessions doctor',
  );
  add('list', 'Show the sessions, the newest first.')
    .option('--limit <n>', 'how many at most (50)', wholeNumber)
    .action((flags: Json & { limit?: number }) => end(import('./list.ts').then((it) => it.listSessionsCommand(flags))));
  add('show <id>', 'Show what was said in a session.')
    .option('--raw', 'show every entry, and the newest request as it was sent, with receipts')
    .option('-m, --model <model>', 'with --raw: the request that this model would get instead')
    .action((id: string, flags: ShowFlags) => end(import('./show.ts').then((it) => it.showCommand(id, flags))));
  add('search <words...>', 'Find sessions by words in them.')
    .option('--limit <n>', 'how many at most', wholeNumber)
    .addHelpText('after', '\nExit codes: 0 found, 1 nothing found or failed, 2 wrong usage.')
    .action((words: string[], flags: Json & { limit?: number }) =>
      end(import('./list.ts').then((it) => it.searchCommand(words.join(' '), flags))),
    );
  add('export <id> [file]', 'Write a session as a page, as Markdown with its media, or as JSON.')
    .addOption(
      new Option('--format <format>', 'instead of what the ending of the file says').choices([
        'html',
        'markdown',
        'json',
      ]),
    )
    .action((id: string, file: string | undefined, flags: ExportFlags) =>
      end(import('./transfer.ts').then((it) => it.exportCommand(id, file, flags))),
    );
  add(
    'import <file>',
    'Import a session that was exported as JSON, or messages that another program stored; - is stdin.',
  ).action((file: string, flags: Json) => end(import('./transfer.ts').then((it) => it.importCommand(file, flags))));
  add('fork <id> [entry]', 'Begin a new session that shares the past of another, up to an entry.').action(
    (id: string, entry: string | undefined, flags: Json) => {
      const at = entry === undefined ? undefined : wholeNumber(entry);
      return end(import('./maintain.ts').then((it) => it.forkCommand(id, at, flags)));
    },
  );
  defineKeeping(add, end);
};

/** What looks after the store as a whole. */
function defineKeeping(add: Add, end: End): void {
  add('doctor [id]', 'Look for damage: database, calls and results, media, entries of other versions.')
    .option('--repair', 'repair on a copy; what was damaged is kept')
    .action((id: string | undefined, flags: Json & { repair?: true }) =>
      end(import('./doctor.ts').then((it) => it.sessionDoctorCommand(id, flags))),
    );
  add('migrate', 'Bring the tables of a shared database to this version.').action((flags: Json) =>
    end(import('./migrate.ts').then((it) => it.migrateCommand(flags))),
  );
  add('move [id...]', 'Move sessions with their media to a database or another home; run it again to continue.')
    .requiredOption('--to <place>', 'postgres://name@host/database, or the folder of a home')
    .option('--assets <bucket>', 'with a database: keep media in s3://bucket/prefix')
    .option('--dry-run', 'say what would be moved, and write nothing')
    .option('--remove', 'remove each original once all of it has arrived')
    .action((ids: string[], flags: MoveFlags) => end(import('./move.ts').then((it) => it.moveCommand(ids, flags))));
  add('gc', 'Remove media that no session needs any more.')
    .option('--older-than <days>', 'first remove sessions unused for this many days', wholeNumber)
    .option('--dry-run', 'say what would be removed, and remove nothing')
    .action((flags: Json & { olderThan?: number; dryRun?: true }) =>
      end(import('./maintain.ts').then((it) => it.gcCommand(flags))),
    );
  add('rm <id...>', 'Remove sessions for good.').action((ids: string[], flags: Json) =>
    end(import('./maintain.ts').then((it) => it.removeCommand(ids, flags))),
  );
}
