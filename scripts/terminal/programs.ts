// The programs that are asked: ours as its users type it, and those of others that take a file in a question.
import { dirname, join, resolve } from 'node:path';
import { gatewayClients } from '../../src/cli/serve/clients.ts';
import { realClients } from '../clients/clients.ts';
import type { RealClient } from '../clients/clients.ts';
import { installed } from '../clients/install.ts';
import { runProgram, startClient } from '../clients/play.ts';
import type { Ran } from '../clients/judge.ts';

export type TerminalProgram = {
  name: string;
  /** Types the question, in the folder `work` of this home, and waits for the end. */
  run: (at: { home: string; url: string; prompt: string; input: string }) => Promise<Omit<Ran, 'heard'>>;
  /** Calls of its tool that reads files, by the tools that were offered. */
  look: RealClient['look'];
  version?: string;
};

const ours: TerminalProgram = {
  name: 'sightline',
  run: ({ home, url, prompt, input }) =>
    runProgram(process.execPath, [resolve('src/cli/main.ts'), 'ask', '-m', 'anthropic/claude-sonnet-5', prompt], {
      cwd: join(home, 'work'),
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        HOME: home,
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_BASE_URL: url,
      },
      input,
    }),
  look: (tools, files) =>
    tools.includes('read_file') ? files.map((path) => ({ name: 'read_file', input: { path } })) : [],
};

/** Those that are started with a question and take `@FILE` in it. */
const others = new Set(['claude', 'gemini', 'opencode', 'pi']);

export const programs: readonly TerminalProgram[] = [
  ours,
  ...realClients
    .filter(({ name }) => others.has(name))
    .map((client) => ({
      name: client.name,
      version: client.version,
      look: client.look,
      run: async ({ home, url, prompt, input }: { home: string; url: string; prompt: string; input: string }) =>
        startClient(client, await installed(client), home, url, client.args(prompt), input),
    })),
];

export function titled({ name, version }: TerminalProgram): string {
  const title = gatewayClients.find((client) => client.name === name)?.title ?? name;
  return version === undefined ? '`sightline ask`' : `${title} ${version}`;
}
