// What an entry does besides being there: what it changes about its session, and which assets it names.
import type { AssetId } from '../content/block.ts';
import { cutText } from '../content/text.ts';
import type { Message } from '../message/message.ts';
import { assetsOf, assetsOfDelta } from './entry.ts';
import type { EntryBody } from './entry.ts';
import type { Change, NewRow, Referred } from './log/port.ts';

/** The assets that a session may use; those of `more` it has put, and not named yet. */
export type ReachedAssets = { reached: ReadonlySet<AssetId>; more?: ReadonlySet<AssetId> };

const maxTitle = 80;

/** The same for an entry that is appended and for one that is moved: it is read from the entry alone. */
export function effectsOf(body: EntryBody, own: ReachedAssets): Pick<NewRow, 'change' | 'refers'> {
  switch (body.type) {
    case 'message':
      return { change: changeBy(body.message), refers: referredBy(body.message, own) };
    case 'ledger': {
      const { model } = body;
      return { change: { model }, refers: assetsOfDelta(body).map((id): Referred => ({ id, size: 0, by: 'ledger' })) };
    }
    case 'usage': {
      const { inputTokens, outputTokens } = body.usage;
      return { change: { usage: { inputTokens, outputTokens, ...(body.cost !== undefined && { cost: body.cost }) } } };
    }
    case 'model':
      return { change: { model: body.model } };
    case 'title':
      return { change: { title: body.title } };
    case 'quarantine':
    case 'setup':
    case 'summary':
    case 'note':
      return {};
  }
}

/** Whether a session may use an asset: knowing its hash is not enough. */
export function isReached({ reached, more }: ReachedAssets, id: AssetId): boolean {
  return reached.has(id) || (more?.has(id) ?? false);
}

function referredBy(message: Message, own: ReachedAssets): Referred[] {
  const named = assetsOf(message).filter(({ id }) => isReached(own, id));
  const short = shortIdsIn(message);
  const mentioned = short.length === 0 ? [] : [...own.reached].filter((id) => short.includes(id.slice(7, 15)));
  const refers = [...named, ...mentioned.map((id) => ({ id, size: 0 }))];
  return refers.map(({ id, size }) => ({ id, size, by: 'message' }));
}

function changeBy(message: Message): Change {
  if (message.role === 'assistant') return message.model === '' ? {} : { model: message.model };
  if (message.role !== 'user') return {};
  // Files that were handed over stand before the words.
  const text = message.content.findLast((block) => block.type === 'text')?.text ?? '';
  const line = text
    .trimStart()
    .slice(0, 10 * maxTitle)
    .replaceAll(/\s+/g, ' ')
    .trim(); // a long text need not be gone through
  return line === '' ? {} : { firstWords: cutText(line, maxTitle) };
}

/** Placeholders in words name assets by the first eight characters of their hash. */
function shortIdsIn({ content }: Message): string[] {
  return content.flatMap((block) => {
    if (block.type !== 'text' || !block.text.includes('asset ')) return [];
    return [...block.text.matchAll(/\basset ([0-9a-f]{8})\b/g)].map(([, short = '']) => short);
  });
}
