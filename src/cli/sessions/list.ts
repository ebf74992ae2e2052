// `sightline sessions list` and `search`.
import { ageText, byteText, grouped, money } from '../../content/figures.ts';
import type { SessionInfo } from '../../session/log/port.ts';
import { sessionsPerPage } from '../../session/log/port.ts';
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
  { title: 'model', keepsEnd: true, spare: 1 },
  { title: 'messages', right: true, spare: 3 },
  { title: 'media', right: true, spare: 4 },
  { title: 'size', right: true, spare: 5 },
  { title: 'cost', right: true, spare: 2 },
];

export function listSessionsCommand(flags: Flags & { limit?: number }): Promise<ExitCode> {
  return looking(flags, async (store) => {
    const { limit = sessionsPerPage } = flags;
    const found = await store.list({ limit: limit + 1 });
    const sessions = found.slice(0, limit);
    if (flags.json) sayJson(sessions);
    else if (sessions.length === 0) tell('There are no sessions yet. "sightline chat" begins one.');
    else showTable(sessions, Date.now());
    if (found.length > limit) tell(`There are more: "sightline sessions list --limit ${limit * 10}" shows them.`);
    return done;
  });
}

function showTable(sessions: readonly SessionInfo[], now: number): void {
  const rows = sessions.map((session) => [
    session.id,
    session.title ?? '',
    ageText(now - session.updated),
    session.model ?? '',
    grouped(session.messages),
    grouped(session.media),
    session.mediaBytes === 0 ? '' : byteText(session.mediaBytes),
    session.cost === undefined ? '' : money(session.cost),
  ]);
  const [head = '', ...lines] = tableLines(columns, rows);
  say(styled('dim', head));
  for (const line of lines) say(line);
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
