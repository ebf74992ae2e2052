// Asks the person for a secret, without showing what is typed.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { tellPart } from './terminal.ts';

/** Whether a person can be asked here. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** The answer, or undefined when she closes the prompt without one. */
export async function askSecret(question: string): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, next) => next() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  tellPart(question); // what is typed from here on is not shown
  try {
    lines.once('SIGINT', () => process.emit('SIGINT'));
    return await lines.question('');
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined; // ctrl+d
    throw error;
  } finally {
    lines.close();
    tellPart('\n');
  }
}
