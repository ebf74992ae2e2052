// A reading and some models in; for each model, where and in which form it would get the file if a tool had returned
// it. The request is really prepared; the table is made from its receipts.
import { isMedia } from '../content/block.ts';
import { byteText, grouped, money } from '../content/figures.ts';
import type { Reading } from '../media/reading.ts';
import type { MessageInput } from '../message/message.ts';
import { prepare } from '../model/prepare.ts';
import { isEstimated } from '../model/count-text.ts';
import { partHints } from '../tui/receipts.ts';
import { prepareAs } from './model.ts';
import type { WireName } from '../window/profile.ts';
import type { Receipt } from '../window/receipt.ts';
import type { Form } from './form.ts';
import { countedForm, formsOf, textForm, whereWords } from './form.ts';
import { tableLines } from './table.ts';
import { say, styled } from './terminal.ts';

type Delivery = {
  model: string;
  wire: WireName;
  forms: Form[];
  requestBytes: number;
  receipts: Receipt[];
  estimated?: true;
  /** US dollars for one million tokens of input, where the price is known. */
  price?: number;
};

/** How each model would get what was read. */
export async function deliveriesOf(
  { blocks }: Pick<Reading, 'blocks'>,
  models: readonly string[],
): Promise<Delivery[]> {
  const [callId, name] = ['call_1', 'read'];
  const messages: MessageInput[] = [
    { role: 'user', content: 'Read the file.' },
    { role: 'assistant', content: [{ type: 'call', id: callId, name, input: {} }] },
    { role: 'tool', callId, name, content: blocks },
  ];
  const tools = [{ name, description: 'Reads a file.', inputSchema: { type: 'object', properties: {} } }];
  return await Promise.all(
    models.map(async (model) => {
      const { wire, receipts, plan, contentLength, totals } = await prepare({ tools, messages }, prepareAs(model));
      const words = blocks.some(isMedia) ? [] : [textForm(plan)];
      const forms = [...words, ...formsOf(receipts)];
      const price = plan.profile.prices?.input;
      return {
        model,
        wire,
        forms,
        requestBytes: contentLength,
        receipts,
        ...(isEstimated(plan.profile, totals) && { estimated: true }),
        ...(price !== undefined && { price }),
      };
    }),
  );
}

/** The deliveries as a table. */
export function showDeliveries(deliveries: readonly Delivery[]): void {
  const hasLetters = deliveries.some(({ forms }) => forms.some(({ letters }) => letters !== undefined));
  const rows = deliveries.flatMap(({ model, forms, price }) =>
    forms.map((form, index) => [
      index === 0 ? model : '',
      whereWords[form.where],
      countedForm(form),
      ...(hasLetters ? [form.letters ?? ''] : []),
      grouped(form.tokens),
      byteText(form.bytes),
      price === undefined ? '' : money((form.tokens * price) / 1e6),
    ]),
  );
  const columns = [
    { title: 'model', keepsEnd: true },
    { title: 'where', spare: 2 },
    { title: 'as' },
    ...(hasLetters ? [{ title: 'letters', spare: 4 }] : []),
    { title: 'tokens', right: true },
    { title: 'bytes', right: true, spare: 3 },
    { title: 'cost', right: true, spare: 1 },
  ];
  const [head = '', ...lines] = tableLines(columns, rows);
  say(styled('dim', head));
  for (const line of lines) say(line);
  for (const note of notesOf(deliveries)) say(styled('dim', note));
}

/** What a person should know besides the table: models that were planned as another. */
function notesOf(deliveries: readonly Delivery[]): string[] {
  const assumed = deliveries.flatMap(({ model, receipts }) =>
    receipts
      .filter(({ action }) => action === 'assumed')
      .map(({ subject, why }) => `${model} was planned as ${subject}: ${why}.`),
  );
  const told = new Set<string>();
  return [...assumed, ...deliveries.flatMap((delivery) => partHints(delivery, told))];
}
