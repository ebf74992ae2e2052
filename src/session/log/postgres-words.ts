// What PostgreSQL, and the way to it, complain about, as sentences: what is wrong with which database, and what to do.
import { errorCode } from '../../config/system.ts';
import { SightlineError } from '../../content/refusal.ts';
import { unescaped } from '../../content/text.ts';

/** Where a database is, without its password. */
export function placeName(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    const host = hostname === '' ? (searchParams.get('host') ?? 'this machine') : hostname;
    const name = decodeURIComponent(pathname.slice(1));
    return `${name === '' ? 'the database' : `database "${name}"`} on ${host}${port === '' ? '' : `:${port}`}`;
  } catch {
    return 'the database';
  }
}

function roleOf(url: string): string {
  const name = new URL(url).username;
  return name === '' ? 'this role' : `"${unescaped(name)}"`;
}

const brokenSockets = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH']);
/** What the driver says without a code. */
const brokenWords = /connection terminated|timeout|not queryable|connection error|connection ended/i;

/** Whether the same again may succeed: the connection broke, the server restarts, or others were in the way. */
export function isPassing(error: unknown): boolean {
  if (error instanceof SightlineError) return false;
  const code = errorCode(error);
  if (code === undefined) return error instanceof Error && brokenWords.test(error.message);
  if (code === '08P01') return false; // it speaks another protocol
  return /^08|^57P0|^57014|^40001|^40P01/.test(code) || brokenSockets.has(code);
}

/** A pooler between transactions refuses what belongs to a connection of its own. */
export function isPooler(error: unknown): boolean {
  return errorCode(error) === '08P01' && (error as Error).message.includes('unsupported startup parameter');
}

/** The connection has not prepared the statement of this name, or has another one, or one for tables of before: nothing was done. */
export function isUnprepared(error: unknown): boolean {
  return ['26000', '42P05', '0A000'].includes(errorCode(error) ?? '');
}

const givePassword = 'Set PGPASSWORD, or write it into the address: postgres://name:password@host/database.';

const byCode: Record<string, (place: string, role: string) => string> = {
  '28P01': (place, role) => `The password of ${role} for ${place} is wrong. ${givePassword}`,
  '28000': (place, role) =>
    `${place} does not let ${role} in. Check the name, and that pg_hba.conf allows it from this machine.`,
  '3D000': (place) => `There is no ${place}. Make it with "createdb", or name another one.`,
  '42501': (place, role) =>
    `${role} has not the rights it needs in ${place}. Its owner gives them: GRANT CREATE ON DATABASE … to make the tables, or GRANT ALL ON ALL TABLES, SEQUENCES IN SCHEMA sightline and USAGE ON SCHEMA sightline to use them.`,
  '53300': (place) => `${place} has no connection left. Raise max_connections, or put a pooler before it.`,
  '53100': (place) => `The disk of ${place} is full. Make room there and try again. Nothing that was stored is lost.`,
  '25006': (place) =>
    `${place} cannot be written: it is a copy for reading, or set to read only. Name the primary server.`,
  ENOTFOUND: (place) => `The host of ${place} is not known. Check the address.`,
  EAI_AGAIN: (place) => `The host of ${place} is not known just now. Check the network and the address.`,
  ECONNREFUSED: (place) => `Nobody answers at ${place}. Check the address, and that PostgreSQL runs there.`,
  '08P01': (place) => `What answers at ${place} is not PostgreSQL as we know it. Check host and port.`,
  '57014': (place) => `${place} took longer than a statement may take. Try again when it has less to do.`,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: (place) =>
    `The certificate of ${place} is for another host. Use the name that it is for.`,
};

function untrusted(place: string): string {
  return `The certificate of ${place} is not one that this machine trusts. Add sslrootcert=FILE to the address, with the certificate of your authority.`;
}

/** The complaint as a sentence; what is one already, or a mistake of ours, stays as it is. */
export function inPostgresWords(url: string, error: unknown): unknown {
  if (error instanceof SightlineError || !(error instanceof Error)) return error;
  const code = errorCode(error);
  const place = placeName(url);
  const told = (what: string): SightlineError =>
    new SightlineError('storage', `${what[0]?.toUpperCase()}${what.slice(1)}`, { cause: error });
  const words = code === undefined ? undefined : byCode[code];
  if (words) return told(words(place, roleOf(url)));
  if (error instanceof AggregateError && errorCode(error.errors[0]) === 'ECONNREFUSED')
    return told(byCode['ECONNREFUSED']?.(place, '') ?? '');
  if ((code === 'ENOENT' || code === 'EACCES') && 'path' in error)
    return told(
      `the address names a file that cannot be read (${String(error.path)}). Check sslrootcert, sslcert and sslkey.`,
    );
  if (/client password must be/.test(error.message))
    return told(`${place} asks for the password of ${roleOf(url)}, and the address has none. ${givePassword}`);
  if (/does not support SSL/.test(error.message))
    return told(
      `${place} offers no TLS, and the address asks for it. Remove sslmode from the address, or set ssl = on there.`,
    );
  if (isPassing(error))
    return told(
      `${place} cannot be reached (${error.message}). Check the address, and that PostgreSQL runs there. What was acknowledged is stored.`,
    );
  // Whatever else is not PostgreSQL's is told as it is.
  return 'severity' in error
    ? told(`${place} refused something: ${error.message} (${code}). Its log says more.`)
    : error;
}
