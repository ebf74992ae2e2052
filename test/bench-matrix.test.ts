// The matrix of what reaches a model: our own row is as it should be, and the verdicts tell right from wrong.
import { expect, test } from 'vitest';
import type { Captured } from '../bench/matrix/peer.ts';
import askOurselves from '../bench/matrix/peers/sightline.ts';
import { mediaOf, probes, toolName } from '../bench/matrix/probes.ts';
import type { Probe } from '../bench/matrix/probes.ts';
import { isGood, judgeCell } from '../bench/matrix/verdict.ts';
import type { Verdict } from '../bench/matrix/verdict.ts';

function probeOf(id: string): Probe {
  const found = probes.find((probe) => probe.id === id);
  if (!found) throw new Error(`There is no probe ${id}.`);
  return found;
}

test('every medium reaches every model, or the model is told', async () => {
  const cells = await askOurselves({ underneath: 'fetch' });
  expect(cells).toHaveLength(probes.length * 6);
  const verdicts = await Promise.all(
    cells.map(async (cell) => ({ cell, verdict: await judgeCell(probeOf(cell.probe), cell, new Set()) })),
  );
  const wrong = verdicts.filter(({ verdict }) => !isGood(verdict.outcome));
  expect(wrong.map(({ cell, verdict }) => [cell.probe, cell.column, verdict])).toEqual([]);
});

const [picture] = mediaOf(probeOf('image'));
const base64 = picture?.medium.base64 ?? '';
const url = `data:image/png;base64,${base64}`;
const call = { id: 'call_1', type: 'function', function: { name: toolName, arguments: '{}' } };
const words = { role: 'tool', tool_call_id: 'call_1', content: 'North side.' };
const image = { type: 'image_url', image_url: { url } };

function chat(...after: object[]): Captured {
  const asked = { role: 'assistant', content: null, tool_calls: [call] };
  const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Look.' }, asked, ...after] };
  return { probe: 'image', column: 'chat', body };
}

const cells: [what: string, cell: Captured, outcome: Verdict['outcome']][] = [
  ['after the results', chat(words, { role: 'user', content: [image] }), 'moved'],
  ['as base64 in the words', chat({ ...words, content: `North side. ${base64}` }), 'text'],
  ['not there', chat(words), 'dropped'],
  ['told of', chat({ ...words, content: 'North side. [red.png is not shown]' }), 'said'],
  ['there twice', chat(words, { role: 'user', content: [image, image] }), 'twice'],
  ['in a tool message', chat({ ...words, content: [{ type: 'text', text: 'North side.' }, image] }), 'bad'],
  ['there, but its call has no answer', chat({ role: 'user', content: ['North side.', image] }), 'bad'],
  ['there, but the words are gone', chat({ ...words, content: 'ok' }, { role: 'user', content: [image] }), 'dropped'],
  ['never sent', { probe: 'image', column: 'chat', error: 'No.' }, 'throws'],
  ['not offered', { probe: 'image', column: 'chat', notOffered: true }, '–'],
];

test.each(cells)('a picture that is %s gets that verdict', async (_, cell, outcome) => {
  expect(await judgeCell(probeOf('image'), cell, new Set())).toMatchObject({ outcome });
});

/** Three results, and what follows them in the same message. */
function claude(results: readonly object[][], after: readonly object[] = []): Captured {
  const calls = results.map((_, at) => ({ type: 'tool_use', id: `call_${at + 1}`, name: toolName, input: {} }));
  const answers = results.map((content, at) => ({ type: 'tool_result', tool_use_id: `call_${at + 1}`, content }));
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: calls },
    { role: 'user', content: [...answers, ...after] },
  ];
  return { probe: 'parallel', column: 'anthropic', body: { model: 'claude-sonnet-4-5', max_tokens: 10, messages } };
}

const [red = {}, blue = {}] = mediaOf(probeOf('parallel')).map(({ medium }) => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: medium.base64 },
}));
const [north, nothing, south, ofFirst, ofThird] = [
  'North side.',
  'Nothing there.',
  'South side.',
  'from call_1:',
  'from call_3:',
].map((text) => ({ type: 'text', text })) as [object, object, object, object, object];

const shared: [what: string, cell: Captured, outcome: Verdict['outcome']][] = [
  ['in their own results', claude([[north, red], [nothing], [south, blue]]), 'OK'],
  ['one in the result of another call', claude([[north], [nothing, red], [south, blue]]), 'bad'],
  ['after the results without a label', claude([[north], [nothing], [south]], [red, blue]), 'unowned'],
  ['after the results, labelled', claude([[north], [nothing], [south]], [ofFirst, red, ofThird, blue]), 'moved'],
];

test.each(shared)('the pictures of two calls, %s, get that verdict', async (_, cell, outcome) => {
  expect(await judgeCell(probeOf('parallel'), cell, new Set())).toMatchObject({ outcome });
});
