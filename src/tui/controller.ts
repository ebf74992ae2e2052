// The conversation behind a chat, whatever shows it: one run at a time, and what is said meanwhile joins it. Everything
// is in the session before it counts as done; what a run could no longer read is handed back, never lost.
import { openCalls } from '../session/open-calls.ts';
import type { AgentEvent, RunStop } from '../agent/event.ts';
import { namedFiles, pastedFiles } from '../agent/mentions.ts';
import type { AgentRun, runAgent as RunAgent } from '../agent/run.ts';
import type { Block } from '../content/block.ts';
import { refusalText, SightlineError } from '../content/refusal.ts';
import type { Session } from '../session/session.ts';
import { activity } from './activity.ts';
import type { Activity } from './activity.ts';
import { hiddenDeltas } from './hidden-deltas.ts';
import type { Approval } from './approval.ts';
import { commandOf } from './commands.ts';
import type { SlashCommand } from './commands.ts';
import type { Agent, OpenChat, TalkOptions } from './open-chat.ts';
import { runSlashCommand } from './slash-commands.ts';
import { changeLine, partHints } from './receipts.ts';
import { addUsage, meterOf } from './status.ts';
import type { Choose } from './picker.ts';
import type { ConversationView } from './view/conversation.ts';

type Talk = {
  opened: OpenChat;
  /** Words to send, or a slash command. Never rejects: trouble is a note. */
  submit: (words: string) => Promise<void>;
  /** Stops what runs; false when nothing does. */
  stop: () => boolean;
  /** Whether something goes on. */
  state: () => TalkState;
  /** What goes on, and since when. */
  doing: () => string;
  /** Shows the session from its end. */
  show: () => Promise<void>;
  /** Stops, and waits until the last entry is written. */
  end: () => Promise<void>;
  /** Loads what the first question will need. */
  preload: () => void;
};

type TalkState = 'idle' | 'working';

type Surroundings = {
  conversation: ConversationView;
  approval: Approval;
  /** Words that did not reach the model, for the person to send again. */
  handBack: (words: string) => void;
  changed: () => void;
  choose: Choose;
  /** Whether the clipboard took it for sure. */
  copy: (text: string) => Promise<boolean>;
  /** The person wants to leave. */
  leave: () => void;
};

/** Loaded after the chat is on the screen. */
function loop(): Promise<{ runAgent: typeof RunAgent }> {
  return import('../agent/run.ts');
}

type Running = { run: AgentRun; abort: AbortController; unread: Shown[]; done: Promise<void> };

/** How many messages of an earlier day are shown. */
const shown = 100;

/** Words that stand on the screen, and how they leave it when no model has read them. */
type Shown = { words: string; takeBack: () => void };

type Said = Shown & { prompt: Block[] };

/** A run that goes on with what is open, and then with what was said. */
function startRun(
  said: Said | undefined,
  agent: Agent,
  runAgent: typeof RunAgent,
  session: Session,
  approve: Approval['ask'],
): Running {
  const abort = new AbortController();
  const prompt = said && { prompt: said.prompt };
  const run = runAgent({ ...agent, session, ...prompt, resume: true, approve, signal: abort.signal });
  return { run, abort, unread: said ? [said] : [], done: Promise.resolve() };
}

/** With the effort that the person chose. */
function thoughtful(agent: Agent, { thinking }: OpenChat): Agent {
  return thinking === undefined ? agent : { ...agent, thinking };
}

/** Asks the person, and knows since when the call runs. */
function asking({ ask }: Approval, doing: Activity): Approval['ask'] {
  return async (call) => {
    const verdict = await ask(call);
    doing.allowed(call.id);
    return verdict;
  };
}

/** Sees a run to its end; resolves to the words that it could no longer read, which leave the screen. */
async function followed({ run, unread }: Running, see: (event: AgentEvent) => void): Promise<string> {
  for await (const event of hiddenDeltas(run)) {
    if (event.type === 'message-added' && event.message.role === 'user') unread.shift();
    see(event);
  }
  for (const { takeBack } of unread) takeBack();
  return unread.map(({ words }) => words).join('\n');
}

