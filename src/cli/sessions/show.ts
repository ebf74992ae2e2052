// `sightline sessions show`: what was said, readable in a terminal. With `--raw` every entry as it is stored, and the
// newest request as it was sent, or the one that a model would get.
import type { Block } from '../../content/block.ts';
import { isMedia } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import { cutText } from '../../content/text.ts';
import type { Receipt } from '../../window/receipt.ts';
import { damageLines } from '../../session/reader.ts';
import type { Entry } from '../../session/entry.ts';
import type { SessionReader } from '../../session/reader.ts';
import { blockLine } from '../block-line.ts';
import type { ExitCode } from '../exit.ts';
import { done } from '../exit.ts';
import { receiptLines } from '../form.ts';
import { say, sayJson, screenWidth, styled, tell, visibleJson, visibleLine } from '../terminal.ts';
import type { Span } from '../terminal.ts';
import type { Flags } from './home.ts';
import { looking } from './home.ts';

export function showCommand(id: string, flags: Flags & { raw?: boolean; model?: string }): Promise<ExitCode> {
  return looking(flags, async (store) => {
    const session = await store.read(await store.resolve(id));
    const info = await session.info();
    const request = flags.raw ? await requestOf(session, flags.model) : undefined;
    const entries = await session.entries();
    if (flags.json) {
      const shown = request && { url: request.url, body: await request.outline(), receipts: request.receipts };
      sayJson({ ...info, entries, ...(shown && { [flags.model === undefined ? 'sent' : 'wouldBeSent']: shown }) });
      return done;
    }
    say(styled('bold', visibleLine(info.title ?? info.id)));
    say(styled('dim', [info.id, info.model, new Date(info.created).toISOString()].filter(Boolean).join('  ')));
    for (const entry of entries) showEntry(entry, flags.raw ?? false);
    if (request) {
      say('');
      say(styled('bold', flags.model === undefined ? `Sent to ${request.url}` : `Would be sent to ${request.url}`));
      say(visibleJson(JSON.stringify(await request.outline(), null, 2)));
      for (const receipt of request.receipts)
        for (const line of receiptLines(receipt, screenWidth(process.stdout))) say(styled('dim', line));
    }
    if (flags.raw && !request) tell(styled('dim', noRecord));
    for (const line of await damageLines(session)) tell(styled('yellow', line));
    return done;
  });
}

const noRecord = 'No request of this session is recorded. -m <model> shows the one that a model would get.';

type ShownRequest = { url: string; receipts: readonly Receipt[]; outline: () => Promise<unknown> };

/** The newest that was sent; with a model, the one that it would get. */
async function requestOf(session: SessionReader, model: string | undefined): Promise<ShownRequest | undefined> {
  if (model === undefined) {
    const sent = await session.sent();
    return sent && { ...sent, url: sent.row.url };
  }
  if ((await session.info()).messages === 0) return undefined;
  const { wouldSend } = await import('../would-send.ts');
  return await wouldSend(session, model);
}

function showEntry(entry: Entry, raw: boolean): void {
  if (raw) {
    const { id, type, time, parent: _parent, version: _version, ...body } = entry;
    say('');
    say(styled('dim', `entry ${id}  ${new Date(time).toISOString()}  `), styled('cyan', type));
    return say(visibleJson(JSON.stringify(body, null, 2)));
  }
  if (entry.type === 'note') return say(styled('dim', `\n(${visibleLine(entry.text)})`));
  if (entry.type !== 'message') return;
  const { message } = entry;
  const failedMark: Span[] = message.role === 'tool' && message.isError ? [styled('red', ' failed')] : [];
  const who = { user: 'You', assistant: message.role === 'assistant' ? message.model || 'Assistant' : '', tool: '' };
  say('');
  if (message.role === 'tool') say(styled('dim', `  ← ${visibleLine(message.name)}`), ...failedMark);
  else say(styled(message.role === 'user' ? 'cyan' : 'green', visibleLine(who[message.role])));
  for (const block of message.content)
    for (const line of linesOf(block)) say(message.role === 'tool' ? '    ' : '', line);
}

const maxLine = 2000;

function linesOf(block: Block): Span[] {
  if (isMedia(block)) return [styled('yellow', visibleLine(`[${blockLine(block)}]`))];
  switch (block.type) {
    case 'text':
      return block.text.split('\n').map((line) => cutText(line, maxLine));
    case 'thinking':
      return block.redacted || block.text === ''
        ? []
        : block.text.split('\n').map((line) => styled('dim', `│ ${line}`));
    case 'call':
      return [styled('dim', visibleLine(`→ ${block.name} ${cutText(toJsonText(block.input), 400)}`))];
    case 'sealed':
      return [];
    case 'reference':
      return [styled('yellow', visibleLine(`[${blockLine(block)}]`))];
  }
}
