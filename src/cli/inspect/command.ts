// `sightline inspect`: its options.
import type { Define } from '../parser.ts';
import { portNumber } from '../port.ts';

type Flags = { port?: number; demo?: true; open: boolean };

export const define: Define = (command, finish) => {
  command
    .argument('[session]', 'begin with this session: its id, or last')
    .option('--port <port>', 'listen at this port instead of a free one', portNumber)
    .option('--demo', 'look at the conversation of the demo, as every model got it')
    .option('--no-open', 'print the address and open no browser')
    .addHelpText('after', '\nExamples:\n  sightline inspect\n  sightline inspect last\n  sightline inspect --demo')
    .action(async (session: string | undefined, flags: Flags) => {
      const { openPage } = await import('./inspect.ts');
      finish(await openPage(session, flags));
    });
};
