// Where requests go. `prepare` gives addresses without keys; the base URL of a self-hosted or Azure endpoint comes from
// the caller or the environment.
import type { Access } from '../config/environment.ts';
import { endpoints, placeVariables } from '../window/catalog.ts';
import type { EndpointName } from '../window/catalog.ts';
import type { Plan } from '../window/plan-types.ts';
import { wires } from '../wire/registry.ts';

/** Where a request goes, with the headers that let it in. */
export type Address = { url: string; headers: Record<string, string> };

/** Where an endpoint begins. People give hosts with and without the part of the path that never changes. */
export function baseOf(endpoint: string, { baseUrl, apiVersion }: Access = {}): string {
  const row = endpoints[endpoint as EndpointName];
  const base = (baseUrl ?? row.base).replace(/\/+$/, '');
  if (row.path === undefined || (row.versioned && /\/v\d/.test(base))) return base;
  const missing = missingOf(row.path, base);
  return base + (row.dated && apiVersion !== undefined ? missing.replace(/\/[^/]+$/, '') : missing);
}

/** What of a path does not stand at the end of an address yet. */
function missingOf(path: string, base: string): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (base.endsWith(path.slice(0, end))) return path.slice(end);
  return path;
}

/** Whether an endpoint has no address of its own and got none; then the variables that it is looked for in. */
export function missingAddress(endpoint: string, address: string): string | undefined {
  if (!/[{]|%7B/i.test(address)) return undefined;
  const { baseUrl = [], places } = endpoints[endpoint as EndpointName].env;
  const names = places ? Object.values(placeVariables[places]).flatMap(([usual = '']) => usual) : baseUrl.slice(0, 1);
  return names.join(' and ');
}

/** Where a request goes, with all that it says but the key. With `streamed`, where the answer comes as a stream. */
export function addressOf(
  { profile, options }: Pick<Plan, 'profile' | 'options'>,
  access: Access = {},
  streamed = false,
): Address {
  const { endpoint, id } = profile;
  const { route } = wires[profile.wire];
  const { dated, versionInBody } = endpoints[endpoint as EndpointName];
  const how = { streamed, versionInBody, ...(dated && { apiVersion: access.apiVersion }) };
  const url = route.address(baseOf(endpoint, access), id, how);
  return { url, headers: { 'content-type': 'application/json', ...route.headers?.(options, how) } };
}
