// The chat line by line, for terminals that have no cursor to move: inside an editor, over a serial line, for a screen
// reader. The same conversation, commands and approvals; only the drawing is missing.
import { createInterface } from 'node:readline';
import { isCarried } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import type { Message } from '../../message/message.ts';
import { approvals } from '../../tui/approval.ts';
import type { Approval, Scope } from '../../tui/approval.ts';
import { talk } from '../../tui/controller.ts';
import { copyText } from '../../tui/desktop.ts';
import type { Choice, Choose } from '../../tui/picker.ts';
import type { TalkOptions } from '../../tui/open-chat.ts';
import type { ConversationView } from '../../tui/view/conversation.ts';
import { forPeople } from '../ask/report.ts';
import { attachedLine, blockLine } from '../block-line.ts';
import { say, styled, tell, tellPart, visibleLine } from '../terminal.ts';

const prompt = '> ';

/** Resolves when the person leaves, with the id of the session that was open last. */
export async function chatInLines(options: TalkOptions, signal: AbortSignal): Promise<string> {
  const left = Promise.withResolvers<void>();
  const approval = approvals(options.rights, () => question());
  const { question, ...conversation } = askingConversation(approval);
  const chooser = lineChooser();
  const { opened, submit, stop, state, show, end } = talk(options, {
    conversation,
    approval,
    handBack: (words) => tell(styled('yellow', `Not sent: ${visibleLine(words)}`)),
    changed: () => undefined,
    choose: chooser.choose,
    copy: copiedOrSaid,
    leave: left.resolve,
  });
  const lines = createInterface({ input: process.stdin, terminal: false });
  const ready = (): void => {
    if (state() === 'idle') tellPart(prompt);
  };
  lines.on('line', (line) => {
    const words = line.trim();
    if (approval.current()) return approval.settle(/^[yaf]/i.test(words), scopeOf(words));
    if (chooser.settle(words)) return;
    if (words === '') return ready();
    void submit(words).then(() => opened.idle().then(ready));
  });
  lines.once('close', left.resolve);
  // The terminal still turns ctrl+c into a signal here: it closes a list, else stops what goes on, else leaves.
  process.on('SIGINT', () => chooser.settle('') || stop() || left.resolve());
  signal.addEventListener('abort', () => left.resolve(), { once: true });
  tell(`sightline · ${visibleLine(options.model)} · /help, /quit`);
  await show();
  options.notices?.((text) => conversation.note(text, 'warn'));
  ready();
  await left.promise;
  lines.close();
  await end();
  await opened.session.close();
  return opened.session.id;
}

/** The question about a call stands below all that was told of calls so far; what is told later brings it again. */
function askingConversation(approval: Approval): ConversationView & { question: () => void } {
  const conversation = lineConversation();
  const started = new Set<string>();
  let asked: string | undefined;
  const question = (): void => {
    const call = approval.current();
    if (!call || call.id === asked || !started.has(call.id)) return;
    asked = call.id;
    tell(`Allow ${visibleLine(call.name)} ${visibleLine(toJsonText(call.input))}?`);
    for (const warning of approval.warnings()) tell(visibleLine(warning));
    tellPart('[y]es, [n]o, [a]lways in this chat, always in this [f]older: ');
  };
  return {
    ...conversation,
    question,
    event: (event) => {
      const isOfCall = event.type === 'call-start' || event.type === 'call-end';
      if (isOfCall && asked !== undefined && asked === approval.current()?.id) {
        tell('');
        asked = undefined;
      }
      conversation.event(event);
      if (event.type === 'call-start') started.add(event.call.id);
      if (isOfCall) setImmediate(question); // calls that begin together are told before the first question
    },
  };
}

function scopeOf(words: string): Scope {
  return /^a/i.test(words) ? 'chat' : /^f/i.test(words) ? 'project' : 'once';
}

const mostRows = 40;

/** A list with numbers; the next line says which, or nothing. */
function lineChooser(): { choose: Choose; settle: (words: string) => boolean } {
  let waiting: { choices: readonly Choice[]; resolve: (value: string | undefined) => void } | undefined;
  return {
    choose: (title, choices) => {
      tell(title);
      for (const [at, { label, about = '' }] of choices.slice(0, mostRows).entries())
        tell(`${String(at + 1).padStart(3)}  ${visibleLine(label)}  ${visibleLine(about)}`);
      tellPart('Number or name, or only enter to leave it as it is: ');
      return new Promise((resolve) => void (waiting = { choices, resolve }));
    },
    settle: (words) => {
      if (!waiting) return false;
      const { choices, resolve } = waiting;
      waiting = undefined;
      const chosen = choices[Number(words) - 1] ?? choices.find(({ label }) => label === words);
      if (!chosen && words !== '') tell(`Nothing here is called "${visibleLine(words)}"; all stays as it is.`);
      resolve(chosen?.value);
      return true;
    },
  };
}

function lineConversation(): ConversationView {
  const report = forPeople(true);
  return {
    said: () => () => undefined, // it stands where it was written
    // How a run ended is said by a note; here, only what it cost.
    event: (event) => {
      const { usage, cost, attachments = [] } = event.type === 'run-end' ? event : {};
      for (const one of attachments) tell(`attached: ${attachedLine(one)}`);
      report(usage ? { type: 'run-end', stop: 'end', usage, ...(cost !== undefined && { cost }) } : event);
    },
    note: (text, kind = 'plain') => tell(kind === 'plain' ? text : styled(kind === 'warn' ? 'yellow' : 'red', text)),
    list: (rows) => {
      const width = Math.max(0, ...rows.map(([name]) => name.length));
      for (const [name, words] of rows) tell(`${name.padEnd(width)}  ${words}`);
    },
    replay: (messages) => messages.forEach(sayMessage),
    media: (block) => say(blockLine(block)),
    pager: () => undefined,
    clear: () => undefined,
  };
}

function sayMessage({ role, content }: Message): void {
  if (role === 'tool') return;
  for (const block of content) {
    if (isCarried(block)) say(styled('dim', blockLine(block)));
    else if (block.type === 'text') say(role === 'user' ? `${prompt}${block.text}` : block.text);
  }
}

/** Without a screen, what no clipboard takes is said again, to be taken from there. */
async function copiedOrSaid(text: string): Promise<boolean> {
  const isCopied = await copyText(text, { write: () => undefined });
  if (!isCopied) say(text);
  return true;
}
