// The request that a model would get of a session now, as its next run would send it: what a summary stands for is left out.
import { prepare } from '../model/prepare.ts';
import type { PrepareOptions, Prepared } from '../model/prepared.ts';
import type { SessionReader } from '../session/reader.ts';
import { withSummary } from '../window/summary.ts';
import { prepareAs } from './model.ts';

export async function wouldSend(
  session: SessionReader,
  model: string,
  options: Pick<PrepareOptions, 'maxTokens' | 'thinking'> = {},
): Promise<Prepared> {
  const as = prepareAs(model);
  const { messages, ...setup } = await session.transcript();
  return await prepare(
    { ...setup, messages: withSummary(messages, await session.summary()) },
    { ...as, ...options, ledger: await session.ledger(as.model), assets: session.assets },
  );
}
