// Runs that go on whatever kills their program: node run.ts june july. Started again, it goes on where it stopped, in DBOS.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { defineTool, runAgent } from 'sightline';
import { openSessions } from 'sightline/session';

const url = process.env['DATABASE_URL'] ?? 'postgres://postgres@localhost/agents';
const bank = process.env['BANK_URL'] ?? 'http://127.0.0.1:8080';
await using store = openSessions({ url });

const invoices = defineTool({
  name: 'invoices',
  description: 'Lists the invoices of a month.',
  effect: 'read',
  run: async () => (await fetch(`${bank}/invoices`)).text(),
});

/** Nothing is said about its effect, so that a call which was interrupted is told to the model and never repeated. */
const pay = defineTool({
  name: 'pay',
  description: 'Pays an invoice.',
  run: async (input, { key }) => {
    const paid = await fetch(`${bank}/pay`, { method: 'POST', body: JSON.stringify({ key, input }) });
    return paid.text();
  },
});

async function payInvoices(month: string): Promise<string> {
  const id = await DBOS.runStep(
    async () => {
      await using made = await store.create({ title: month });
      return made.id;
    },
    { name: 'session' },
  );
  await using session = await store.open(id, { waitMs: 20_000 }); // the machine that had it may have just died
  const { text, error } = await runAgent({
    model: 'anthropic/claude-sonnet-4-5',
    session,
    prompt: `Pay the invoices of ${month}.`,
    tools: [invoices, pay],
    step: (name, work) => DBOS.runStep(work, { name }),
  });
  if (error) throw new Error(error.message);
  return text;
}

const durable = DBOS.registerWorkflow(payInvoices, { name: 'payInvoices' });
DBOS.setConfig({ name: 'invoices', systemDatabaseUrl: url, logLevel: 'warn' });
await DBOS.launch(); // and goes on with what another process left
const months = process.argv.slice(2);
const runs = await Promise.all(months.map((month) => DBOS.startWorkflow(durable, { workflowID: month })(month)));
for (const run of runs) console.log(`${run.workflowID}: ${await run.getResult()}`);
await DBOS.shutdown();
