// What is read out of the body of an error response, however it is wrapped.
import { expect, test } from 'vitest';
import { readErrorBody } from '../../../src/model/heal/error-body.ts';

const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { error: nested(depth - 1, inner) });

const rows: [string, unknown, object][] = [
  ['plain words', '  The server\n is   down ', { message: 'The server is down', kinds: [] }],
  ['a web page with a title', '<html><title lang="en">502 Bad  Gateway</title><p>x</p>', { message: '502 Bad Gateway', kinds: [] }],
  ['a web page without one', '<h1>Not</h1><p class="a">found</p>', { message: 'Not found', kinds: [] }],
  ['nothing', '', { message: '', kinds: [] }],
  ['a JSON text that is no object', '"overloaded"', { message: '"overloaded"', kinds: [] }],
  ['a number', '502', { message: '502', kinds: [] }],
  ['an empty list', [], { message: '', kinds: [] }],
  ['a list of complaints', ['first', 'second'], { message: 'first', kinds: [] }],
  ['no field that we know', { a: 1 }, { message: '{"a":1}', kinds: [] }],
  ['error', { error: 'x' }, { message: 'x', kinds: [] }],
  ['detail', { detail: 'x' }, { message: 'x', kinds: [] }],
  ['message', { message: 'x' }, { message: 'x', kinds: [] }],
  ['errors', { errors: ['x'] }, { message: 'x', kinds: [] }],
  ['msg', { msg: 'x' }, { message: 'x', kinds: [] }],
  ['a number as the error', { error: 7 }, { message: '7', kinds: [] }],
  ['JSON in a text', { error: ' {"message":"x","type":"inner"}', type: 'outer' }, { message: 'x', kinds: ['inner', 'outer'] }],
  ['a text that only begins like JSON', { error: '{not' }, { message: '{not', kinds: [] }],
  ['words before JSON', { error: 'x {"message":"y"}' }, { message: 'x {"message":"y"}', kinds: [] }],
  ['every name of an error', { message: 'x', type: 'a', code: 'b', status: 'c', reason: 'd' }, { message: 'x', kinds: ['a', 'b', 'c', 'd'] }],
  ['names that are none', { message: 'x', type: 1, code: null }, { message: 'x', kinds: [] }],
  ['four levels down', nested(4, { message: 'x' }), { message: 'x', kinds: [] }],
  ['further down', nested(5, { message: 'x' }), { message: '{"message":"x"}', kinds: [] }],
  ['JSON in a text, further down', nested(4, '{"message":"x"}'), { message: '{"message":"x"}', kinds: [] }],
  ['JSON in a text, three levels down', nested(3, '{"message":"x"}'), { message: 'x', kinds: [] }],
  ['what an upstream said', { message: 'Failed', metadata: { raw: '{"message":"x","type":"up"}' }, type: 'own' }, { message: 'Failed x', kinds: ['own', 'up'] }],
  ['an upstream that said nothing', { message: 'Failed', metadata: { raw: '' } }, { message: 'Failed', kinds: [] }],
  ['an upstream that said no words', { message: 'Failed', metadata: { raw: 7 } }, { message: 'Failed', kinds: [] }],
  ['metadata that is none', { message: 'Failed', metadata: 'x' }, { message: 'Failed', kinds: [] }],
  ['param', { message: 'x', param: 'input[3]' }, { message: 'x', kinds: [], path: 'input[3]' }],
  ['loc', { msg: 'x', loc: ['body', 'messages', 2] }, { message: 'x', kinds: [], path: 'messages.2' }],
  ['the inner place', { error: { message: 'x', param: 'a' }, param: 'b' }, { message: 'x', kinds: [], path: 'a' }],
  ['a field of Google', { message: 'x', details: [{}, 'y', { fieldViolations: [{ field: 'contents[1]' }] }] }, { message: 'x', kinds: [], path: 'contents[1]' }],
  ['violations that name none', { message: 'x', details: [{ fieldViolations: [{ field: 7 }] }, { fieldViolations: 'y' }] }, { message: 'x', kinds: [] }],
  ['details that are no list', { message: 'x', details: 'y' }, { message: 'x', kinds: [] }],
  ['a wait of Google', { message: 'x', details: [{}, { retryDelay: 'soon' }, { retryDelay: '1.5s' }] }, { message: 'x', kinds: [], retryAfter: 1500 }],
  ['no wait at all', { message: 'x', details: [{ retryDelay: '0s' }] }, { message: 'x', kinds: [], retryAfter: 0 }],
  ['a wait as a number', { message: 'x', details: [{ retryDelay: 7 }, 'y'] }, { message: 'x', kinds: [] }],
  ['the inner wait', { error: { message: 'x', details: [{ retryDelay: '1s' }] }, details: [{ retryDelay: '2s' }] }, { message: 'x', kinds: [], retryAfter: 1000 }],
  ['quotas of Google', { message: 'x', details: [{ violations: [{ quotaId: 'PerDay' }, 'y', { quotaId: 7 }] }, 'z'] }, { message: 'x', kinds: ['PerDay'] }],
  ['a place in the words', { message: 'see messages.5.content.0: no' }, { message: 'see messages.5.content.0: no', kinds: [], path: 'messages.5.content.0' }],
  ['a place with brackets', 'Invalid input[3].output[12].', { message: 'Invalid input[3].output[12].', kinds: [], path: 'input[3].output[12]' }],
  ['no place', { message: 'my messages are long' }, { message: 'my messages are long', kinds: [] }],
]; // prettier-ignore

test.each(rows)('%s', (_name, body, read) => {
  expect(readErrorBody(typeof body === 'string' ? body : JSON.stringify(body))).toStrictEqual(read);
});
