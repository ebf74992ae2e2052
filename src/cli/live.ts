// One small picture and one small PDF, really sent to a model as the results of a tool: whether it saw them, where they had
// to go, and what that cost.
import type { AgentEvent } from '../agent/event.ts';
import type { ModelChoice } from '../agent/options.ts';
import { runAgent } from '../agent/run.ts';
import { document, image } from '../content/input.ts';
import type { BlockInput } from '../content/input.ts';
import { memoryAssets } from '../content/memory-assets.ts';
import type { MessageInput } from '../message/message.ts';
import { refine } from '../model/discover/discover.ts';
import { png } from '../toolbox/executable/png.ts';
import type { Colour } from '../toolbox/executable/png.ts';
import { defineTool } from '../tool/tool.ts';
import type { Capabilities } from '../window/profile.ts';
import { countedForm, formsOf, whereWords } from './form.ts';

/** `seen` is missing when no answer came; then `error` says why. */
export type LiveTrial = { seen?: boolean; how: string; healed: string[]; cost?: number; error?: string };

const colours: Readonly<Record<string, Colour>> = {
  red: [220, 20, 20],
  green: [0, 150, 0],
  blue: [20, 40, 220],
  yellow: [250, 220, 0],
  black: [0, 0, 0],
  white: [255, 255, 255],
};

const words = ['kestrel', 'walnut', 'harbour', 'lantern', 'meadow', 'violin', 'copper', 'saddle'];

/** Some of a list that nobody can guess. */
function drawn<Value>(list: readonly Value[], count: number): Value[] {
  return list
    .map((value) => ({ value, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .slice(0, count)
    .map(({ value }) => value);
}

/** Two colours that the model can only name when it sees them. */
export async function tryPicture(choice: Exclude<ModelChoice, string>, signal?: AbortSignal): Promise<LiveTrial> {
  const [left = '', right = ''] = drawn(Object.keys(colours), 2);
  const at = (name: string): Colour => colours[name] ?? [0, 0, 0];
  const shown = image(
    png(64, 64, (x) => at(x < 32 ? left : right)),
    { name: 'two-colours.png' },
  );
  const ask = 'Look at the picture: which colour is its left half, and which its right half? Answer with two words.';
  const capabilities = { ...choice.profile?.capabilities, vision: true };
  return await tried({ ...choice, profile: { ...choice.profile, capabilities } }, ask, shown, [left, right], signal);
}

/** A word that stands in a PDF and nowhere else. */
export async function tryPdf(choice: Exclude<ModelChoice, string>, signal?: AbortSignal): Promise<LiveTrial> {
  const [word = ''] = drawn(words, 1);
  const shown = document(pdfSaying(`The word is ${word}.`), { name: 'one-word.pdf' });
  return await tried(choice, 'Open the PDF: which word does it name? Answer with one word.', shown, [word], signal);
}

/** What a trial teaches beyond the catalog; the person's own word stays above it. */
export async function taught(choice: Exclude<ModelChoice, string>, picture: LiveTrial): Promise<Partial<Capabilities>> {
  const known = await refine(choice.model, { ...choice, send: true }); // what complaints taught, nobody is asked again
  return { ...known?.capabilities, ...(picture.seen !== undefined && { vision: picture.seen }) };
}

const patienceMs = 90_000;

async function tried(
  choice: Exclude<ModelChoice, string>,
  ask: string,
  shown: BlockInput,
  expected: readonly string[],
  signal?: AbortSignal,
): Promise<LiveTrial> {
  const look = defineTool({
    name: 'look',
    description: 'Shows what is asked about.',
    input: { type: 'object', properties: {} },
    run: () => shown,
  });
  const messages: MessageInput[] = [
    { role: 'user', content: ask },
    { role: 'assistant', model: choice.model, content: [{ type: 'call', id: 'look-1', name: 'look', input: {} }] },
    { role: 'tool', callId: 'look-1', name: 'look', content: [shown] },
  ];
  const late = AbortSignal.timeout(patienceMs);
  const run = runAgent({
    model: choice,
    messages,
    tools: [look],
    assets: memoryAssets(),
    maxSteps: 2,
    signal: signal ? AbortSignal.any([signal, late]) : late,
  });
  let how = '';
  const healed: string[] = [];
  for await (const event of run) {
    how = howIn(event) ?? how;
    if (event.type === 'request-healed') healed.push(event.why);
  }
  const { text, cost, error, stop } = await run.result();
  const about = { how, healed, ...(cost !== undefined && { cost }) };
  if (stop === 'error' || stop === 'aborted') return { ...about, error: error.message };
  const said = text.toLowerCase();
  const places = expected.map((word) => said.indexOf(word));
  return { ...about, seen: places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1)) };
}

/** Where the medium goes, and as what. */
function howIn(event: AgentEvent): string | undefined {
  if (event.type !== 'request-ready') return undefined;
  return formsOf(event.receipts)
    .map((form) => `as ${countedForm(form)}, ${whereWords[form.where]}`)
    .join('; ');
}

/** One page with one line; the table of places is exact, since some readers insist. */
function pdfSaying(line: string): Uint8Array {
  const stream = `BT /F1 24 Tf 40 90 Td (${line}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = body.length;
    body += `${at + 1} 0 obj${object}endobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`;
  return new TextEncoder().encode(body + table + trailer);
}
