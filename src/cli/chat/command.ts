// `sightline chat`: its options.
import { allowHostOption, modelOption, modelsOf, thinkingOption, uploadsOption } from '../parser.ts';
import type { Effort } from '../../window/rules.ts';
import type { Define, ModelFlags } from '../parser.ts';

type Flags = ModelFlags & {
  continue?: true;
  resume?: string;
  tools?: string;
  allowHost?: string[];
  thinking?: Effort;
  uploads?: true;
};

export const define: Define = (command, finish) => {
  command
    .addOption(modelOption('-m, --model <model>', 'the model, such as anthropic/claude-sonnet-5'))
    .option('-c, --continue', 'go on with the newest conversation')
    .option('-r, --resume <session>', 'go on with this one; the beginning of its id is enough')
    .option('--tools <names>', 'none, all, look for those that only look, or names', 'all')
    .addOption(thinkingOption())
    .addOption(allowHostOption())
    .addOption(uploadsOption())
    .addHelpText('after', '\nExamples:\n  sightline chat\n  sightline chat -m ollama/qwen3-vl\n  sightline chat -c')
    .action(async (flags: Flags) => {
      const { chatCommand } = await import('./chat.ts');
      const session = flags.continue ? 'last' : flags.resume;
      finish(
        await chatCommand({
          models: modelsOf(flags),
          tools: flags.tools ?? 'all',
          ...(session !== undefined && { session }),
          ...(flags.allowHost && { allowHost: flags.allowHost }),
          ...(flags.thinking !== undefined && { thinking: flags.thinking }),
          ...(flags.uploads && { uploads: true as const }),
        }),
      );
    });
};
