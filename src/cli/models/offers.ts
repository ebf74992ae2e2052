// The models that a person may choose: those of her own under their names, what the endpoints really list, and what the
// catalog knows. Each with what it takes, what it costs, and the key that is missing for it.
import { readSettings } from '../../config/config.ts';
import type { ModelSettings, Settings } from '../../config/config.ts';
import { accessOf } from '../../config/environment.ts';
import { homeFolder } from '../../config/home.ts';
import { money, shortCount } from '../../content/figures.ts';
import { refusalText } from '../../content/refusal.ts';
import { discover } from '../../model/discover/discover.ts';
import { endpoints, isEndpoint } from '../../window/catalog.ts';
import type { EndpointName } from '../../window/catalog.ts';
import { capabilitiesOf, profileFor } from '../../window/profile.ts';
import type { Capabilities, ProfileOverrides } from '../../window/profile.ts';
import type { Prices } from '../../window/rules.ts';
import { choiceOf, knownNames, neededKey } from '../model.ts';

export type ModelOffer = Capabilities & {
  model: string;
  from: 'yours' | 'listed' | 'catalog';
  contextTokens: number;
  prices?: Prices;
  /** The variable whose key it needs and that is not set. */
  needs?: string;
  default?: true;
};

export type AbsentEndpoint = { endpoint: string; why: string };

type Wish = { endpoint?: EndpointName; refresh?: true; timeoutMs?: number };

/** All models, the person's own first; and who did not tell which models it has. */
export async function modelOffers({ endpoint, ...wish }: Wish = {}): Promise<{
  offers: ModelOffer[];
  absent: AbsentEndpoint[];
}> {
  const settings = readSettings();
  const options = { folder: homeFolder(), ...wish };
  const names = endpoint === undefined ? reachable() : [endpoint];
  const asked = await Promise.all([
    ...names.map(async (name) => ({ name, prefix: name, found: await discover(name, options) })),
    ...(endpoint === undefined ? ownServers(settings) : []).map(async ({ prefix, name, ...access }) => {
      return { name, prefix, found: await discover(name, { ...options, ...access }) };
    }),
  ]);
  const isOwn = (prefix: string, id: string): boolean => settings.models[prefix]?.model.endsWith(`/${id}`) === true;
  const listed = asked.flatMap(({ prefix, found }) =>
    (found.ok ? found.value : [])
      .filter(({ id }) => !isOwn(prefix, id))
      .map(({ id, overrides }) => offerOf(`${prefix}/${id}`, 'listed', overrides)),
  );
  // A server that simply is not running is worth a word only to who asked for it.
  const absent = asked.flatMap(({ name, prefix, found }): AbsentEndpoint[] => {
    const usual = prefix === name && endpoints[name].keyless === true && accessOf(name).baseUrl === undefined;
    return found.ok || (usual && endpoint === undefined) ? [] : [{ endpoint: prefix, why: refusalText(found.refusal) }];
  });
  const own = endpoint === undefined ? Object.keys(settings.models).map((name) => offerOf(name, 'yours')) : [];
  const catalog = knownNames(endpoint).map((name) => offerOf(name, 'catalog'));
  const isDefault = ({ model }: ModelOffer): boolean => model === settings.model;
  const offers = firstOfEach([...own, ...listed, ...catalog]).map((one): ModelOffer => {
    return isDefault(one) ? { ...one, default: true } : one;
  });
  return { offers, absent };
}

/** Endpoints with a key, and those that need none. Two names of one host are listed once. */
function reachable(): EndpointName[] {
  const twins = new Set(['google', 'openai-chat', 'azure-chat', 'compatible']);
  return Object.keys(endpoints)
    .filter(isEndpoint)
    .filter((name) => !twins.has(name))
    .filter((name) => endpoints[name].keyless === true || hasKey(name));
}

function hasKey(name: string): boolean {
  const { key, token } = accessOf(name);
  return key !== undefined || token !== undefined;
}

type OwnServer = Pick<ModelSettings, 'baseUrl' | 'key'> & { prefix: string; name: EndpointName };

/** The servers that the settings name, each once; the address of a project, to which no key goes, is not asked. */
function ownServers({ models }: Settings): OwnServer[] {
  const servers = Object.entries(models).flatMap(([prefix, { model, baseUrl, key }]): OwnServer[] => {
    const name = model.slice(0, model.indexOf('/'));
    if (baseUrl === undefined || key === '' || !isEndpoint(name)) return [];
    return [{ prefix, name, baseUrl, ...(key !== undefined && { key }) }];
  });
  return servers.filter(({ baseUrl }, at) => servers.findIndex((one) => one.baseUrl === baseUrl) === at);
}

function offerOf(name: string, from: ModelOffer['from'], overrides?: ProfileOverrides): ModelOffer {
  const { model, profile: own } = choiceOf(name);
  const profile = profileFor(model, overrides ? { ...own, ...overrides } : own);
  const needs = neededKey(name);
  const { contextTokens, prices } = profile;
  const about = { ...(prices && { prices }), ...(needs !== undefined && { needs }) };
  return { model: name, from, ...capabilitiesOf(profile), contextTokens, ...about };
}

function firstOfEach(offers: readonly ModelOffer[]): ModelOffer[] {
  return [...new Map(offers.toReversed().map((one) => [one.model, one])).values()].toReversed();
}

/** `$3 / $15`, per million tokens in and out; a dash where nobody knows. */
export function priceText(prices: Prices | undefined): string {
  return prices ? `${roundMoney(prices.input)} / ${roundMoney(prices.output)}` : '-';
}

function roundMoney(dollars: number): string {
  return money(dollars).replace(/\.00$/, '');
}

/** What there is to know about a model, in a line that fits beside its name. */
export function offerText({ vision, nativePdf, contextTokens, prices, needs }: ModelOffer): string {
  const sees = vision ? (nativePdf ? 'pictures, PDF' : 'pictures') : 'blind';
  const parts = [sees, shortCount(contextTokens)];
  if (prices) parts.push(priceText(prices));
  if (needs !== undefined) parts.push(`no ${needs}`);
  return parts.join(' · ');
}
