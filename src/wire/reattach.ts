// Media back to where they belong. Where a wire keeps media out of results, our requests announce each one in its result
// and label it where it stands; whoever reads such a request finds every medium in its result again. Only our own exact
// words count, and only when all of them fit together: anything else is left as it came, so nothing is lost.
import { isMedia } from '../content/block.ts';
import { afterResults, describedName, mediaEnd, mediaLead, ownerLabelOf, readMediaNote } from '../content/words.ts';
import type { MediaNote } from '../content/words.ts';
import type { BlockInput, MediaInput } from '../content/input.ts';
import { safeName } from '../content/text.ts';
import type { Heard } from './accepted.ts';

type Result = Extract<Heard, { role: 'tool' }>;

/** A medium that a result announces, with the label it must stand under. */
type Promised = { note: MediaNote; label: string };

/** Gives the media after the results of a turn back to their results. */
export function giveBack(messages: readonly Heard[]): Heard[] {
  const out: Heard[] = [];
  for (const message of messages) {
    const bridged = isBridge(out.at(-1));
    const given = message.role === 'user' ? delivered(message.content, bridged ? out.slice(0, -1) : out) : undefined;
    if (!given) {
      out.push(message);
      continue;
    }
    if (bridged) out.pop();
    for (const [result, blocks] of given.results) out[out.indexOf(result)] = { ...result, content: blocks };
    if (given.rest.length > 0) out.push({ ...message, content: given.rest });
  }
  return out;
}

/** Our words between results and the media after them, for APIs that let no user speak there. */
function isBridge(message: Heard | undefined): boolean {
  const [first, ...more] = message?.role === 'assistant' ? message.content : [];
  return first !== undefined && more.length === 0 && isText(first, afterResults);
}

type Delivered = { results: Map<Result, BlockInput[]>; rest: BlockInput[] };

function delivered(content: readonly BlockInput[], before: readonly Heard[]): Delivered | undefined {
  const first = content[0];
  if (first?.type !== 'text' || first.text.split('\n', 1)[0] !== mediaLead) return undefined;
  const results = before.slice(before.findLastIndex((message) => message.role !== 'tool') + 1) as Result[];
  const promised = results.flatMap(promises);
  const [, ...blocks] = first.text === mediaLead ? content : spread(first.text, content.slice(1), promised);
  const end = blocks.findIndex((block) => isText(block, mediaEnd));
  const groups = groupsOf(blocks.slice(0, end), promised);
  if (end < 0 || !groups) return undefined;
  const queue = [...groups];
  const filled = results.map((result): [Result, BlockInput[]] => [result, filledIn(result.content, 'follows', queue)]);
  return { results: new Map(filled), rest: blocks.slice(end + 1) };
}

function promises(result: Result): Promised[] {
  return result.content.flatMap((block) =>
    block.type === 'text'
      ? piecesOf(block.text, 'follows').flatMap((note): Promised[] => {
          if (typeof note === 'string') return [];
          const { name, callId } = result;
          return [{ note, label: ownerLabelOf(note.described, { name, callId, ordinal: note.ordinal }) }];
        })
      : [],
  );
}

/** What stands under each label, in order; undefined when the labels are not exactly those that were promised. Words before the
 * first one, with which a program opens its media, stay with them. */
function groupsOf(blocks: readonly BlockInput[], promised: readonly Promised[]): BlockInput[][] | undefined {
  const groups: BlockInput[][] = [];
  const opening: BlockInput[] = [];
  for (const block of blocks) {
    const next = promised[groups.length];
    if (next && isText(block, next.label)) groups.push(groups.length === 0 ? opening : []);
    else if (groups.length === 0 && (!next || block.type !== 'text')) return undefined;
    else (groups.at(-1) ?? opening).push(block);
  }
  return groups.length === promised.length && groups.every((group) => group.some(isMedia)) ? groups : undefined;
}

function isText(block: BlockInput, text: string): boolean {
  return block.type === 'text' && block.text === text;
}

/** Where a message is one text with its media beside it: the same as a list, each medium under its label or page. */
function spread(text: string, media: readonly BlockInput[], promised: readonly Promised[]): BlockInput[] {
  const labels = new Set(promised.map(({ label }) => label));
  const waiting = [...media];
  const out: BlockInput[] = [];
  let paged = true;
  for (const line of text.split('\n')) {
    if (labels.has(line) || line === mediaEnd) {
      if (!paged) out.push(...waiting.splice(0, 1));
      paged = false;
    }
    out.push({ type: 'text', text: line });
    if (!/^\[page \d+\]$/.test(line)) continue;
    out.push(...waiting.splice(0, 1));
    paged = true;
  }
  return waiting.length > 0 ? [] : out;
}

/** A text cut at the lines that are our notes. */
function piecesOf(text: string, kind: 'follows' | 'attached'): (string | MediaNote)[] {
  const pieces: (string | MediaNote)[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length > 0) pieces.push(lines.join('\n'));
    lines = [];
  };
  for (const [index, line] of text.split('\n').entries()) {
    // A failure that is told in words may begin with the note of a medium.
    const note = readMediaNote(index === 0 ? line.replace(/^Error: /, '') : line, kind);
    if (!note) {
      lines.push(line);
      continue;
    }
    flush();
    pieces.push(note);
  }
  flush();
  return pieces;
}

/** Content with the media of each note in its place. */
function filledIn(content: readonly BlockInput[], kind: 'follows' | 'attached', queue: BlockInput[][]): BlockInput[] {
  return content.flatMap((block): BlockInput[] => {
    if (block.type !== 'text') return [block];
    return piecesOf(block.text, kind).flatMap((piece): BlockInput[] => {
      if (typeof piece === 'string') return [{ type: 'text', text: piece }];
      return (queue.shift() ?? []).map((one) => withName(one, piece));
    });
  });
}

/** A loose medium has the name that our note gave it, spelt as the wire has it where that is the same name. */
function withName(block: BlockInput, { described }: MediaNote): BlockInput {
  if (!isMedia(block) || 'asset' in block) return block;
  const { name: given, ...loose } = block as MediaInput;
  const name = describedName(described);
  if (name === undefined) return loose;
  const spelt = [given, given?.replace(/\.pdf$/, '')].find((one) => one !== undefined && safeName(one) === name);
  return { ...loose, name: spelt ?? name };
}

/** A result whose text and media travel apart, with each medium where its note stands. */
export function placeAttached(text: string, media: readonly BlockInput[]): BlockInput[] {
  const whole: BlockInput[] = text === '' && media.length > 0 ? [] : [{ type: 'text', text }];
  const notes = piecesOf(text, 'attached').filter((piece) => typeof piece !== 'string');
  if (notes.length !== media.length) return [...whole, ...media];
  return filledIn(
    whole,
    'attached',
    media.map((one) => [one]),
  );
}
