// What the slash commands do.
import type { MediaBlock } from '../content/block.ts';
import { hashIn, isMedia, textIn } from '../content/block.ts';
import { grouped } from '../content/figures.ts';
import type { AgentOptions, ModelChoice } from '../agent/options.ts';
import { SightlineError } from '../content/refusal.ts';
import { describeMedia, ownWordsAt } from '../content/words.ts';
import { damageLines } from '../session/reader.ts';
import type { Session } from '../session/session.ts';
import { costOf } from '../window/prices.ts';
import { coverable } from '../window/summary.ts';
import { efforts } from '../window/rules.ts';
import { profileFor } from '../window/profile.ts';
import { commandRows, keysHelp } from './commands.ts';
import type { SlashCommand } from './commands.ts';
import type { OpenChat } from './open-chat.ts';
import { receiptRows } from './receipts.ts';
import { addUsage } from './status.ts';
import type { ListRow } from './view/conversation.ts';

/** Carries a command out; the signal ends what takes long. */
export async function runSlashCommand(
  { name, argument }: SlashCommand,
  opened: OpenChat,
  signal?: AbortSignal,
): Promise<void> {
  const { conversation, options, choose } = opened;
  const { note, list } = conversation;
  switch (name) {
    case 'help':
      return list([
        ...commandRows.map((row): ListRow => [`/${row.name}${row.argument ? ` ${row.argument}` : ''}`, row.does]),
        ...keysHelp,
      ]);
    case 'model':
      return await changeModel(argument || (await chosenModel(opened)), opened);
    case 'thinking':
      return await changeThinking(argument || (await choose('How hard shall it think?', effortChoices)), opened);
    case 'tools': {
      const { tools = [] } = await options.agent(opened.model);
      if (signal?.aborted) return undefined;
      if (tools.length === 0) return note('There are no tools.');
      return list(tools.map(({ name: tool, description }): ListRow => [tool, firstSentence(description)]));
    }
    case 'explain':
      return await explain(opened);
    case 'view': {
      const wanted = argument || (await chosenMedium(opened));
      const found = wanted === undefined ? undefined : await mediaNamed(wanted, opened.session);
      if (found) return conversation.media(found);
      if (wanted === undefined) return undefined;
      return note(`No asset of this conversation begins with "${wanted}". /view alone lists them.`, 'bad');
    }
    case 'sessions':
      return await changeSession(argument || (await chosenSession(opened)), opened);
    case 'new':
      await opened.change(await options.sessions.create());
      return note('This is a new conversation. /sessions goes back to the one before.');
    case 'rewind':
      return await rewind(opened);
    case 'copy':
      return await copyAnswer(argument, opened);
    case 'fork':
      await opened.change(await options.sessions.fork(opened.session));
      return note('This is a copy; the conversation it came from stays as it is.');
    case 'export':
      return note(await options.sessions.export(opened.session, argument));
    case 'title':
      if (argument === '') return note('Write the title behind /title.', 'bad');
      await opened.session.append({ type: 'title', title: argument });
      return note(`This conversation is now called "${argument}".`);
    case 'compact':
      return await compactNow(opened, signal);
    case 'quit':
      return opened.leave();
  }
}

/** What was decided about the newest request of this conversation: what this program sent, or its record. */
async function explain({ conversation, receipts, session, meter }: OpenChat): Promise<void> {
  const sent = receipts.length > 0 ? receipts : (await session.sent())?.receipts;
  if (sent?.length) return conversation.list(receiptRows(sent));
  conversation.note(
    sent || meter.bytes > 0
      ? 'The last request held words alone, and they were sent as they are.'
      : 'Nothing has been sent yet. Ask something first.',
  );
}

async function chosenModel({ options, choose, model }: OpenChat): Promise<string | undefined> {
  return await choose(`Now ${model}. Go on with:`, await options.models(), model);
}

async function chosenSession({ options, choose, conversation, session }: OpenChat): Promise<string | undefined> {
  const rows = (await options.sessions.list()).filter(({ value }) => value !== session.id);
  if (rows.length > 0) return await choose('Go on with:', rows);
  conversation.note('There are no earlier conversations.');
  return undefined;
}

async function chosenMedium({ choose, conversation, session }: OpenChat): Promise<string | undefined> {
  const media = (await session.messages()).flatMap(({ content }) => content.filter(isMedia));
  const rows = new Map(media.toReversed().map((block) => [block.asset.id, describeMedia(block)]));
  if (rows.size > 0)
    return await choose(
      'See again:',
      [...rows].map(([value, label]) => ({ value, label })),
    );
  conversation.note('There is no picture or document in this conversation yet.');
  return undefined;
}

async function changeSession(id: string | undefined, opened: OpenChat): Promise<void> {
  if (id === undefined) return;
  await opened.change(await opened.options.sessions.open(id));
  for (const line of await damageLines(opened.session)) opened.conversation.note(line, 'warn');
}

