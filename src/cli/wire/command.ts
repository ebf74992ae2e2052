// `sightline wire`: its options.
import type { Effort } from '../../window/rules.ts';
import { modelOption, modelsOf, thinkingOption, wholeNumber } from '../parser.ts';
import type { Define, ModelFlags } from '../parser.ts';

type Flags = ModelFlags & { full?: true; explain?: true; json?: true; maxTokens?: number; thinking?: Effort };

export const define: Define = (command, finish) => {
  command
    .argument('<transcript>', 'a transcript as JSON, - for stdin, or a session: its id, or last')
    .addOption(modelOption('-m, --model <model>', 'the model, such as anthropic/claude-sonnet-5'))
    .addOption(modelOption('--for <model>', 'the same as --model'))
    .option('--full', 'print only the body, exactly as it would be sent')
    .option('--explain', 'say on stderr what went where, and why')
    .option('--json', 'print the request as JSON, base64 left out')
    .option('--max-tokens <n>', 'the most tokens of the answer', wholeNumber)
    .addOption(thinkingOption())
    .addHelpText(
      'after',
      '\nExamples:\n  sightline wire last --explain\n  sightline wire chat.json -m openai-chat/gpt-4.1 --explain\n  sightline wire chat.json -m gemini/gemini-2.5-pro --full | jq .',
    )
    .action(async (path: string, flags: Flags) => {
      const { model: _model, for: _for, ...rest } = flags;
      const [model, ...more] = modelsOf(flags);
      if (more.length > 0) command.error('error: wire shows the request of one model; name one');
      const { wireCommand } = await import('../wire.ts');
      finish(await wireCommand(path, { ...rest, ...(model !== undefined && { model }) }));
    });
};
