// `sightline sessions migrate`: brings the tables of a shared database to this version.
import { openPostgres } from '../../session/log/postgres-pool.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { sharedStore } from '../kept.ts';
import { asRefused, refused } from '../refusal.ts';
import { say, sayJson, tell } from '../terminal.ts';

export async function migrateCommand({ json = false }: { json?: boolean }): Promise<ExitCode> {
  try {
    const url = sharedStore();
    if (url === undefined) {
      tell(
        'There is no database to migrate: your sessions are in your home, which is updated when it is opened. [store] names a database.',
      );
      return failed;
    }
    const database = openPostgres(url, { migrate: true });
    try {
      await database.ask('SELECT 1');
    } finally {
      await database.close();
    }
    if (json) sayJson({ migrated: true });
    else say('The tables are those of this version.');
    return done;
  } catch (error) {
    return refused(asRefused(error), json);
  }
}
