// The commands there are. Each is loaded with its options when it is called; the others only lend their name to the help.
import type { Define } from './parser.ts';

type Row = { name: string; does: string; load: () => Promise<{ define: Define }> };

export const commands: readonly Row[] = [
  {
    name: 'ask',
    does: 'Ask one question, about files if you like.',
    load: () => import('./ask/command.ts'),
  },
  {
    name: 'chat',
    does: 'Talk with a model that sees what its tools see.',
    load: () => import('./chat/command.ts'),
  },
  {
    name: 'read',
    does: 'Show a file as a model would get it.',
    load: () => import('./read/command.ts'),
  },
  {
    name: 'wire',
    does: 'Show the exact request that a model would get.',
    load: () => import('./wire/command.ts'),
  },
  {
    name: 'tools',
    does: 'Manage your own tools: programs that models may call.',
    load: () => import('./tools/command.ts'),
  },
  {
    name: 'sessions',
    does: 'Manage conversations: show, search, export, fork, repair.',
    load: () => import('./sessions/command.ts'),
  },
  {
    name: 'models',
    does: 'List the models that can be reached and what each can see.',
    load: () => import('./models/command.ts'),
  },
  {
    name: 'mcp',
    does: 'Serve the tools to other agents over MCP.',
    load: () => import('./mcp/command.ts'),
  },
  {
    name: 'serve',
    does: 'Let any client use any model, with the media of its tools.',
    load: () => import('./serve/command.ts'),
  },
  {
    name: 'inspect',
    does: 'See what models really saw, and why a cache missed, in your browser.',
    load: () => import('./inspect/command.ts'),
  },
  {
    name: 'config',
    does: 'Show the settings in force here, and where each comes from.',
    load: () => import('./config/command.ts'),
  },
  {
    name: 'doctor',
    does: 'Say what works here, and what to do about what does not.',
    load: () => import('./doctor/command.ts'),
  },
  {
    name: 'completion',
    does: 'Print a script that completes commands in your shell.',
    load: () => import('./completion/command.ts'),
  },
  {
    name: 'demo',
    does: 'Watch a picture and a PDF reach seven models; no key needed.',
    load: () => import('./demo/command.ts'),
  },
];
