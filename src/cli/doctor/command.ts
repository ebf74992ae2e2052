// `sightline doctor`: its options.
import { partNames, parts } from '../../config/parts.ts';
import type { PartName } from '../../config/parts.ts';
import { Option } from '../parser.ts';
import type { Define } from '../parser.ts';

const rows = partNames.map(
  (name) => `  ${name.padEnd(10)} ${`${parts[name].megabytes} MB`.padEnd(6)} ${parts[name].gives}`,
);

export const define: Define = (command, finish) => {
  command
    .addOption(new Option('--install <part>', 'bring a part that not every installation has').choices(partNames))
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', `\nParts:\n${rows.join('\n')}`)
    .addHelpText(
      'after',
      '\nExamples:\n  sightline doctor\n  sightline doctor --install ocr\n  sightline doctor --json | jq .',
    )
    .action(async ({ install, ...flags }: { install?: PartName; json?: true }) => {
      if (install !== undefined) {
        const { installPart } = await import('./install.ts');
        return finish(await installPart(install, flags));
      }
      const { doctorCommand } = await import('./doctor.ts');
      finish(await doctorCommand(flags));
    });
};