/** Shows the end of a conversation; true when a program ended in the middle of its work. */
async function showEnd(opened: OpenChat): Promise<boolean> {
  const { session, conversation, model } = opened;
  const info = await session.info();
  const messages = await session.messages({ last: shown });
  if (messages.length < info.messages)
    conversation.note(`${info.messages - messages.length} earlier messages are kept; /export shows them all.`);
  conversation.replay(messages);
  opened.meter = meterOf(model, info);
  const isOpen = messages.at(-1)?.role === 'tool' || (await openCalls(session)) !== undefined;
  if (isOpen) conversation.note('This conversation was stopped in the middle of its work, and goes on with it.');
  return isOpen;
}

/** What goes on, uploads among it. */
function withUploads({ uploads }: TalkOptions): Activity {
  const doing = activity();
  uploads?.(doing.far);
  return doing;
}

export function talk(options: TalkOptions, around: Surroundings): Talk {
  const { conversation, approval, changed, ...hands } = around;
  const folder = options.folder ?? process.cwd();
  let running: Running | undefined;
  const doing = withUploads(options);
  const { onErrand, ...errand } = errands((what) => {
    if (!running) doing.begin(what);
    changed();
  });
  const beside = errands(() => undefined); // whoever leaves does not wait for these
  /** Changes that the person was told of. */
  const told = new Set<string>();
  /** What is submitted is taken in its order, also while files are still being read. */
  let line: Promise<void> = Promise.resolve();

  const opened: OpenChat = {
    model: options.model,
    thinking: options.thinking,
    session: options.session,
    receipts: [],
    conversation,
    meter: meterOf(options.model),
    options,
    change: async (next) => {
      await opened.session.close();
      Object.assign(opened, { session: next, receipts: [], meter: meterOf(opened.model, await next.info()) });
      told.clear();
      conversation.clear(next.assets);
      await show();
    },
    idle: async () => await running?.done,
    ...hands,
  };

  const show = async (): Promise<void> => {
    const isOpen = await showEnd(opened);
    changed();
    if (isOpen) void inLine(goOn);
  };

  const begin = (said: Said | undefined, agent: Agent, runAgent: typeof RunAgent): void => {
    const mine = startRun(said, thoughtful(agent, opened), runAgent, opened.session, asking(approval, doing));
    doing.begin('working');
    running = mine;
    mine.done = followed(mine, (event) => {
      doing.event(event);
      if (event.type === 'call-end') approval.ended(event.call);
      follow(event, opened, told);
    }).then((unread) => {
      running = undefined;
      doing.begin();
      if (unread !== '') hands.handBack(unread);
      changed();
    });
  };

  const send = async (words: string): Promise<void> => {
    let takeBack: (() => void) | undefined;
    try {
      const content = await onErrand('reading the files', (signal) =>
        contentOf(words, folder, opened, signal, doing.far),
      );
      if (running?.run.add(content)) return void running.unread.push({ words, takeBack: conversation.said(content) });
      await running?.done;
      takeBack = conversation.said(content);
      const agent = await onErrand('getting the tools ready', () => options.agent(opened.model));
      begin({ words, prompt: content, takeBack }, agent, (await loop()).runAgent);
    } catch (error) {
      takeBack?.();
      hands.handBack(words);
      throw error;
    }
  };

  /** Work that a program left which ended in the middle of it. */
  const goOn = async (): Promise<void> => {
    const agent = await onErrand('getting the tools ready', () => options.agent(opened.model));
    if (!running) begin(undefined, agent, (await loop()).runAgent);
  };

  const inLine = (work: () => Promise<void>): Promise<void> =>
    (line = line
      .then(work)
      .catch((error: unknown) => conversation.note(wordsOf(error), 'bad'))
      .finally(changed));

  const take = async (words: string): Promise<void> => {
    const command = commandIn(words, running !== undefined);
    if (!command) return await send(words);
    const what = errandOf(command, running !== undefined);
    const wait = what === undefined ? beside.onErrand : onErrand;
    await wait(what ?? '', (signal) => runSlashCommand(command, opened, signal));
  };

  const stop = (): boolean => {
    if (!running && !errand.goesOn()) return false;
    errand.stop();
    running?.abort.abort();
    approval.dismiss();
    return true;
  };

  return {
    opened,
    stop,
    show,
    preload: () => void loop().catch(() => undefined), // whoever needs it is told
    state: () => (running || errand.goesOn() ? 'working' : 'idle'),
    doing: () => doing.words() ?? 'working',
    submit: (words) => inLine(() => take(words)),
    end: async () => {
      beside.stop();
      stop();
      await line;
      stop();
      await running?.done;
    },
  };
}

