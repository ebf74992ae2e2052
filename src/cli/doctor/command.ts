// `sightline doctor`: its options.
import { partNames, parts } from '../../config/parts.ts';
import type { PartName } from '../../config/parts.ts';
import { modelOption, modelsOf, Option } from '../parser.ts';
import type { Define, ModelFlags } from '../parser.ts';

type Flags = ModelFlags & { install?: PartName; live?: true; json?: true };

const rows = partNames.map(
  (name) => `  ${name.padEnd(10)} ${`${parts[name].megabytes} MB`.padEnd(6)} ${parts[name].gives}`,
);

export const define: Define = (command, finish) => {
  command
    .addOption(new Option('--install <part>', 'install a part that not everybody needs').choices(partNames))
    .option('--live', 'send a small picture and a small PDF to each of your models')
    .addOption(modelOption('-m, --model <model>', 'with --live: only this model'))
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', `\nParts:\n${rows.join('\n')}`)
    .addHelpText(
      'after',
      '\nExamples:\n  sightline doctor\n  sightline doctor --install ocr\n  sightline doctor --live -m ollama/qwen3-vl\n  sightline doctor --json | jq .',
    )
    .action(async ({ install, live, model, ...flags }: Flags) => {
      if (install !== undefined) {
        const { installPart } = await import('./install.ts');
        return finish(await installPart(install, flags));
      }
      if (live) {
        const { liveCommand } = await import('./live.ts');
        return finish(await liveCommand(modelsOf({ ...(model && { model }) }), flags));
      }
      const { doctorCommand } = await import('./doctor.ts');
      finish(await doctorCommand(flags));
    });
};
