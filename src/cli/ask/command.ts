// `sightline ask`: its options.
import {
  allowHostOption,
  modelOption,
  modelsOf,
  moneyAmount,
  thinkingOption,
  uploadsOption,
  wholeNumber,
} from '../parser.ts';
import type { Effort } from '../../window/rules.ts';
import type { Define, ModelFlags } from '../parser.ts';

type Flags = ModelFlags & {
  file?: string[];
  tools?: string;
  system?: string;
  continue?: true;
  session?: string;
  maxSteps?: number;
  maxCost?: number;
  citations?: true;
  json?: true;
  quiet?: true;
  allowHost?: string[];
  thinking?: Effort;
  uploads?: true;
};

function addFile(path: string, before: string[] | undefined): string[] {
  return [...(before ?? []), path];
}

export const define: Define = (command, finish) => {
  command
    .argument('[words...]', 'the question; @path in it attaches a file, and - before or behind it is stdin')
    .addOption(modelOption('-m, --model <model>', 'the model; of several, the next one is tried when one fails'))
    .option('-f, --file <path>', 'attach a file; may be repeated', addFile)
    .option('--tools <names>', 'none, all, look for those that only look, or names', 'look')
    .addOption(thinkingOption())
    .addOption(allowHostOption())
    .addOption(uploadsOption())
    .option('--system <text>', 'what the model is told before everything else')
    .option('-c, --continue', 'go on with the newest conversation')
    .option('-r, --session <id>', 'go on with this one; the beginning of its id is enough')
    .option('--max-steps <n>', 'the most answers it may take', wholeNumber)
    .option('--max-cost <dollars>', 'stop after the answer that exceeds this', moneyAmount)
    .option('--citations', 'name the places in PDFs that the answer comes from; Claude only')
    .option('-q, --quiet', 'print only the last answer')
    .option('--json', 'print every event as a line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  sightline ask "what is wrong in this screenshot?" -f error.png
  sightline ask "sum up @report.pdf in three sentences" -m openai/gpt-5.2
  git diff | sightline ask "review this"
  sightline ask - < question.txt
  sightline ask -c "and in German?"
  curl -s https://example.com/chart.png | sightline ask -q "the highest bar?"

The answer goes to stdout, all else to stderr.
Exit codes: 0 answered, 1 refused or failed, 2 wrong usage, 130 interrupted.`,
    )
    .action(async (given: string[], { file = [], continue: goesOn, ...flags }: Flags) => {
      const words = given.filter((word, at) => word !== '-' || (at > 0 && at < given.length - 1)); // 5 - 3 is no stdin
      const files = [...file, ...given.slice(words.length).fill('-')];
      if (files.filter((path) => path === '-').length > 1) command.error('error: - (stdin) can be read only once');
      const { askCommand } = await import('./ask.ts');
      const session = goesOn ? { session: 'last' } : {};
      finish(await askCommand(words.join(' '), { ...flags, ...session, models: modelsOf(flags), files }));
    });
};
