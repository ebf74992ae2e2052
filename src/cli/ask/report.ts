// What a run tells, on the way to a person or a program: the answer on stdout, everything else beside it.
import { clipped } from '../../content/text.ts';
import type { AgentEvent, RunStop } from '../../agent/event.ts';
import { isCarried } from '../../content/block.ts';
import { grouped, money } from '../../content/figures.ts';
import { toJsonText } from '../../content/json.ts';
import { refusalText } from '../../content/refusal.ts';
import type { AssistantMessage } from '../../message/message.ts';
import { changeLine, healedLine, partHints, restartLine, retryLine } from '../../tui/receipts.ts';
import { blockLine } from '../block-line.ts';
import { sayLine, sayPart, styled, tell, visibleLine } from '../terminal.ts';
import { sources } from './sources.ts';

type Report = (event: AgentEvent) => void;

/** Every event as a line of JSON. */
export function eventLine(event: AgentEvent): void {
  sayLine(JSON.stringify(event), event.type === 'run-end');
}

/** The last answer alone, when it is certain that it is the last. */
export function answerOnly(cited: boolean): Report {
  let answer = '';
  return (event) => {
    if (event.type === 'message-added' && event.message.role === 'assistant') answer = textOf(event.message, cited);
    if (event.type !== 'run-end') return;
    sayPart(answer);
    tellError(event);
  };
}

function tellError({ stop, error }: Extract<AgentEvent, { type: 'run-end' }>): void {
  if (stop === 'error' && error) tell(styled('red', 'Failed: '), error.message);
}

/** With sources, a sentence may go on from one block to the next. */
function textOf({ content }: AssistantMessage, cited: boolean): string {
  if (cited) {
    const { marks, list } = sources();
    const words = content.map((block) => (block.type === 'text' ? `${block.text}${marks(block)}` : '')).join('');
    return words.trim() === '' ? '' : `${words.trimEnd()}\n${list()}`;
  }
  return content.flatMap((block) => (block.type === 'text' ? [`${block.text.trimEnd()}\n`] : [])).join('');
}

function whenItIsWhole(cited: boolean): Report {
  return (event) => {
    if (event.type === 'message-added' && event.message.role === 'assistant') sayPart(textOf(event.message, cited));
  };
}

function asItComes(cited: boolean): Report {
  const { marks, list } = sources();
  let open = false;
  const close = (): void => {
    if (open) sayPart('\n');
    open = false;
  };
  return (event) => {
    switch (event.type) {
      case 'block-start':
        if (event.block.type !== 'text') break;
        open = true;
        sayPart(event.block.text);
        break;
      case 'block-delta':
        if (event.kind === 'text') sayPart(event.text);
        break;
      case 'block-end':
        if (cited) sayPart(marks(event.block));
        else close();
        break;
      case 'message-end':
      case 'step-restart':
      case 'run-end':
        close();
        if (cited) sayPart(list());
        break;
      default:
    }
  };
}

/**
 * What the model says, and on stderr what happens on the way and what it cost. Text comes word by word where a person
 * looks; in a pipe only when it is whole, since there it cannot be taken back.
 */
export function forPeople(isScreen: boolean, cited = false, keeps = true): Report {
  const answer = isScreen ? asItComes(cited) : whenItIsWhole(cited);
  const told = new Set<string>();
  return (event) => {
    answer(event);
    switch (event.type) {
      case 'call-start':
        tell(styled('dim', `· ${event.call.name} ${cut(toJsonText(event.call.input), 160)}`));
        break;
      case 'call-end': {
        for (const block of event.result.content.filter(isCarried)) tell(styled('dim', `  ${blockLine(block)}`));
        const text = event.result.content.find((block) => block.type === 'text')?.text ?? '';
        if (event.result.isError) tell(styled('yellow', `  ${cut(text, 300)}`));
        break;
      }
      case 'message-added':
        if (event.message.role === 'tool' && event.message.late)
          tell(styled('dim', `· ${event.message.name} gave its result after its time; the model reads it now`));
        break;
      case 'request-ready': {
        const changes = changeLine(event.receipts, told);
        if (changes !== undefined) tell(styled('dim', `  ${changes}`));
        for (const hint of partHints(event, told)) tell(styled('dim', `  ${hint}`));
        break;
      }
      case 'request-probed': {
        const { media, suspects, taken } = event;
        tell(
          styled(
            'dim',
            `  Looking for what was refused among ${suspects}: ${media} shown, ${taken ? 'taken' : 'refused'}.`,
          ),
        );
        break;
      }
      case 'request-retry':
        tell(styled('yellow', `  ${cut(retryLine(event), 300)}`));
        break;
      case 'media-refused':
        tell(styled('yellow', `  ${refusalText(event.refusal)}`));
        break;
      case 'request-healed':
        tell(styled('yellow', `  ${healedLine(event.why)}`));
        break;
      case 'request-unseen':
        tell(styled('yellow', `  ${event.why}`));
        break;
      case 'step-restart':
        tell(styled('yellow', `  ${restartLine(event)}`));
        break;
      case 'history-compacted':
        tell(styled('dim', `  ${event.messages} earlier messages are now sent as a summary.`));
        break;
      case 'run-end':
        tellError(event);
        tellEnd(event, keeps);
        break;
      default:
    }
  };
}

function cut(text: string, length: number): string {
  return clipped(visibleLine(text), length);
}

function tellEnd({ usage, cost, stop }: Extract<AgentEvent, { type: 'run-end' }>, keeps: boolean): void {
  if (stop !== 'end' && stop !== 'error') {
    const [how, next] = stops[stop];
    tell(styled('yellow', keeps && next !== undefined ? `${how} ${next}` : how));
  }
  if (usage.inputTokens === 0) return;
  const cached = usage.cachedTokens ? `, ${grouped(usage.cachedTokens)} of them cached` : '';
  const price = cost === undefined || cost === 0 ? '' : ` · ${money(cost)}`;
  tell(styled('dim', `${grouped(usage.inputTokens)} tokens in${cached}, ${grouped(usage.outputTokens)} out${price}`));
}

const stops: Record<Exclude<RunStop, 'end' | 'error'>, [how: string, next?: string]> = {
  length: ['The answer is cut off: it has reached its length limit.', '"sightline ask -c go on" lets it.'],
  stopped: ['Stopped.'],
  aborted: ['Stopped.', '"sightline ask -c go on" goes on from here.'],
  'max-steps': ['Stopped: it has taken as many steps as it may.', '"sightline ask -c go on" lets it.'],
  'max-cost': ['Stopped: the limit of cost is reached.', '"sightline ask -c go on" with a larger --max-cost lets it.'],
  declined: ['The model declined to answer. Ask it in other words, or another model with -m.'],
};
