// Puts the text of an answer on the line, chunk by chunk, with the faults that its script asks for.
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { SentFrame } from '../../wire/emitter.ts';
import type { Fault } from './script.ts';

/** Resolves when the answer is out, has been broken off, or the client is gone. */
export async function deliver(
  response: ServerResponse,
  chunks: readonly SentFrame[],
  contentType: string,
  fault: Fault,
  stop: AbortSignal,
): Promise<void> {
  if (fault.reset === 'before') return void response.socket?.resetAndDestroy();
  if (fault.redirect !== undefined) return void response.writeHead(307, { location: fault.redirect }).end();
  response.writeHead(200, { 'content-type': fault.contentType ?? contentType });
  response.flushHeaders();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([stop, gone.signal]);
  const pause = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => undefined);
  if (fault.silence !== undefined) await pause(fault.silence);
  const { pieces, broken } = cut(chunks, fault);
  for (const [index, piece] of pieces.entries()) {
    if (signal.aborted) return;
    if (index > 0 && fault.slow !== undefined) await pause(fault.slow);
    if (!response.write(piece)) await drained(response, signal);
    // Small writes would otherwise leave together, and arrive as one.
    if (fault.writeBytes !== undefined) await nextTurn();
  }
  if (!broken) return void response.end();
  await pause(10); // what was written goes out before the connection breaks
  response.socket?.resetAndDestroy();
}

function cut(chunks: readonly SentFrame[], fault: Fault): { pieces: Uint8Array[]; broken: boolean } {
  const middle = Math.ceil(chunks.length / 2);
  const bytes: Buffer[] = chunks.map((chunk) => Buffer.from(chunk as string)); // words as UTF-8, bytes as they are
  const half = bytes[middle] ?? Buffer.alloc(0);
  if (fault.malformed) bytes[middle] = malformed(half);
  if (fault.cutAfter !== undefined) bytes.length = Math.min(bytes.length, fault.cutAfter);
  if (fault.reset === 'middle' || fault.halfCharacter) bytes.length = middle;
  if (fault.halfCharacter) bytes.push(halfCharacter(half));
  const pieces = fault.writeBytes === undefined ? bytes : slices(Buffer.concat(bytes), Math.max(1, fault.writeBytes));
  return { pieces, broken: fault.reset === 'middle' };
}

/** The beginning of a chunk, and two of the four bytes of a character. */
function halfCharacter(chunk: Buffer): Buffer {
  return Buffer.concat([chunk.subarray(0, chunk.length / 2), Buffer.from('😀').subarray(0, 2)]);
}

function malformed(chunk: Buffer): Buffer {
  return Buffer.from(chunk.toString('latin1').replace('{', '{"broken": oops '), 'latin1');
}

function slices(bytes: Buffer, length: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  );
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
