// A document that a conversation shows twice is sent once.
import { describe, expect, test } from 'vitest';
import type { Block, DocumentBlock, ImageBlock } from '../../src/content/block.ts';
import { repeatedDocument } from '../../src/content/words.ts';
import type { Message } from '../../src/message/message.ts';
import type { Item } from '../../src/message/pair.ts';
import type { Decision } from '../../src/window/decide.ts';
import type { Draft } from '../../src/window/draft.ts';
import type { PlanInput } from '../../src/window/plan.ts';
import { copiesIn, heirOf, reshown } from '../../src/window/repeated.ts';
import { cpuMs } from '../cpu.ts';
import { planFor, put } from '../laws/world.ts';
import type { Ask, Planned } from '../laws/world.ts';

const claude = 'anthropic/claude-sonnet-4-5';
const report: DocumentBlock = { type: 'document', asset: put('report', 'application/pdf', 'report.pdf'), pages: 12 };
const pages = (from: number, to: number): DocumentBlock => ({ ...report, range: [from, to] });

/** A turn in which one call after the other brings back something. */
function turn(number: number, ...results: Block[][]): Message[] {
  const calls = results.map((_, at): Block => ({ type: 'call', id: `c${number}-${at}`, name: 'read', input: {} }));
  return [
    { role: 'assistant', model: '', content: calls },
    ...results.map((content, at): Message => ({ role: 'tool', callId: `c${number}-${at}`, name: 'read', content })),
  ];
}

function shot(name: string): ImageBlock {
  return { type: 'image', asset: put(name, 'image/png', `${name}.png`), width: 640, height: 400 };
}

const asked: Message = { role: 'user', content: [{ type: 'text', text: 'What does it say?' }] };
const long: Block = { type: 'text', text: 'word '.repeat(1000) };

function planned(messages: Message[], input: Partial<Omit<PlanInput, 'facts'>> & Partial<Ask> = {}): Planned {
  return planFor({ model: claude, transcript: { version: 1, messages }, ...input });
}

/** What stands in each item of a plan for the document: itself, its words, or what points to it. */
function stand({ plan: { items } }: Planned): string[] {
  return items.flatMap((item) => {
    const json = JSON.stringify(item);
    const forms = [
      ...(json.match(/"type":"document"/g) ?? []).map(() => 'itself'),
      ...(json.includes('words of world') ? ['text'] : []),
      ...json
        .split(JSON.stringify(repeatedDocument(report)).slice(1, -1))
        .slice(1)
        .map(() => 'again'),
      ...(json.includes('left out to fit the window') ? ['left out'] : []),
      ...(json.includes('the provider refused it') ? ['refused'] : []),
    ];
    return forms.length === 0 ? [] : [forms.join(' ')];
  });
}

