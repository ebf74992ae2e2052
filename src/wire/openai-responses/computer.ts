// OpenAI's own tool that uses a computer: its call lists actions, and its result is one screenshot and nothing else. Here both
// are a call and a result like others, so that screenshots are planned, left out and shown to other models like every picture.
import type { CallBlock } from '../../content/block.ts';
import type { BlockInput } from '../../content/input.ts';
import { isRecord } from '../../content/json.ts';
import { besideScreenshot } from '../../content/words.ts';
import type { PlannedResult, Shown } from '../../window/plan-types.ts';
import { ownedBy, said, sealOf, unknownPart } from '../accepted.ts';
import type { Heard, Speaker } from '../accepted.ts';
import { parseBlock } from '../../content/parse.ts';
import type { Fields } from '../fields.ts';
import { dataUri } from '../json-slots.ts';
import type { ComputerOutput } from './types.ts';

/** What others call the tool. */
const computer = 'computer';

/** A call of the tool; undefined for other items. */
export function computerCall(item: Fields, speaker: Speaker): CallBlock | undefined {
  const { type, call_id, actions, action } = item;
  if (type !== 'computer_call' || typeof call_id !== 'string') return undefined;
  const input = { actions: Array.isArray(actions) ? actions : [action] };
  return said({ type: 'call', id: call_id, name: computer, input }, item, undefined, speaker);
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

/** A result as the tool wants it, and what of it has to stand elsewhere; undefined for results of other tools. */
export function computerOutput(result: PlannedResult): { item: ComputerOutput; beside: Shown[] } | undefined {
  const { seal, callId, content } = result;
  if (!isRecord(seal) || seal['type'] !== 'computer_call_output') return undefined;
  const screen = content.find(isPicture);
  const beside = content.filter((block) => block !== screen);
  const label: Shown = { type: 'text', text: besideScreenshot(result.name, callId) };
  return {
    item: {
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
