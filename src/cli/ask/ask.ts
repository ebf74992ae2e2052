// `sightline ask`: one question, answered on stdout as it comes; what the model does on the way goes to stderr.
import { attach, namedFiles } from '../../agent/attach.ts';
import type { Attachment } from '../../agent/attach.ts';
import type { AgentEvent } from '../../agent/event.ts';
import { runAgent } from '../../agent/run.ts';
import { isMedia } from '../../content/block.ts';
import { toJsonText } from '../../content/json.ts';
import { changeLine } from '../../tui/receipts.ts';
import { money } from '../../tui/status.ts';
import { blockLine } from '../block-line.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed, interrupted, wrongUsage } from '../exit.ts';
import { chooseModel } from '../model.ts';
import { tellRefusal } from '../refusal.ts';
import { nameOf, sourceOf } from '../source.ts';
import { grouped } from '../table.ts';
import { sayLine, sayPart, styled, tell, visibleLine } from '../terminal.ts';
import { openWorkspace } from '../workspace.ts';

export type AskArguments = {
  models: string[];
  files: string[];
  tools?: string;
  system?: string;
  session?: string;
  maxSteps?: number;
  json?: true;
  quiet?: true;
};

export async function askCommand(words: string, options: AskArguments): Promise<ExitCode> {
  const models = options.models.length > 0 ? options.models : await chooseModel();
  if (models === undefined) return failed;
  const files: Attachment[] = [
    ...options.files.map((path) => ({ source: sourceOf(path), name: nameOf(path) })),
    ...namedFiles(words),
    ...(await pipedIn(options.files)),
  ];
  if (words.trim() === '' && files.length === 0) {
    tell(styled('red', 'error: '), 'there is no question');
    tell('Try: sightline ask --help');
    return wrongUsage;
  }
  await using workspace = await openWorkspace({ tools: options.tools ?? 'look', notify: tell });
  const session = await workspace.session(options.session, models[0]);
  const content = await attach(words, files, { assets: session.assets });
  if (!content.ok) {
    tellRefusal(content.refusal);
    return failed;
  }
  const stop = new AbortController();
  process.removeAllListeners('SIGINT').once('SIGINT', () => stop.abort());
  const run = runAgent({
    ...workspace.agent(models),
    ...(options.system !== undefined && { system: options.system }),
    ...(options.maxSteps !== undefined && { maxSteps: options.maxSteps }),
    session,
    prompt: content.value,
    signal: stop.signal,
  });
  const report = options.json ? eventLine : options.quiet ? answerOnly() : forPeople();
  for await (const event of run) report(event);
  const { stop: how } = await run.result();
  if (how === 'aborted') return interrupted;
  return how === 'end' ? done : failed;
}

/** What a pipe brings: a picture, a document, or text. A terminal brings nothing. */
async function pipedIn(files: readonly string[]): Promise<Attachment[]> {
  if (process.stdin.isTTY || files.includes('-')) return [];
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length === 0 ? [] : [{ source: bytes, name: 'stdin' }];
}

function eventLine(event: AgentEvent): void {
  // The ledger is for programs that keep it, and long.
  const { ledger: _ledger, ...rest } = event as AgentEvent & { ledger?: unknown };
  sayLine(JSON.stringify(rest));
}

type Report = (event: AgentEvent) => void;

/** Text as it comes, with one empty line between two answers and a newline at the end. */
function answerOnly(): Report {
  const texts = new Set<number>();
  let open = false;
  return (event) => {
    if (event.type === 'message-start') texts.clear();
    else if (event.type === 'block-start' && event.block.type === 'text') {
      texts.add(event.index);
      if (open) sayPart('\n');
      open = true;
      sayPart(event.block.text);
    } else if (event.type === 'block-delta' && texts.has(event.index)) sayPart(event.text);
    else if (event.type === 'block-end' && event.block.type === 'text') sayPart('\n');
    else if (event.type === 'run-end' && event.error) tell(styled('red', 'Failed: '), event.error.message);
  };
}

function forPeople(): Report {
  const answer = answerOnly();
  const told = new Set<string>();
  return (event) => {
    answer(event);
    switch (event.type) {
      case 'call-start':
        tell(styled('dim', `· ${event.call.name} ${visibleLine(toJsonText(event.call.input))}`.slice(0, 160)));
        break;
      case 'call-end': {
        for (const block of event.result.content.filter(isMedia)) tell(styled('dim', `  ${blockLine(block)}`));
        const text = event.result.content.find((block) => block.type === 'text')?.text ?? '';
        if (event.result.isError) tell(styled('yellow', `  ${visibleLine(text).slice(0, 200)}`));
        break;
      }
      case 'request-ready': {
        const changes = changeLine(event.receipts, told);
        if (changes !== undefined) tell(styled('dim', `  ${changes.replace(' · /explain says why', '')}`));
        break;
      }
      case 'request-healed':
        tell(styled('yellow', `  ${event.why}`));
        break;
      case 'step-restart':
        tell(styled('yellow', `  ${event.why} Asking ${event.model} again.`));
        break;
      case 'run-end': {
        const { usage, cost, stop } = event;
        if (stop !== 'end' && stop !== 'error') tell(styled('yellow', `Stopped: ${stop}.`));
        const cached = usage.cachedTokens ? `, ${grouped(usage.cachedTokens)} of them cached` : '';
        const price = cost === undefined || cost === 0 ? '' : ` · ${money(cost)}`;
        if (usage.inputTokens > 0)
          tell(
            styled(
              'dim',
              `${grouped(usage.inputTokens)} tokens in${cached}, ${grouped(usage.outputTokens)} out${price}`,
            ),
          );
        break;
      }
      default:
    }
  };
}
