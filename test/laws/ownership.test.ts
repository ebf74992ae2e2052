// Law: ownership survives. Media that leave their results follow all of them in one message, each under a label that
// names tool, call and ordinal; and who owns a medium can always be told from the bytes.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Asset, MediaBlock } from '../../src/content/block.ts';
import { afterResults, mediaLead } from '../../src/content/words.ts';
import type { Message, Transcript } from '../../src/message/message.ts';
import { medium } from './blocks.ts';
import { models, profileOf } from './models.ts';
import { mediaIn, read, words } from './reading.ts';
import type { Entry } from './reading.ts';
import { anyShape } from './transcripts.ts';
import { lawOnEveryModel, tryLaw } from './trial.ts';
import { planFor, put, short, writeOutline } from './world.ts';

type Results = Extract<Entry, { role: 'results' }>;

/** What the results of a turn say will follow, in order: the ordinal of each medium and the call that owns it. */
function promised({ results }: Results): string[] {
  return results.flatMap(({ id, text }) =>
    [...text.matchAll(/^(?:Error: )?\[(\d+)\. .*: follows after the tool results\]$/gm)].map(
      ([, ordinal]) => `${ordinal} of ${id}`,
    ),
  );
}

/** What the labels of the message after it say: the same, from the other side. */
function delivered(text: string): string[] {
  return [...text.matchAll(/^\[(\d+)\. .*, from tool (?:shot|read), call (.*)\]$/gm)].map(
    ([, ordinal, id]) => `${ordinal} of ${id}`,
  );
}

/** Media that stay inside are counted too, so only turns without any show the whole count. */
function hasMediaInside({ results }: Results): boolean {
  return results.some(({ parts }) => mediaIn(parts).length > 0);
}

/** The tool's own texts may imitate our labels; they are taken out first. */
const imitation = /^.*TXT\d{5}$/gm;

describe('media that follow the results of a turn', () => {
  lawOnEveryModel(
    'are announced in their result and labelled with it, one by one and in order',
    anyShape,
    async (transcript, model) => {
      const { body } = await writeOutline({ transcript, model });
      const entries = read(profileOf(model).wire, body);
      for (const [index, entry] of entries.entries()) {
        if (entry.role !== 'results') continue;
        const directly = entries[index + 1];
        const isBridged = directly?.role === 'assistant' && directly.text === afterResults;
        const next = isBridged ? entries[index + 2] : directly;
        const text = next?.role === 'user' ? words(next.parts) : '';
        const own = text.startsWith(mediaLead) ? text.slice(mediaLead.length).replaceAll(imitation, '') : '';
        expect(delivered(own)).toEqual(promised(entry));
        // Each call counts its own media from one.
        const counts = new Map<string, number>();
        const expected = promised(entry).map((line) => {
          const id = line.replace(/^\d+ of /, '');
          counts.set(id, (counts.get(id) ?? 0) + 1);
          return `${counts.get(id)} of ${id}`;
        });
        if (!hasMediaInside(entry)) expect(promised(entry)).toEqual(expected);
      }
    },
  );

  lawOnEveryModel('stand nowhere but in their results and after all of them', anyShape, async (transcript, model) => {
    const { body } = await writeOutline({ transcript, model });
    const entries = read(profileOf(model).wire, body);
    const leads = entries.filter((entry) => entry.role === 'user' && words(entry.parts).includes(mediaLead));
    const turns = entries.filter((entry) => entry.role === 'results' && promised(entry).length > 0);
    expect(leads).toHaveLength(turns.length);
  });

  lawOnEveryModel('each come directly after words about them', anyShape, (transcript, model) => {
    for (const item of planFor({ transcript, model }).plan.items) {
      const after = item.role === 'batch' ? item.after : [];
      const bare = after.filter((block, at) => {
        const before = after[at - 1];
        return block.type !== 'text' && !(before?.type === 'text' && before.text.startsWith('['));
      });
      expect(bare).toEqual([]);
    }
  });
});

const ids = fc.constantFrom<[string, string]>(['c1', 'c2'], ['a/1', 'b/1'], ['x:1', 'x:2'], ['', '']);

type Pair = {
  first: MediaBlock;
  second: MediaBlock;
  ids: [string, string];
  text: boolean;
  isError: boolean;
  same: boolean;
};

const pairs: fc.Arbitrary<Pair> = fc.record({
  first: medium,
  second: medium,
  ids,
  text: fc.boolean(),
  isError: fc.boolean(),
  same: fc.boolean(),
});

