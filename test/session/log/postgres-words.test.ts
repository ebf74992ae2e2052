// What PostgreSQL and the way to it complain about, in words.
import { describe, expect, test } from 'vitest';
import { SightlineError } from '../../../src/content/refusal.ts';
import { inPostgresWords, isPassing, isPooler, placeName } from '../../../src/session/log/postgres-words.ts';

const url = 'postgres://ada:secret@db.example:5433/agents';
const place = 'database "agents" on db.example:5433';
const error = (more: object, message = 'no'): Error => Object.assign(new Error(message), more);

test.each([
  [url, place],
  ['postgres://db/agents', 'database "agents" on db'],
  ['postgres://db/a%20b', 'database "a b" on db'],
  ['postgres://db', 'the database on db'],
  ['postgres:///agents?host=/run/pg', 'database "agents" on /run/pg'],
  ['postgres:///agents', 'database "agents" on this machine'],
  ['no address', 'the database'],
])('%s is %s', (address, name) => {
  expect(placeName(address)).toBe(name);
});

const wordsOf = (thrown: unknown, at = url): unknown => (inPostgresWords(at, thrown) as Error).message;

describe('a complaint is a sentence', () => {
  const upper = `D${place.slice(1)}`;
  const untrusted = `The certificate of ${place} is not one that this machine trusts. Add sslrootcert=FILE to the address, with the certificate of your authority.`;
  test.each([
    ['28P01', `The password of "ada" for ${place} is wrong. Set PGPASSWORD, or write it into the address: postgres://name:password@host/database.`],
    ['28000', `${upper} does not let "ada" in. Check the name, and that pg_hba.conf allows it from this machine.`],
    ['3D000', `There is no ${place}. Make it with "createdb", or name another one.`],
    ['42501', `"ada" has not the rights it needs in ${place}. Its owner gives them: GRANT CREATE ON DATABASE … to make the tables, or GRANT ALL ON ALL TABLES, SEQUENCES IN SCHEMA sightline and USAGE ON SCHEMA sightline to use them.`],
    ['53300', `${upper} has no connection left. Raise max_connections, or put a pooler before it.`],
    ['53100', `The disk of ${place} is full. Make room there and try again. Nothing that was stored is lost.`],
    ['25006', `${upper} cannot be written: it is a copy for reading, or set to read only. Name the primary server.`],
    ['ENOTFOUND', `The host of ${place} is not known. Check the address.`],
    ['EAI_AGAIN', `The host of ${place} is not known just now. Check the network and the address.`],
    ['ECONNREFUSED', `Nobody answers at ${place}. Check the address, and that PostgreSQL runs there.`],
    ['08P01', `What answers at ${place} is not PostgreSQL as we know it. Check host and port.`],
    ['57014', `${upper} took longer than a statement may take. Try again when it has less to do.`],
    ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
    ['ERR_TLS_CERT_ALTNAME_INVALID', `The certificate of ${place} is for another host. Use the name that it is for.`],
    ['57P01', `${upper} cannot be reached (no). Check the address, and that PostgreSQL runs there. What was acknowledged is stored.`],
  ])('%s', (code, words) => {
    const thrown = error({ code });
    const told = inPostgresWords(url, thrown) as SightlineError;
    expect([told.code, told.message, told.cause]).toEqual(['storage', words, thrown]);
  }); // prettier-ignore

  test('a role that the address does not name, or names with signs', () => {
    const locked = error({ code: '28000' });
    expect(wordsOf(locked, 'postgres://db/x')).toContain('does not let this role in');
    expect(wordsOf(locked, 'postgres://a%40b@db/x')).toContain('does not let "a@b" in');
  });

  test('several addresses of one host, files, TLS, and whatever else the server says', () => {
    const refused = new AggregateError([error({ code: 'ECONNREFUSED' })], 'all of them');
    expect(wordsOf(refused)).toBe(`Nobody answers at ${place}. Check the address, and that PostgreSQL runs there.`);
    const file = 'The address names a file that cannot be read (/x.pem). Check sslrootcert, sslcert and sslkey.';
    for (const code of ['ENOENT', 'EACCES']) expect(wordsOf(error({ code, path: '/x.pem' }))).toBe(file);
    expect(wordsOf(error({}, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'))).toBe(
      `${upper} asks for the password of "ada", and the address has none. Set PGPASSWORD, or write it into the address: postgres://name:password@host/database.`,
    );
    expect(wordsOf(error({}, 'The server does not support SSL connections'))).toBe(
      `${upper} offers no TLS, and the address asks for it. Remove sslmode from the address, or set ssl = on there.`,
    );
    expect(wordsOf(error({ code: '42703', severity: 'ERROR' }, 'no column'))).toBe(
      `${upper} refused something: no column (42703). Its log says more.`,
    );
  });

  test('what is one already, or a mistake of ours, stays as it is', () => {
    const others = [
      new SightlineError('input', 'said'),
      'words',
      undefined,
      error({}),
      error({ code: 'ENOENT' }),
      error({ code: 'EIO', path: '/x' }),
      new AggregateError([error({ code: 'EIO' })], 'several'),
    ];
    for (const one of others) expect(inPostgresWords(url, one)).toBe(one);
  });
});

const passing: [unknown, boolean][] = [
  [error({ code: '08006' }), true],
  [error({ code: '57P03' }), true],
  [error({ code: '57014' }), true],
  [error({ code: '40001' }), true],
  [error({ code: '40P01' }), true],
  ...['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'].map((code): [unknown, boolean] => [error({ code }), true]),
  [error({}, 'Connection terminated unexpectedly'), true],
  [error({}, 'Query read timeout'), true],
  [error({}, 'Client is not queryable'), true],
  [error({}, 'Client has encountered a connection error'), true],
  [error({}, 'the connection ended'), true],
  [error({ code: '08P01' }), false],
  [error({ code: '23505' }), false],
  [error({ code: '00857P0' }), false],
  [error({ code: 'ENOTFOUND' }), false],
  [error({}, 'x is not a function'), false],
  [{ message: 'timeout' }, false],
  [new SightlineError('storage', 'timeout'), false],
  [Object.assign(new SightlineError('storage', 'no'), { code: '08006' }), false],
]; // prettier-ignore

test.each(passing)('what passes: %o %s', (thrown, passes) => {
  expect(isPassing(thrown)).toBe(passes);
});

test('a pooler', () => {
  const words = 'unsupported startup parameter: statement_timeout';
  expect(isPooler(error({ code: '08P01' }, words))).toBe(true);
  expect(isPooler(error({ code: '08P01' }, 'other'))).toBe(false);
  expect(isPooler(error({ code: '08006' }, words))).toBe(false);
});
