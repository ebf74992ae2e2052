// The names that a shell offers: models that can be asked, conversations, tools. Whatever is wrong, a shell waits for a
// list and not for a sentence.
import { endpoints } from '../../window/catalog.ts';
import { visibleLine } from '../terminal.ts';

/** `toolbox` is what `--tools` takes: the shipped ones, too, and the words for several. */
export type NameKind = 'models' | 'sessions' | 'tools' | 'toolbox';

type OfferedName = { name: string; about: string };

/** The names of one kind with a few words about each. */
export async function namesToOffer(kind: NameKind): Promise<OfferedName[]> {
  const offered = await { models, sessions, tools, toolbox }[kind]().catch(() => []);
  return offered.map(({ name, about }) => ({ name, about: visibleLine(about).replaceAll('\t', ' ') }));
}

/** A shell is waited for with a finger on the key. */
const patienceMs = 250;

/** Those that can be asked; all that are known where none can. */
async function models(): Promise<OfferedName[]> {
  const { modelOffers } = await import('../models/offers.ts');
  const { offers } = await modelOffers({ timeoutMs: patienceMs });
  const ready = offers.filter(
    ({ needs, from, model }) => needs === undefined && (from !== 'catalog' || !isLocal(model)),
  );
  const shown = ready.length > 0 ? ready : offers;
  return shown.map(({ model, vision }) => ({ name: model, about: vision ? 'sees' : '' }));
}

/** What the catalog knows of servers of one's own says nothing of what they have. */
function isLocal(model: string): boolean {
  const [endpoint = ''] = model.split('/');
  return Object.entries(endpoints).some(([name, { keyless }]) => name === endpoint && keyless === true);
}

async function sessions(): Promise<OfferedName[]> {
  const { ownSessions } = await import('../kept.ts');
  const store = ownSessions({ readOnly: true });
  try {
    const found = await store.list({ limit: 50 });
    const newest = found.length > 0 ? [{ name: 'last', about: 'the newest' }] : [];
    return [...newest, ...found.map(({ id, title = '' }) => ({ name: id, about: title }))];
  } finally {
    await store.close();
  }
}

async function tools(): Promise<OfferedName[]> {
  const { toolsHere } = await import('../tools/found.ts');
  const { states } = await toolsHere();
  return states.map(({ name, spec }) => ({ name, about: spec?.description.split('\n', 1)[0] ?? '' }));
}

async function toolbox(): Promise<OfferedName[]> {
  const { shippedTools } = await import('../../toolbox/shipped.ts');
  const { list } = shippedTools({ roots: [process.cwd()] });
  return [
    { name: 'all', about: 'every tool' },
    { name: 'look', about: 'those that only look' },
    { name: 'none', about: 'no tool' },
    ...list.map(({ tool }) => ({ name: tool.name, about: tool.description.split('\n', 1)[0] ?? '' })),
    ...(await tools()),
  ];
}
