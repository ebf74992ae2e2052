// `sightline models`: what can be reached from here, by key or on this machine, and what each model can take; where nothing
// can be reached, what the catalog knows and which keys are missing.
import { grouped } from '../../content/figures.ts';
import { endpoints, isEndpoint } from '../../window/catalog.ts';
import { missingInCloud } from '../../config/clouds.ts';
import { nearest } from '../../config/wrong.ts';
import type { ExitCode } from '../exit.ts';
import { done, failed, wrongUsage } from '../exit.ts';
import { tableLines } from '../table.ts';
import { say, sayJson, styled, tell } from '../terminal.ts';
import { modelOffers, priceText } from './offers.ts';
import type { AbsentEndpoint, ModelOffer } from './offers.ts';

type ListOptions = { endpoint?: string; refresh?: true; json?: true; all?: true };

export async function listModels({ endpoint, refresh, json, all }: ListOptions): Promise<ExitCode> {
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    const names = Object.keys(endpoints);
    const meant = nearest(endpoint, names);
    const next = meant === undefined ? '' : `; did you mean ${meant}?`;
    tell(`error: unknown endpoint "${endpoint}"; one of ${names.join(', ')}${next}`);
    return wrongUsage;
  }
  const { offers, absent } = await modelOffers({
    ...(endpoint !== undefined && { endpoint }),
    ...(refresh && { refresh }),
  });
  const reached = offers.filter(({ from }) => from !== 'catalog');
  const shown = all || reached.length === 0 ? offers : reached;
  if (json) sayJson({ models: shown, absent });
  else {
    if (reached.length === 0 && endpoint === undefined) for (const line of cloudLines()) tell(styled('yellow', line));
    show(shown, absent, reached.length === 0, shown.length < offers.length);
  }
  return reached.length === 0 && endpoint !== undefined ? failed : done;
}

const columns = [
  { title: 'model', keepsEnd: true },
  { title: 'sees' },
  { title: 'in results', spare: 4 },
  { title: 'PDF', spare: 3 },
  { title: 'audio', spare: 6 },
  { title: 'thinks', spare: 5 },
  { title: 'window', right: true, spare: 1 },
  { title: '$ in / out', right: true, spare: 2 },
];

function mark(on: boolean): string {
  return on ? 'yes' : '-';
}

/** What each cloud still needs, in one line. */
function cloudLines(): string[] {
  const clouds = Object.values(endpoints).filter(({ env }) => env.places !== undefined);
  const needed = Map.groupBy(clouds, ({ name }) => missingInCloud(name).join(' and '));
  return [...needed].flatMap(([variables, rows]) => {
    const names = [...new Set(rows.map(({ name }) => `${name}/…`))].join(', ');
    return variables === '' ? [`Can be asked by name: ${names}.`] : [`${names} need ${variables}.`];
  });
}

function show(offers: readonly ModelOffer[], absent: readonly AbsentEndpoint[], none: boolean, more: boolean): void {
  const rows = offers.map((one) => [
    one.default ? `${one.model} *` : one.model,
    mark(one.vision),
    mark(one.toolMedia),
    mark(one.nativePdf),
    mark(one.audioInput),
    mark(one.thinking),
    grouped(one.contextTokens),
    priceText(one.prices),
  ]);
  if (rows.length > 0) for (const row of tableLines(columns, rows)) say(row);
  if (offers.some((one) => one.default)) tell(styled('dim', '* the default'));
  for (const { endpoint, why } of absent) tell(styled('yellow', `${endpoint}: `), why);
  const needed = [...new Set(offers.flatMap(({ needs }) => needs ?? []))];
  if (needed.length > 0) tell(styled('yellow', `What is missing: ${needed.join(', ')}.`));
  if (none)
    tell(
      'None of them can be reached yet. Set a key, start Ollama, or name a server:\n  sightline config add-endpoint',
    );
  else if (more) tell(styled('dim', 'sightline models --all shows those of the catalog, too.'));
}
