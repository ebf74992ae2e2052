// `sightline serve show ID`: what was decided for one request of the gateway, as it is recorded.
import { refuse } from '../../content/refusal.ts';
import { replayChain } from '../../record/table.ts';
import type { RequestRow, RequestTable } from '../../record/table.ts';
import type { Receipt } from '../../window/receipt.ts';
import { done } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { receiptLines } from '../form.ts';
import { refused } from '../refusal.ts';
import { looking } from '../sessions/home.ts';
import { say, sayJson, screenWidth, styled, visibleLine } from '../terminal.ts';

type Told = { row: RequestRow; receipts: readonly Receipt[] };

export function showRequest(id: string, flags: { json?: boolean }): Promise<ExitCode> {
  return looking(flags, async ({ requests }) => {
    const all = requests ? await sentFor(id, requests) : [];
    if (all.length === 0) {
      const { refusal } = refuse(
        'not-found',
        `No request ${visibleLine(id)} is recorded here`,
        'Look for the id in the log or in the header x-sightline-receipts, and whether [requests] record is "off".',
      );
      return refused(refusal, flags.json);
    }
    if (flags.json) {
      sayJson(all.map(({ row, receipts }) => ({ ...row, receipts })));
      return done;
    }
    for (const one of all) showSent(one);
    return done;
  });
}

/** Everything that went out for it: healed requests and those to the next model have a number behind the name. */
async function sentFor(id: string, requests: RequestTable): Promise<Told[]> {
  const found: Told[] = [];
  for (let name = id; ; name = `${id}.${found.length + 1}`) {
    const chain = await requests.chain(name);
    const last = chain.at(-1);
    if (!last || last.id !== name) return found;
    const { body: _body, answer: _answer, receipts: _receipts, depth: _depth, assets: _assets, ...row } = last;
    const replayed = replayChain(chain);
    found.push({ row, receipts: typeof replayed === 'string' ? [] : replayed.receipts });
  }
}

function showSent({ row, receipts }: Told): void {
  const { id, model, url, time, ended } = row;
  say(styled('bold', visibleLine(id)), `  ${new Date(time).toISOString()}`);
  say(
    visibleLine(`${model} at ${url}: ${ended?.state ?? 'under way'}${ended?.error ? `, ${ended.error.message}` : ''}`),
  );
  for (const receipt of receipts)
    for (const line of receiptLines(receipt, screenWidth(process.stdout))) say(styled('dim', line));
}
