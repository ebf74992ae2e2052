// Laws: no loss without words; details, paths and half letters never reach a model.
import { describe, expect, test } from 'vitest';
import { isMedia } from '../../src/content/block.ts';
import type { MediaBlock } from '../../src/content/block.ts';
import type { Transcript } from '../../src/message/message.ts';
import { models } from './models.ts';
import { anyShape } from './transcripts.ts';
import type { Built } from './transcripts.ts';
import { lawOnEveryModel } from './trial.ts';
import { short, sourceOf, writeOutline } from './world.ts';

function media(transcript: Built): MediaBlock[] {
  return transcript.messages.flatMap((message) => message.content.filter(isMedia));
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The marks of one kind that a value carries anywhere. */
function marksIn(value: unknown, kind: string): string[] {
  return [...JSON.stringify(value).matchAll(new RegExp(`${kind}\\d{5}`, 'g'))].map(([mark]) => mark);
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key].concat(strings(item)));
}

/** Well-formed, also where a text is JSON itself and spells the half as an escape. */
function whole(text: string): boolean {
  return text.isWellFormed() && !/\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f])/i.test(text);
}

describe('nothing is lost without words', () => {
  lawOnEveryModel('every medium is in the body, or words that name it', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    const named = [...JSON.stringify(body).matchAll(/asset ([0-9a-f]{8})/g)].map(([, id]) => sourceOf(id ?? ''));
    const present = counted(named);
    const missing = [...counted(media(transcript).map(({ asset }) => short(asset.id)))].filter(
      ([id, count]) => (present.get(id) ?? 0) < count,
    );
    expect(missing).toEqual([]);
  });

  lawOnEveryModel('every medium has a receipt', anyShape, async (transcript, model) => {
    const { receipts } = await writeOutline({ transcript, model });
    const told = counted(receipts.flatMap(({ asset }) => asset ?? []));
    const missing = [...counted(media(transcript).map(({ asset }) => asset.id))].filter(
      ([id, count]) => (told.get(id) ?? 0) < count,
    );
    expect(missing).toEqual([]);
  });

  lawOnEveryModel('receipts name exactly the media that stand in the body', anyShape, async (transcript, model) => {
    const { body, receipts } = await writeOutline({ transcript, model });
    const sent = receipts.flatMap(({ sent: assets = [] }) => assets.map(short));
    const standing = [...JSON.stringify(body).matchAll(/base64, asset ([0-9a-f]{8})/g)].map(([, id]) => id ?? '');
    expect(sent.toSorted()).toEqual(standing.toSorted());
  });

  lawOnEveryModel('every text of a person, a tool and the model arrives', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    const arrived = counted(marksIn(body, 'TXT'));
    const lost = marksIn(
      transcript.messages.map(({ content }) => content.map((block) => (block.type === 'text' ? block.text : ''))),
      'TXT',
    );
    expect(lost.filter((mark) => arrived.get(mark) !== 1)).toEqual([]);
  });

  lawOnEveryModel('every thought that is left out has a receipt', anyShape, async (transcript, model) => {
    const { body, receipts } = await writeOutline({ transcript, model });
    const thoughts = transcript.messages.flatMap(({ content }) =>
      content.filter((block) => block.type === 'thinking' || block.type === 'sealed'),
    );
    const sent = thoughts.filter((block) =>
      marksIn(block.seal ?? {}, 'OWN').some((mark) => JSON.stringify(body).includes(mark)),
    );
    expect(receipts.filter(({ action }) => action === 'left-out')).toHaveLength(thoughts.length - sent.length);
  });
});

describe('the model sees content and nothing else', () => {
  lawOnEveryModel('details and paths never reach the body', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    expect(marksIn(body, 'DET')).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('SECRETPATH');
  });

  lawOnEveryModel('no string of the body holds half a letter', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    expect(strings(body).filter((text) => !whole(text))).toEqual([]);
  });

  const half = 'half \ud800 a letter';
  const halves: [string, Partial<Transcript>][] = [
    ['the system prompt', { system: half }],
    [
      'a description of a tool',
      { tools: [{ name: 'shot', description: half, inputSchema: { type: 'object', title: half } }] },
    ],
    [
      'the arguments of a call',
      {
        messages: [
          {
            role: 'assistant',
            model: 'a/b',
            content: [{ type: 'call', id: 'c1', name: 'shot', input: { [half]: [half] } }],
          },
        ],
      },
    ],
  ];

  test.each(halves)('no body takes half a letter from %s', async (_place, given) => {
    for (const model of models) {
      const { body } = await writeOutline({ transcript: { version: 1, messages: [], ...given }, model });
      expect(strings(body).filter((text) => !whole(text))).toEqual([]);
    }
  });
});
