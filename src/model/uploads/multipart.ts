// A form with one file in it, of exactly known length, streamed: memory stays at a chunk, whatever the file weighs.
import { safeName } from '../../content/text.ts';

/** A body on its way, and what has to be said about it. */
export type FormBody = { headers: Record<string, string>; chunks: () => AsyncGenerator<Uint8Array> };

type FormFile = { name: string; mediaType: string; size: number; bytes: () => AsyncIterable<Uint8Array> };

/** Fields, then the file. The boundary is a word that no file has: it is made anew for each form. */
export function formBody(fields: readonly (readonly [string, string])[], file: FormFile): FormBody {
  const boundary = `sightline-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const name = safeName(file.name).replaceAll(/["\\\r\n]/g, '_');
  const parts = fields.map(
    ([key, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${file.mediaType}\r\n\r\n`;
  const head = encoder.encode(parts.join('') + opening);
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const length = head.length + file.size + tail.length;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(length) },
    async *chunks() {
      yield head;
      yield* file.bytes();
      yield tail;
    },
  };
}
