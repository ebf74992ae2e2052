// `sightline doctor`: its options.
import type { Define } from '../parser.ts';

export const define: Define = (command, finish) => {
  command
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nExamples:\n  sightline doctor\n  sightline doctor --json | jq .')
    .action(async (flags: { json?: true }) => {
      const { doctorCommand } = await import('./doctor.ts');
      finish(await doctorCommand(flags));
    });
};
