// The job that reads a picture, as it runs inside a child process. An absent library is a refusal that says how to get
// it; so is a picture it cannot decode.
import type { Read } from '../../content/refusal.ts';
import { refuse } from '../../content/refusal.ts';
import { missingDecoder } from '../child/missing.ts';
import type { Recognised } from './engine.ts';

/** The words on a picture, as the library sees them. */
export async function readPicture({ bytes, name }: { bytes: Uint8Array; name: string }): Promise<Read<Recognised>> {
  try {
    const { recognise } = await import('./engine.ts');
    return { ok: true, value: await recognise(bytes) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/Cannot find (package|module)/.test(message)) return missingDecoder('tesseract.js');
    return refuse('corrupt', `${name} cannot be read for its words`, 'Show it as a picture.');
  }
}
