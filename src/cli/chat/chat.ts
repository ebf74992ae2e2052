// `sightline chat`: opens the chat on the sessions and tools of this person; on a terminal that cannot be drawn on, line
// by line.
import { pathFrom } from '../../config/home.ts';
import { hide } from '../../config/secrets.ts';
import { ageText } from '../../content/figures.ts';
import { SightlineError } from '../../content/refusal.ts';
import { damageLines } from '../../session/reader.ts';
import type { SessionStore } from '../../session/store.ts';
import type { Choice } from '../../tui/picker.ts';
import type { TalkOptions } from '../../tui/open-chat.ts';
import type { Effort } from '../../window/rules.ts';
import { adviceFor, inChat, nameAmong } from '../advice.ts';
import { modelsFor } from '../continued.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed, wrongUsage } from '../exit.ts';
import { ownLimits } from '../limits.ts';
import { checkModels } from '../model.ts';
import { asRefused, tellRefusal } from '../refusal.ts';
import { hasColour, styled, tell } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';

type ChatArguments = {
  models: string[];
  tools: string;
  session?: string;
  allowHost?: string[];
  thinking?: Effort;
  uploads?: true;
};

export async function chatCommand(options: ChatArguments): Promise<ExitCode> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    tell(styled('red', 'error: '), 'a chat needs a terminal; use "sightline ask" in pipes and scripts');
    return wrongUsage;
  }
  try {
    const models = await modelsFor(options);
    if (models === undefined) return failed;
    checkModels(models);
    return await talkWith(models, options);
  } catch (error) {
    tellRefusal(asRefused(error));
    return failed;
  }
}

async function talkWith(
  models: readonly string[],
  { tools, session: wanted, allowHost, thinking, uploads }: ChatArguments,
): Promise<ExitCode> {
  const [model = ''] = models;
  const limits = ownLimits();
  /** What there is to say before the chat is open waits for it. */
  const notices: string[] = [];
  let notify = (text: string): void => void notices.push(text);
  let onUpload: ((words: string) => void) | undefined;
  await using workspace = await openWorkspace({
    tools,
    session: wanted,
    allowHosts: allowHost,
    uploads,
    notify: (text) => notify(text),
    onUpload: (words) => onUpload?.(words),
  });
  const session = await workspace.session(model);
  if (wanted !== undefined) notices.push(...(await damageLines(session)));
  const agent: TalkOptions['agent'] = async (name) => {
    if (name !== model) checkModels([name]);
    return await workspace.agent(name === model ? models : [name]);
  };
  const common: TalkOptions = {
    model,
    agent,
    session,
    rights: workspace.rights,
    ...(thinking !== undefined && { thinking }),
    sessions: sessionDeeds(workspace.sessions),
    models: modelChoices,
    advice: (error, name, asked = name) => adviceFor(error, nameAmong(asked, [name, ...models]), inChat),
    limits,
    uploads: (show) => void (onUpload = show),
    notices: (show) => {
      notify = show;
      for (const notice of notices) show(notice);
      agent(model).catch((error: unknown) => show(error instanceof Error ? error.message : String(error)));
    },
  };
  const asked = new AbortController();
  // Ctrl+C belongs to the chat; whoever else asks the program to end gets its conversation closed in order.
  const isDrawn = process.env['TERM'] !== 'dumb';
  for (const signal of ['SIGTERM', 'SIGHUP', ...(isDrawn ? (['SIGINT'] as const) : [])] as const)
    process.once(signal, () => asked.abort());
  const last = await shown(common, asked.signal, isDrawn);
  const { messages } = await (await workspace.sessions.read(last)).info();
  if (messages > 0 && workspace.keeps) tell(styled('dim', `Go on with: sightline chat -r ${last}`));
  return done;
}

async function shown(options: TalkOptions, signal: AbortSignal, isDrawn: boolean): Promise<string> {
  if (!isDrawn) {
    const { chatInLines } = await import('./lines.ts');
    return await chatInLines(options, signal);
  }
  const { chat } = await import('../../tui/chat.ts');
  const { graphicsOf, mayDrawMore } = await import('../../tui/picture/graphics.ts');
  const graphics = graphicsOf(process.env, true);
  const colour = hasColour(process.stdout, process.env);
  return await chat({ ...options, signal, colour, graphics, mayDrawMore: mayDrawMore(process.env, graphics) });
}

const patienceMs = 2500;

async function modelChoices(): Promise<Choice[]> {
  const { modelOffers, offerText } = await import('../models/offers.ts');
  const { offers } = await modelOffers({ timeoutMs: patienceMs });
  return offers.map((one) => ({ value: one.model, label: one.model, about: offerText(one) }));
}

const mostListed = 200;

function sessionDeeds(store: SessionStore): TalkOptions['sessions'] {
  return {
    list: async () => {
      const found = await store.list({ limit: mostListed });
      return found.map(({ id, title = 'untitled', updated, messages, model = '' }) => {
        const size = messages === 1 ? '1 message' : `${messages} messages`;
        return { value: id, label: title, about: `${ageText(Date.now() - updated)} · ${size} · ${model} · ${id}` };
      });
    },
    open: async (id) => await store.open(await store.resolve(id)),
    create: async () => await store.create(),
    fork: async ({ id }, entry) => await store.fork(id, entry),
    export: async (open, file) => {
      if (file === '') throw new SightlineError('input', 'Name a file: /export talk.html, talk.md or talk.json.');
      const path = pathFrom(process.cwd(), file);
      const { exportSession } = await import('../../session/export/export.ts');
      await exportSession(open, path, undefined, { hide });
      return `Written to ${path}.`;
    },
  };
}
