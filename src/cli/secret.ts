// Asks the person for a secret, without showing what is typed.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { tellPart } from './terminal.ts';

/** The answer, or undefined where no person can be asked. */
export async function askSecret(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  tellPart(question);
  const silent = new Writable({ write: (_chunk, _encoding, next) => next() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    lines.once('SIGINT', () => process.emit('SIGINT'));
    return await lines.question('');
  } finally {
    lines.close();
    tellPart('\n');
  }
}