/** Goes back to before a question that the person chooses; its words come back to be changed. */
async function rewind(opened: OpenChat): Promise<void> {
  const entries = await opened.session.entries();
  const asked = entries.flatMap((entry, at) => {
    if (entry.type !== 'message' || entry.message.role !== 'user') return [];
    const { content } = entry.message;
    const words = textIn(content.slice(ownWordsAt(content)), '\n').trim();
    return [{ value: String(at), label: words === '' ? 'a file' : words, words }];
  });
  const { conversation, options, session } = opened;
  if (asked.length === 0) return conversation.note('Nothing has been asked yet.');
  const chosen = await opened.choose('Go back to before:', asked.toReversed());
  if (chosen === undefined) return;
  const before = entries.slice(0, Number(chosen)).findLast(({ type }) => type === 'message');
  await opened.change(before ? await options.sessions.fork(session, before.id) : await options.sessions.create());
  opened.handBack(asked.find(({ value }) => value === chosen)?.words ?? '');
  conversation.note(
    before
      ? 'This is a copy up to there; the conversation it came from stays as it is.'
      : 'This is a new conversation; the one it came from stays as it is.',
  );
}

/** The last answer, or the last block of code in it, goes to the clipboard. */
async function copyAnswer(what: string, { session, copy, conversation }: OpenChat): Promise<void> {
  const last = (await session.messages()).findLast(
    ({ role, content }) => role === 'assistant' && textIn(content) !== '',
  );
  const text = last ? textIn(last.content, '\n\n') : '';
  const code = [...text.matchAll(/^(`{3,}|~{3,})[^\n]*\n([^]*?)^\1/gm)].at(-1)?.[2];
  const copied = what === 'code' ? code : text;
  if (copied === undefined || copied === '')
    return conversation.note(
      what === 'code'
        ? 'There is no block of code in the last answer. /copy alone copies all of it.'
        : 'There is no answer yet. Ask something first.',
      'warn',
    );
  const isSure = await copy(copied);
  const how = isSure
    ? '.'
    : ', where the terminal lets programs do that; wl-copy, xclip or pbcopy would do it for sure.';
  conversation.note(`Copied ${grouped(copied.length)} characters${how}`);
}

function firstSentence(text: string): string {
  return /^[^\n]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text.split('\n')[0] ?? '';
}

const effortChoices = efforts.map((value) => ({ value, label: value }));

async function changeThinking(effort: string | undefined, opened: OpenChat): Promise<void> {
  if (effort === undefined) return;
  const chosen = efforts.find((one) => one === effort);
  if (chosen === undefined)
    throw new SightlineError('input', `There is no effort "${effort}". There are ${efforts.join(', ')}.`);
  const { model, profile } = firstChoice(await opened.options.agent(opened.model));
  opened.thinking = chosen;
  opened.conversation.note(
    profileFor(model, profile).thinking === 'none' && chosen !== 'off'
      ? `${opened.model} does not think aloud; a model that does will think: ${chosen}.`
      : `From here on the model thinks: ${chosen}.`,
  );
}

async function changeModel(model: string | undefined, opened: OpenChat): Promise<void> {
  if (model === undefined) return;
  const { conversation, meter, options, session } = opened;
  const { model: name, profile } = firstChoice(await options.agent(model));
  meter.window = profileFor(name, profile).contextTokens; // throws for a model nobody knows
  meter.model = model;
  opened.model = model;
  await session.append({ type: 'model', model: name });
  conversation.note(`From here on ${model} answers; the history is planned anew for it.`);
}

function firstChoice({ model, profile }: Pick<AgentOptions, 'model' | 'profile'>): Exclude<ModelChoice, string> {
  const [first = ''] = Array.isArray(model) ? (model as readonly ModelChoice[]) : [model as ModelChoice];
  return typeof first === 'string' ? { model: first, ...(profile && { profile }) } : first;
}

async function compactNow(
  { session, options, model, conversation, meter }: OpenChat,
  signal: AbortSignal | undefined,
): Promise<void> {
  const agent = await options.agent(model);
  const { system, tools } = agent;
  const messages = await session.messages();
  const before = await session.summary();
  const transcript = { ...(system !== undefined && { system }), ...(tools && { tools }), messages };
  const { model: _models, ...rest } = agent;
  const { summarise } = await import('../agent/summarise.ts');
  const chosen = firstChoice(agent);
  if (coverable(messages, before) === undefined)
    return conversation.note('There is too little to sum up. Go on; it is done by itself when the window is full.');
  const asked = { ...rest, ...chosen, assets: session.assets, ...(signal && { signal }) };
  const { summary, usage } = (await summarise(transcript, before, asked)) ?? {};
  if (summary) await session.append({ type: 'summary', ...summary });
  if (usage) {
    const cost = costOf(profileFor(chosen.model, chosen.profile), usage);
    await session.append({ type: 'usage', model: chosen.model, usage, ...(cost !== undefined && { cost }) });
    addUsage(meter, usage, cost);
  }
  if (!summary) return conversation.note('No summary was made; everything is sent as before.', 'warn');
  conversation.note(`${summary.covers} earlier messages are from now on sent as a summary.`);
}

/** The medium whose asset id begins like this, the newest first. */
async function mediaNamed(start: string, session: Session): Promise<MediaBlock | undefined> {
  const wanted = start.replace(/^sha256:/, '').toLowerCase();
  if (wanted === '') return undefined;
  const blocks = (await session.messages()).flatMap((message) => message.content.filter(isMedia));
  return blocks.findLast((block) => hashIn(block.asset.id).startsWith(wanted));
}
