// `sightline demo`: its options.
import type { Define } from '../parser.ts';

export const define: Define = (command, finish) => {
  command
    .option('--save <folder>', 'also write the picture, the PDF and the transcript there')
    .option('--json', 'print the table as JSON')
    .action(async (flags: { json?: true; save?: string }) => {
      const { demoCommand } = await import('./demo.ts');
      finish(await demoCommand(flags));
    });
};
