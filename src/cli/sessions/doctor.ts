// `sightline sessions doctor`: says what is wrong, and repairs on a copy when asked.
import { grouped } from '../../content/figures.ts';
import type { Problem } from '../../session/repair/doctor.ts';
import { examineDatabase, examineSession, repairDatabase, repairSession } from '../../session/repair/doctor.ts';
import { homeFolder } from '../../config/home.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { sharedStore } from '../kept.ts';
import { say, sayJson, styled, tell, visibleLine } from '../terminal.ts';
import type { Flags } from './home.ts';
import { changing, looking } from './home.ts';

type DoctorFlags = Flags & { repair?: boolean };
type Report = { sessions: number; problems: Problem[]; repaired: string[] };

/** 0 when all is well or was repaired, else 1. */
export async function sessionDoctorCommand(id: string | undefined, flags: DoctorFlags): Promise<ExitCode> {
  if (sharedStore() !== undefined) {
    tell('doctor looks at sessions in a folder. Those in a database are checked by the database itself: pg_amcheck.');
    return failed;
  }
  const home = homeFolder();
  const report: Report = { sessions: 0, problems: examineDatabase(home), repaired: [] };
  const isBroken = report.problems.some(({ kind }) => kind === 'database');
  if (isBroken && flags.repair) {
    const { entries, sessions, kept } = repairDatabase(home);
    report.repaired.push(
      `${grouped(entries)} entries of ${grouped(sessions)} sessions saved; the damaged file is ${kept}`,
    );
  }
  const readable = !isBroken || flags.repair;
  const code = readable ? await examineAll(id, flags, report) : done;
  if (code !== done) return code;
  tellReport(report, flags);
  return report.problems.length === 0 || flags.repair ? done : failed;
}

function examineAll(id: string | undefined, flags: DoctorFlags, report: Report): Promise<ExitCode> {
  return (flags.repair ? changing : looking)(flags, async (store, home) => {
    const ids = id === undefined ? (await store.list()).map((session) => session.id) : [await store.resolve(id)];
    for (const session of ids) {
      report.sessions++;
      const problems = await examineSession(await store.read(session), home);
      report.problems.push(...problems);
      if (!flags.repair || problems.every(({ kind }) => kind === 'version')) continue;
      report.repaired.push(`session ${session} is repaired in the copy ${await repairSession(store, session, home)}`);
    }
    return done;
  });
}

function tellReport({ sessions, problems, repaired }: Report, { json, repair }: DoctorFlags): void {
  if (json) return sayJson({ sessions, problems, repaired });
  for (const { session, what } of problems)
    say(styled('yellow', session === undefined ? 'database  ' : `${session}  `), visibleLine(what));
  for (const line of repaired) say(styled('green', 'repaired  '), visibleLine(line));
  if (problems.length === 0) say(`${grouped(sessions)} ${sessions === 1 ? 'session' : 'sessions'}, all in order.`);
  else if (!repair) tell('"sightline sessions doctor --repair" repairs on a copy; models get words for what is lost.');
}
