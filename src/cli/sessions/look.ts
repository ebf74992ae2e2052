// `sightline sessions list` and `search`.
import { ageText, byteText, grouped, money } from '../../content/figures.ts';
import type { SessionInfo } from '../../session/log.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed } from '../exit.ts';
import { tableLines } from '../table.ts';
import { say, sayJson, styled, tell, visibleLine } from '../terminal.ts';
import type { Flags } from './home.ts';
import { looking } from './home.ts';

const columns = [
  { title: 'id' },
  { title: 'title' },
  { title: 'age', right: true },
  { title: 'model' },
  { title: 'messages', right: true },
  { title: 'media', right: true },
  { title: 'size', right: true },
  { title: 'cost', right: true },
];

export function listCommand(flags: Flags & { limit?: number }): Promise<ExitCode> {
  return looking(flags, async (store) => {
    const sessions = (await store.list()).slice(0, flags.limit ?? Number.MAX_SAFE_INTEGER);
    if (flags.json) sayJson(sessions);
    else if (sessions.length === 0) tell('There are no sessions yet. "sightline chat" begins one.');
    else showTable(sessions, Date.now());
    return done;
  });
}

/** What the other columns take of a line. */
const others = 88;

function showTable(sessions: readonly SessionInfo[], now: number): void {
  const columnsOfScreen = process.stdout.isTTY ? process.stdout.columns : Infinity;
  const titleRoom = Math.min(36, Math.max(12, columnsOfScreen - others));
  const rows = sessions.map((session) => [
    session.id,
    shortened(session.title ?? '', titleRoom),
    ageText(now - session.updated),
    shortened(session.model ?? '', 28),
    grouped(session.messages),
    grouped(session.media),
    session.mediaBytes === 0 ? '' : byteText(session.mediaBytes),
    session.cost === undefined ? '' : money(session.cost),
  ]);
  const [head = '', ...lines] = tableLines(columns, rows);
  say(styled('dim', head));
  for (const line of lines) say(line);
}

function shortened(text: string, max: number): string {
  const letters = Array.from(text);
  return letters.length <= max ? text : `${letters.slice(0, max - 1).join('')}…`;
}

export function searchCommand(words: string, flags: Flags & { limit?: number }): Promise<ExitCode> {
  return looking(flags, async (store) => {
    const found = await store.search(words, flags.limit);
    if (flags.json) sayJson(found);
    else if (found.length === 0) tell(`No session has ${visibleLine(words)} in it.`);
    for (const { session, entry, excerpt } of flags.json ? [] : found) {
      say(styled('bold', session.id), `  ${visibleLine(session.title ?? '')}`, styled('dim', `  entry ${entry}`));
      say(`  ${visibleLine(excerpt)}`);
    }
    return found.length > 0 ? done : failed;
  });
}
