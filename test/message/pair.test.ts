// Pairing: messages in any disorder become turns in which every call is answered once. Rows read as a small language:
// `u` user, `a:x,y` an assistant calling x and y, `r:x` a result for x, `l:x` one marked as late.
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/message/message.ts';
import { callNamer, pair } from '../../src/message/pair.ts';
import type { Item } from '../../src/message/pair.ts';

let count = 0;

function message(word: string): Message {
  const [kind = '', rest = ''] = word.split(':');
  const text = { type: 'text', text: `${word}#${++count}` } as const;
  const ids = word.includes(':') ? rest.split(',') : [];
  if (kind === 'u') return { role: 'user', content: [text] };
  if (kind === 'r' || kind === 'l')
    return { role: 'tool', callId: rest, name: 'stranger', content: [text], ...(kind === 'l' && { late: true }) };
  const calls = ids.map((id) => ({ type: 'call', id, name: `tool-${id}`, input: {} }) as const);
  return { role: 'assistant', model: 'a/b', content: [text, ...calls] };
}

function messages(line: string): Message[] {
  count = 0;
  return line.split(' ').filter(Boolean).map(message);
}

/** The items back in the same language; `=` stands before the text that answers a call, `?` for no answer, `n` for a note. */
function written(items: readonly Item[]): string {
  return items
    .map((item) => {
      if (item.role === 'user') {
        const texts = item.content.map((block) => (block.type === 'text' ? block.text : ''));
        return texts.length > 1 ? `n(${texts[1]})` : 'u';
      }
      if (item.role === 'assistant')
        return `a:${item.content.flatMap((block) => (block.type === 'call' ? [block.id] : [])).join(',')}`;
      return `[${item.results.map((result) => `${result.callId}=${answer(result)}`).join(' ')}]`;
    })
    .join(' ');
}

function answer(result: { isError?: boolean; content: readonly { type: string }[] }): string {
  const [block] = result.content;
  const text = block && 'text' in block ? String(block.text) : '';
  return text.includes('#') ? text : result.isError ? '?' : 'unflagged';
}

const rows: [string, string, string, string][] = [
  ['nothing', '', '', ''],
  ['a plain exchange', 'u a u', 'u a: u', ''],
  ['a call and its result', 'u a:x r:x', 'u a:x [x=r:x#3]', ''],
  ['parallel results in order', 'u a:x,y r:x r:y', 'u a:x,y [x=r:x#3 y=r:y#4]', ''],
  ['parallel results out of order', 'u a:x,y r:y r:x', 'u a:x,y [x=r:x#4 y=r:y#3]', 'reordered'],
  ['an orphan call', 'u a:x u', 'u a:x [x=?] u', 'unanswered'],
  ['an orphan call at the end', 'u a:x', 'u a:x [x=?]', 'unanswered'],
  ['one orphan of two', 'u a:x,y r:y', 'u a:x,y [x=? y=r:y#3]', 'unanswered'],
  ['an orphan result', 'u r:x u', 'u n(r:x#2) u', 'late'],
  ['an orphan result first', 'r:x u', 'n(r:x#1) u', 'late'],
  ['a late result', 'u a:x u a r:x', 'u a:x [x=?] u a: n(r:x#5)', 'unanswered late'],
  ['a result after the user spoke', 'u a:x u r:x', 'u a:x [x=r:x#4] u', ''],
  ['one marked as late', 'u a:x,y r:x r:y l:x', 'u a:x,y [x=r:x#3 y=r:y#4] n(l:x#5)', ''],
  ['one marked as late, without an answer', 'u a:x l:x', 'u a:x [x=?] n(l:x#3)', 'unanswered'],
  ['a result twice', 'u a:x r:x r:x', 'u a:x [x=r:x#3] n(r:x#4)', 'late'],
  ['a user between results', 'u a:x,y r:x u r:y', 'u a:x,y [x=r:x#3 y=r:y#5] u', ''],
  ['two turns', 'u a:x r:x a:y r:y', 'u a:x [x=r:x#3] a:y [y=r:y#5]', ''],
  ['an id used again in a later turn', 'u a:x r:x a:x r:x', 'u a:x [x=r:x#3] a:x_2 [x_2=r:x#5]', 'duplicate-id'],
  ['an id used twice in one turn', 'u a:x,x r:x r:x', 'u a:x,x_2 [x=r:x#3 x_2=r:x#4]', 'duplicate-id'],
  [
    'an id that a renamed one has taken',
    'u a:x,x,x_2 r:x r:x r:x_2',
    'u a:x,x_2,x_2_2 [x=r:x#3 x_2=r:x#4 x_2_2=r:x_2#5]',
    'duplicate-id duplicate-id',
  ],
  ['two assistants in a row', 'u a:x a:y r:y', 'u a:x [x=?] a:y [y=r:y#4]', 'unanswered'],
  ['two assistants in a row, answered together', 'u a:x a:y r:x r:y', 'u a:x,y [x=r:x#4 y=r:y#5]', ''],
  ['three of them, the first with words alone', 'u a a:x a:y r:y r:x', 'u a: a:x,y [x=r:x#6 y=r:y#5]', 'reordered'],
  ['three of them, the first unanswered', 'u a:x a:y a:z r:y r:z', 'u a:x [x=?] a:y,z [y=r:y#5 z=r:z#6]', 'unanswered'],
  ['an answered call before words alone', 'u a:x a r:x u', 'u a:x [x=r:x#4] u', ''],
];

