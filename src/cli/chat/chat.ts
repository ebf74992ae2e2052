// `sightline chat`: opens the terminal UI on the sessions and tools of this person.
import { resolve } from 'node:path';
import { SightlineError } from '../../content/refusal.ts';
import { exportSession } from '../../session/export.ts';
import { lossLine } from '../../session/index.ts';
import { chat } from '../../tui/chat.ts';
import { graphicsOf } from '../../tui/picture/graphics.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed, wrongUsage } from '../exit.ts';
import { chooseModel } from '../model.ts';
import { ageText } from '../sessions/look.ts';
import { hasColour, styled, tell } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';

export type ChatArguments = { models: string[]; tools: string; session?: string };

export async function chatCommand({ models: named, tools, session: wanted }: ChatArguments): Promise<ExitCode> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    tell(styled('red', 'error: '), 'a chat needs a terminal; use "sightline ask" in pipes and scripts');
    return wrongUsage;
  }
  const models = named.length > 0 ? named : await chooseModel();
  const [model] = models ?? [];
  if (models === undefined || model === undefined) return failed;
  const notices: string[] = [];
  await using workspace = await openWorkspace({
    tools,
    notify: (...spans) => notices.push(spans.map((span) => (typeof span === 'string' ? span : span.text)).join('')),
  });
  const { sessions } = workspace;
  const session = await workspace.session(wanted, model);
  const lost = wanted === undefined ? undefined : lossLine(await session.losses());
  if (lost !== undefined) notices.push(lost);
  // Ctrl+C belongs to the chat; outside of it the program may be interrupted again.
  process.removeAllListeners('SIGINT');
  await chat({
    model,
    agent: (name) => workspace.agent(name === model ? models : [name]),
    session,
    asksFirst: workspace.asksFirst,
    sessions: {
      list: async () => {
        const rows = await sessions.list();
        if (rows.length === 0) return ['There are no earlier conversations.'];
        return rows
          .slice(0, 20)
          .map(({ id, title, updated }) => `${id}  ${ageText(Date.now() - updated)}  ${title ?? ''}`);
      },
      open: async (id) => await sessions.open(await sessions.resolve(id)),
      fork: async ({ id }) => await sessions.fork(id),
      export: async (open, file) => {
        if (file === '') throw new SightlineError('input', 'Name a file: /export talk.html, talk.md or talk.json.');
        await exportSession(open, resolve(file));
        return `Written to ${file}.`;
      },
    },
    notices,
    colour: hasColour(process.stdout, process.env),
    graphics: graphicsOf(process.env, true),
  });
  tell(styled('dim', `Go on with: sightline chat -r ${session.id}`));
  return done;
}