describe('a document that is shown again', () => {
  test('goes once; the others are words in their own results, with a receipt', () => {
    const made = planned([asked, ...turn(1, [report], [long, report]), ...turn(2, [report])]);
    expect(stand(made)).toEqual(['itself again', 'again']);
    const told = made.receipts.filter(({ asset }) => asset === report.asset.id);
    expect(told.map(({ action, callId, place }) => [action, callId, place])).toEqual([
      ['inside', 'c1-0', 'inside'],
      ['words', 'c1-1', 'words'],
      ['words', 'c2-0', 'words'],
    ]);
    expect(told[1]?.why).toBe('the same document stands in this request already');
    expect(told[1]?.sent).toBeUndefined();
  });

  test('is the same where all of its pages are asked for, and another where some are', () => {
    expect(stand(planned([asked, ...turn(1, [report], [pages(0, 12)])]))).toEqual(['itself']); // the words name the pages
    const parts = planned([asked, ...turn(1, [pages(0, 3)], [pages(3, 6)], [pages(0, 3)])], { world: 2 });
    const shown = parts.receipts.map(({ action, sent }) => [action, sent?.length]);
    expect(shown.filter(([action]) => action === 'words')).toHaveLength(1);
  });

  test('under another name is another, for words could not point to it', () => {
    const renamed = { ...report, asset: { ...report.asset, name: 'copy.pdf' } };
    expect(stand(planned([asked, ...turn(1, [report], [renamed], [renamed])]))).toEqual(['itself itself']);
    expect(planned([asked, ...turn(1, [renamed], [renamed])]).receipts.map(({ action }) => action)).toContain('words');
  });

  test('as its words or its pages goes once, too', () => {
    const messages = [asked, ...turn(1, [report]), ...turn(2, [report])];
    for (const [model, form] of [
      ['ollama/llama3.2', 'text'],
      ['ollama/gemma3', 'pages'],
    ] as const) {
      const { receipts } = planned(messages, { model, world: 3 });
      expect(receipts.filter(({ asset }) => asset).map(({ action }) => action)).toEqual([form, 'words']);
    }
  });

  test('stays where it was first shown when the conversation goes on', () => {
    const first = planned([asked, ...turn(1, [report])]);
    const second = planned([asked, ...turn(1, [report]), ...turn(2, [report])], { ledger: first.ledger });
    expect(second.plan.items.slice(0, first.plan.items.length)).toEqual(first.plan.items);
    expect(second.receipts.filter(({ action }) => action === 'checkpoint')).toEqual([]);
  });

  test('is shown where it stands next when the first has to go', () => {
    const talk = [asked, ...turn(1, [report, long]), ...turn(2, [long]), ...turn(3, [long]), ...turn(4, [long])];
    const before = planned(talk);
    const now = planned([...talk, ...turn(5, [report])], { ledger: before.ledger, budget: { tokens: 30_000 } });
    expect(stand(now).at(-1)).toBe('itself');
    expect(stand(now).join()).not.toContain('again');
    const later = planned([...talk, ...turn(5, [report]), ...turn(6, [report])], {
      ledger: now.ledger,
      budget: { tokens: 40_000 },
    });
    expect(stand(later).slice(-2)).toEqual(['itself', 'again']);
  });

  test('and was left out before is shown', () => {
    const talk = [asked, ...turn(1, [report]), ...turn(2, [long]), ...turn(3, [long])];
    const before = planned(talk, { budget: { tokens: 8000 } });
    expect(stand(before)).toEqual(['left out']);
    expect(stand(planned([...talk, ...turn(4, [report])], { ledger: before.ledger }))).toEqual(['left out', 'itself']);
  });

  test('is pointed to in a lower form, and by nobody when nothing of it is left', () => {
    const messages = [asked, ...turn(1, [report]), ...turn(2, [report]), ...turn(3, [report])];
    const lower = new Set([report.asset.id]);
    let made = planned(messages);
    const forms = [stand(made)];
    for (let round = 0; round < 3; round++) {
      made = planned(messages, { ledger: made.ledger, lower, world: 3 });
      forms.push(stand(made));
    }
    expect(forms[0]).toEqual(['itself', 'again', 'again']);
    expect(forms.slice(1, 3).every(([, second]) => second === 'again' || second === undefined)).toBe(true);
    expect(forms.at(-1)).toEqual(['refused', 'refused', 'refused']);
  });

  test('in every turn of a long conversation costs each turn the same', async () => {
    const papers = Array.from({ length: 20 }, (_, at): DocumentBlock => {
      return { ...report, asset: put(`paper ${at}`, 'application/pdf', `${at}.pdf`), pages: 1 };
    });
    const talk = (turns: number): Message[] => [
      asked,
      ...Array.from({ length: turns }, (_, at) => turn(at, [papers[at % 20] as Block])).flat(),
    ];
    const work = async (turns: number): Promise<number> =>
      await cpuMs(() => planned(talk(turns), { budget: { tokens: 40_000 } }));
    await work(500); // compiled
    const few = await work(500);
    expect(await work(4000)).toBeLessThan(100 + 40 * few); // 8 times as many; each looking at each would be 64
  });

  test('as pages counts among the pictures that are kept where it is shown then', () => {
    const short = { ...report, pages: 2 };
    const messages = [
      asked,
      ...turn(1, [short]),
      ...turn(2, [shot('a')]),
      ...turn(3, [shot('b')]),
      ...turn(4, [short]),
    ];
    const { receipts } = planned(messages, {
      model: 'ollama/gemma3',
      world: 3,
      policy: { imagesToKeep: 2, strict: true },
    });
    const told = receipts.filter(({ asset }) => asset !== undefined).map(({ action }) => action);
    expect(told).toEqual(['words', 'words', 'words', 'pages']);
  });
});

test('pictures are no documents: one that is shown again is meant', () => {
  const { receipts } = planned([asked, ...turn(1, [shot('a')]), ...turn(2, [shot('a')])]);
  expect(receipts.map(({ action }) => action)).toEqual(['inside', 'inside']);
});

const user = (...content: Block[]): Item => ({ role: 'user', content });

test('only drafts whose words point to nothing are others, and those in which nothing is shown stay', () => {
  const shown: Decision = { place: 'inside', blocks: [], action: 'inside', why: '' };
  const gone: Decision = { ...shown, place: 'words', action: 'words' };
  const again: Decision = { ...gone, again: shown };
  const item = user(shot('a'), report);
  const drafts: Draft[] = [
    { item, decisions: [shown, shown], cut: 'all' },
    { item, decisions: [shown, gone] },
    { item, decisions: [shown, again], cut: 'text' },
    { item, decisions: [again, again], unbound: true },
    { item, decisions: [shown, again] },
    { item: user(pages(0, 3)), decisions: [again] },
  ];
  expect([...reshown(drafts)]).toEqual([
    [3, { item, decisions: [again, shown], unbound: true }],
    [5, { item: user(pages(0, 3)), decisions: [shown] }],
  ]);
  expect([...reshown([{ item, decisions: [shown] }])]).toEqual([]); // while facts are missing
  expect([
    ...reshown([
      { item, decisions: [shown] },
      { item, decisions: [shown, again] },
    ]),
  ]).toEqual([[1, { item, decisions: [shown, shown] }]]);
  expect([...copiesIn([{ item, decisions: [shown, shown] }]).keys()]).toEqual([]); // nobody points to it
  expect([...copiesIn([{ item: user(shot('a')), decisions: [again] }]).keys()]).toEqual([]); // a picture is no document
  const two = [report, pages(0, 3)].map((block): Draft => ({ item: user(block), decisions: [shown] }));
  const pointing: Draft[] = [...two, { item: user(report), decisions: [again] }];
  expect([...copiesIn(pointing).values()]).toEqual([{ places: [[0, 0], [2, 0]], from: 0 }]); // prettier-ignore
  expect(heirOf('another', copiesIn(pointing), pointing)).toBeUndefined();
});