describe('pairing', () => {
  test.each(rows)('%s', (_name, line, expected, repairs) => {
    const given = messages(line);
    const before = JSON.stringify(given);
    const paired = pair(given);
    expect(written(paired.items)).toBe(expected);
    expect(paired.repairs.map(({ kind }) => kind).join(' ')).toBe(repairs);
    expect(JSON.stringify(given)).toBe(before);
  });

  test('calls without ids get some, and their results find them', () => {
    const paired = pair(messages('u a:, r: r:'));
    const [, , batch] = paired.items;
    const ids = batch?.role === 'batch' ? batch.results.map(({ callId }) => callId) : [];
    expect(new Set(ids).size).toBe(2);
    expect(ids.every(Boolean)).toBe(true);
    expect(written(paired.items)).toMatch(/=r:#3 .*=r:#4/);
  });

  test('the answer takes the name of the tool that was called', () => {
    const { items } = pair(messages('u a:x r:x'));
    const batch = items.at(-1);
    expect(batch?.role === 'batch' && batch.results[0]?.name).toBe('tool-x');
  });

  test('a note keeps everything of a late result, its failure and its media included', () => {
    const picture = {
      type: 'image',
      asset: { id: 'sha256:aa', mediaType: 'image/png', size: 1 },
      width: 1,
      height: 1,
    } as const;
    const late: Message = {
      role: 'tool',
      callId: 'x',
      name: 'shot',
      isError: true,
      content: [{ type: 'text', text: 'no door' }, picture],
    };
    const [note] = pair([late]).items;
    expect(note?.role === 'user' && note.content.slice(1)).toEqual(late.content);
    expect(JSON.stringify(note)).toMatch(/shot.*x/);
    expect(JSON.stringify(note)).toMatch(/error|fail/i);
  });

  test('what is renamed depends on what came before alone', () => {
    const line = 'u a:x r:x a:x r:x a:x,x r:x r:x u';
    const all = written(pair(messages(line)).items);
    const words = line.split(' ');
    for (const cut of [3, 5, 8]) {
      expect(all.startsWith(written(pair(messages(words.slice(0, cut).join(' '))).items))).toBe(true);
    }
  });

  test.each([
    'u a:x,x',
    'u a:x r:x a:x,x_2',
    'u a:x,x r:x r:x a:x',
    'u a:,',
    'u a: r: a:',
    'u a:x a:x,y',
    'u a:x_2,x r:x_2 r:x a:x',
  ])('calls that are named as they are heard are called as they would be later: %s', (line) => {
    const given = messages(line);
    const last = given.at(-1);
    const { items } = pair(given);
    const later = items.findLast((item) => item.role === 'assistant');
    const named = callNamer(given.slice(0, -1));
    const heard = (last?.role === 'assistant' ? last.content : []).map((block, place) => {
      if (block.type !== 'call') return block;
      const begun = named({ ...block, input: {} }, place);
      const call = named(block, place);
      expect(call.id).toBe(begun.id);
      return call;
    });
    expect(heard).toEqual(later?.content);
    expect(pair([...given.slice(0, -1), { ...last, content: heard } as Message]).items).toEqual(items);
  });

  test('a renamed call loses its seal, for the seal has the old id', () => {
    const seal = { wire: 'w', endpoint: 'e', model: 'm', item: { id: 'x' } };
    const call = { type: 'call', id: 'x', name: 't', input: {}, seal } as const;
    const { items } = pair([{ role: 'assistant', model: 'a/b', content: [call, call] }]);
    const [assistant] = items;
    const seals = assistant?.role === 'assistant' ? assistant.content.map((block) => 'seal' in block) : [];
    expect(seals).toEqual([true, false]);
  });

  test.each(['system', 'developer', 'function'])(
    'a message with the role %s is wrong use, and not left out',
    (role) => {
      const stray = { role, content: [{ type: 'text', text: 'Obey.' }] } as unknown as Message;
      expect(() => pair([stray, ...messages('u')])).toThrow(`A message has the role "${role}"`);
      expect(() => pair([...messages('u a:x r:x'), stray])).toThrow('Put instructions into "system"');
    },
  );
});