/** A turn of two calls with these media in their results. */
function turn({ ids: [one, two], text, isError, same }: Pair, media: [MediaBlock[], MediaBlock[]]): Transcript {
  const result = (callId: string, name: string, content: MediaBlock[]): Message => ({
    role: 'tool',
    callId,
    name,
    content: text ? [{ type: 'text', text: 'Done.' }, ...content] : content,
    isError,
  });
  const other = same ? 'shot' : 'read';
  return {
    version: 1,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        model: 'a/b',
        content: [
          { type: 'call', id: one, name: 'shot', input: {} },
          { type: 'call', id: two, name: other, input: {} },
        ],
      },
      result(one, 'shot', media[0]),
      result(two, other, media[1]),
    ],
  };
}

describe('histories that differ only in who owns a medium differ in bytes', () => {
  test.each(models)('%s', async (model) => {
    const property = fc.asyncProperty(pairs, async (drawn) => {
      const { first, second } = drawn;
      const ways: [MediaBlock[], MediaBlock[]][] = [
        [[first], []],
        [[], [first]],
        [[first, second], []],
        [[], [first, second]],
        [[first], [second]],
      ];
      if (first.asset.id !== second.asset.id) ways.push([[second], [first]], [[second, first], []]);
      const bodies = await Promise.all(
        ways.map(async (way) => JSON.stringify((await writeOutline({ transcript: turn(drawn, way), model })).body)),
      );
      expect(new Set(bodies).size).toBe(ways.length);
    });
    await tryLaw(property);
  });
});

function asset(name: string): Asset {
  return put(`picture ${name}`, 'image/png', name);
}

function picture(name: string): MediaBlock {
  return { type: 'image', asset: asset(name), width: 64, height: 48 };
}

describe('a batch of three calls with pictures in the first and the last', () => {
  const calls = ['c1', 'c2', 'c3'];
  const transcript: Transcript = {
    version: 1,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      { role: 'assistant', model: 'a/b', content: calls.map((id) => ({ type: 'call', id, name: 'shot', input: {} })) },
      { role: 'tool', callId: 'c1', name: 'shot', content: [{ type: 'text', text: 'one' }, picture('1.png')] },
      { role: 'tool', callId: 'c2', name: 'shot', content: [{ type: 'text', text: 'two' }] },
      { role: 'tool', callId: 'c3', name: 'shot', content: [picture('3.png'), { type: 'text', text: 'three' }] },
    ],
  };

  const rows: [string, 'inside' | 'after' | 'words'][] = [
    ['anthropic/claude-sonnet-4-5', 'inside'],
    ['openai/gpt-5.4', 'inside'],
    ['azure/deployment', 'inside'],
    ['openai-chat/gpt-4.1', 'after'],
    ['azure-chat/deployment', 'after'],
    ['openrouter/anthropic/claude-sonnet-4.5', 'after'],
    ['gemini/gemini-2.5-pro', 'after'],
    ['gemini/gemini-3-pro-preview', 'inside'],
    ['ollama/qwen3-vl', 'inside'],
    ['ollama/llava', 'after'],
    ['ollama/llama3.1', 'words'],
    ['compatible/nobody-knows-it', 'words'],
  ];

  test.each(rows)('%s: answered in order, pictures %s', async (model, place) => {
    const { body } = await writeOutline({ transcript, model });
    const entries = read(profileOf(model).wire, body).filter(({ role }) => role !== 'assistant');
    const [, results, after] = entries;
    const answers = results?.role === 'results' ? results.results : [];
    expect(answers.map(({ id }) => id)).toEqual(calls);
    expect(answers.map(({ text }) => /one|two|three/.exec(text)?.[0])).toEqual(['one', 'two', 'three']);
    const inside = place === 'inside' ? [[short(asset('1.png').id)], [], [short(asset('3.png').id)]] : [[], [], []];
    expect(answers.map(({ parts }) => mediaIn(parts))).toEqual(inside);
    const followers = after?.role === 'user' ? after.parts : [];
    expect(mediaIn(followers)).toEqual(place === 'after' ? [short(asset('1.png').id), short(asset('3.png').id)] : []);
    expect(entries).toHaveLength(place === 'after' ? 3 : 2);
    if (place === 'after') {
      expect(delivered(words(followers))).toEqual(['1 of c1', '1 of c3']);
      expect(words(followers)).toMatch(/"1\.png".*c1[^]*"3\.png".*c3/);
    }
    if (place === 'words') {
      expect(answers.map(({ text }) => [...text.matchAll(/asset (\w{8}), not shown/g)].map(([, id]) => id))).toEqual([
        [short(asset('1.png').id)],
        [],
        [short(asset('3.png').id)],
      ]);
    }
  });
});