type Errands = {
  onErrand: <Value>(what: string, work: (signal: AbortSignal) => Promise<Value>) => Promise<Value>;
  stop: () => void;
  goesOn: () => boolean;
};

/** What is done before or beside a run, one after the other, and can be stopped. */
function errands(begins: (what: string) => void): Errands {
  let current: AbortController | undefined;
  return {
    onErrand: async (what, work) => {
      const abort = new AbortController();
      const stopped = Promise.withResolvers<never>();
      abort.signal.addEventListener('abort', () => stopped.reject(new SightlineError('input', 'Stopped.')));
      current = abort;
      begins(what);
      return await Promise.race([work(abort.signal), stopped.promise]).finally(() => (current = undefined));
    },
    stop: () => current?.abort(),
    goesOn: () => current !== undefined,
  };
}

/** Shows an event of a run, and keeps what it tells about the conversation. */
function follow(event: AgentEvent, opened: OpenChat, told: Set<string>): void {
  const { conversation, meter } = opened;
  conversation.event(event);
  if (event.type === 'step-start') {
    opened.asked = event.model;
  } else if (event.type === 'request-ready') {
    const { receipts, tokens, bytes, images, contextTokens } = event;
    opened.receipts = receipts;
    Object.assign(meter, { tokens, bytes, images, window: contextTokens });
    const changes = changeLine(receipts, told);
    if (changes !== undefined) conversation.note(`${changes} · /explain says why`);
    for (const hint of partHints(event, told)) conversation.note(hint);
  } else if (event.type === 'message-end' && event.usage) {
    meter.tokens = event.usage.inputTokens + event.usage.outputTokens;
  } else if (event.type === 'run-end') {
    addUsage(meter, event.usage, event.cost);
    if (event.stop === 'error') conversation.note(event.error?.message ?? 'Stopped by an error.', 'bad');
    const next = event.error && opened.options.advice(event.error, opened.model, opened.asked);
    if (next !== undefined) conversation.note(next, 'warn');
    if (event.stop !== 'end' && event.stop !== 'error') conversation.note(stopWords[event.stop], 'warn');
  }
}

/** Words with the files they name. */
async function contentOf(
  words: string,
  folder: string,
  opened: OpenChat,
  signal: AbortSignal,
  far: Activity['far'],
): Promise<Block[]> {
  const { conversation, options } = opened;
  const { words: rest, files: pasted } = pastedFiles(words);
  const { files, notices } = namedFiles(rest, folder);
  for (const text of notices) conversation.note(text, 'warn');
  const { limits } = options;
  const { attach } = await import('../agent/attach.ts');
  const { progressWords } = await import('../media/context.ts');
  const content = await attach(rest, [...files, ...pasted], {
    assets: opened.session.assets,
    signal,
    onProgress: (told) => far(progressWords(told)),
    notice: (text) => conversation.note(text, 'warn'),
    hasTool: async (name) => ((await options.agent(opened.model)).tools ?? []).some((tool) => tool.name === name),
    ...(limits && { limits }),
  });
  if (content.ok) return content.value;
  throw new SightlineError('input', refusalText(content.refusal));
}

/** The command that a line is; throws for one that cannot be obeyed now. */
function commandIn(words: string, busy: boolean): SlashCommand | undefined {
  const command = commandOf(words);
  if (!command) return undefined;
  if ('unknown' in command)
    throw new SightlineError('input', `There is no command /${command.unknown}; /help lists them.`);
  if (busy && !command.harmless)
    throw new SightlineError('input', `/${command.name} has to wait for the answer; esc stops it.`);
  return command;
}

/** What is told of while a command is carried out; nothing of one that is done beside a run, which has its tools already. */
function errandOf({ name, harmless }: SlashCommand, busy: boolean): string | undefined {
  if (harmless && (busy || name !== 'tools')) return undefined;
  return name === 'tools' ? 'getting the tools ready' : 'working';
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const stopWords: Record<Exclude<RunStop, 'end' | 'error'>, string> = {
  length: 'The answer is cut off: it has reached its length limit. Say "go on" to read the rest.',
  stopped: 'Stopped.',
  aborted: 'Stopped. What was said so far is kept.',
  'max-steps': 'Stopped: the model has taken as many steps as it may. Say "go on" to let it.',
  'max-cost': 'Stopped: the limit of cost is reached. Say "go on" to spend as much again.',
  declined: 'The model declined to answer. Say it in other words, or choose another model with /model.',
};
