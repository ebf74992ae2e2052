// OpenAI's own tool that uses a computer: its call lists actions, and its result is one screenshot and nothing else. Here both
// are a call and a result like others, so that screenshots are planned, left out and shown to other models like every picture.
import type { CallBlock, Seal } from '../../content/block.ts';
import type { BlockInput } from '../../content/input.ts';
import { isRecord } from '../../content/json.ts';
import { besideScreenshot } from '../../content/words.ts';
import type { PlanItem, PlannedResult, Shown } from '../../window/plan-types.ts';
import { ownedBy, sealOf, unknownPart } from '../accepted.ts';
import type { Heard, Speaker } from '../accepted.ts';
import { parseBlock } from '../../content/parse.ts';
import { list, string } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { dataUri } from '../json-slots.ts';
import { ownItemOf } from '../picture.ts';
import type { ComputerOutput } from './types.ts';

/** What others call the tool. */
const computer = 'computer';

/** A call of the tool; undefined for other items. */
export function computerCall(item: Fields, seal: (item: Fields) => Seal): CallBlock | undefined {
  const { call_id, actions, action } = item;
  if (!isComputerCall(item) || typeof call_id !== 'string') return undefined;
  const input = { actions: Array.isArray(actions) ? actions : [action] };
  const doubts = pendingChecks(item).map((check) => string(check['message']) ?? string(check['code']) ?? computer);
  return {
    type: 'call',
    id: call_id,
    name: computer,
    input,
    ...(doubts.length > 0 && { doubts }),
    seal: seal(item),
  };
}

/** Whether an item of the API is a call of the tool. */
export function isComputerCall(item: unknown): item is Fields {
  return isRecord(item) && item['type'] === 'computer_call';
}

/** The calls of the tool among what was said, as they go out, by their ids. */
export function computerCalls(said: PlanItem | undefined): ReadonlyMap<string, Fields> {
  const calls = said?.role === 'assistant' ? said.content.filter(({ type }) => type === 'call') : [];
  return new Map(
    calls.flatMap((call) => {
      const own = ownItemOf(call);
      return 'id' in call && isComputerCall(own) ? [[call.id, own]] : [];
    }),
  );
}

function pendingChecks(call: Fields): Fields[] {
  return list(call['pending_safety_checks']).filter(isRecord);
}

/** Its result, with what stood around the screenshot under a seal; undefined for other items. */
export function computerResult(item: Fields, speaker: Speaker): Heard | undefined {
  const { output, ...around } = item;
  const callId = around['call_id'];
  if (around['type'] !== 'computer_call_output' || typeof callId !== 'string') return undefined;
  const block = parseBlock(output);
  const shown: BlockInput =
    block?.type === 'image' ? ownedBy({ ...block, detail: 'whole' }, speaker) : unknownPart(output); // one system of coordinates
  return { role: 'tool', callId, name: computer, content: [shown], seal: sealOf(around, speaker) };
}

/** The smallest picture there is, where a screenshot was left out: the API takes no words in its place. */
const blank =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';

/**
 * A result as the tool wants it, and what of it has to stand elsewhere; undefined for results of other tools. It is known by
 * the call that it answers, or by its seal where that call is not at hand. The checks of a call are acknowledged where a
 * person let it run, and nowhere else.
 */
export function computerOutput(
  result: PlannedResult,
  calls?: ReadonlyMap<string, Fields>,
): { item: ComputerOutput; beside: Shown[] } | undefined {
  const { callId, content, approved } = result;
  const seal = isRecord(result.seal) && result.seal['type'] === 'computer_call_output' ? result.seal : undefined;
  const call = calls?.get(callId);
  if (!call && !seal) return undefined;
  const checks = call && approved ? pendingChecks(call) : [];
  const screen = content.find(isPicture);
  const beside = content.filter((block) => block !== screen);
  const label: Shown = { type: 'text', text: besideScreenshot(result.name, callId) };
  return {
    item: {
      ...(checks.length > 0 && { acknowledged_safety_checks: checks }),
      ...seal,
      type: 'computer_call_output',
      call_id: callId,
      output: { type: 'computer_screenshot', ...placeOf(screen) },
    },
    beside: beside.length > 0 ? [label, ...beside] : [],
  };
}

function isPicture(block: Shown): boolean {
  return block.type === 'image' || (block.type === 'remote' && block.kind === 'image');
}

function placeOf(screen: Shown | undefined): { image_url: string } | { file_id: string } {
  if (screen?.type === 'remote') return 'url' in screen.at ? { image_url: screen.at.url } : { file_id: screen.at.file };
  if (screen?.type !== 'image') return { image_url: blank };
  return screen.at ? { file_id: screen.at.file } : { image_url: dataUri(screen.asset) };
}
