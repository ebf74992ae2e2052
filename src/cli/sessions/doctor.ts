// `sightline sessions doctor`: says what is wrong, and repairs on a copy when asked.
import { grouped } from '../../content/figures.ts';
import type { Problem } from '../../session/repair/doctor.ts';
import {
  alteredWords,
  examineDatabase,
  examineSession,
  repairDatabase,
  repairSession,
} from '../../session/repair/doctor.ts';
import type { SessionReader } from '../../session/reader.ts';
import { homeFolder } from '../../config/home.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { sharedStore } from '../kept.ts';
import { asRefused, refused } from '../refusal.ts';
import { say, sayJson, styled, tell, visibleLine } from '../terminal.ts';
import type { Flags } from './home.ts';
import { changing, looking } from './home.ts';

type DoctorFlags = Flags & { repair?: boolean };
type Report = { sessions: number; problems: Problem[]; repaired: string[] };

/** 0 when all is well or was repaired, else 1. */
export async function sessionDoctorCommand(id: string | undefined, flags: DoctorFlags): Promise<ExitCode> {
  try {
    return await (sharedStore() === undefined ? examineHome(id, flags) : examineShared(id, flags));
  } catch (error) {
    return refused(asRefused(error), flags.json);
  }
}

async function examineHome(id: string | undefined, flags: DoctorFlags): Promise<ExitCode> {
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

/** Those of a database: whether its tables are whole, the database says itself (pg_amcheck). */
async function examineShared(id: string | undefined, flags: DoctorFlags): Promise<ExitCode> {
  const report: Report = { sessions: 0, problems: [], repaired: [] };
  const code = await examineAll(id, flags, report, async (session) =>
    (await session.altered()).map((entry): Problem => ({
      kind: 'altered',
      session: session.id,
      what: alteredWords(entry),
    })),
  );
  if (code !== done) return code;
  tellReport(report, flags);
  return report.problems.length === 0 || flags.repair ? done : failed;
}

function examineAll(
  id: string | undefined,
  flags: DoctorFlags,
  report: Report,
  more: (session: SessionReader) => Promise<Problem[]> = async () => [],
): Promise<ExitCode> {
  return (flags.repair ? changing : looking)(flags, async (store) => {
    const ids = id === undefined ? (await store.list()).map((session) => session.id) : [await store.resolve(id)];
    for (const one of ids) {
      report.sessions++;
      const session = await store.read(one);
      const problems = [...(await more(session)), ...(await examineSession(session, store.assets))];
      report.problems.push(...problems);
      if (!flags.repair || problems.every(({ kind }) => kind === 'version')) continue;
      report.repaired.push(`session ${one} is repaired in the copy ${await repairSession(store, one)}`);
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
