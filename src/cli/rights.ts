// What a person has allowed: tools that do more than look, and hosts on this machine. For one call, for the chat, or for the
// folder she works in; then it is kept in her home, where no project can write it.
import { remember, remembered } from '../config/remembered.ts';
import type { CallBlock } from '../content/block.ts';
import { isRecord } from '../content/json.ts';
import { isLocal } from '../media/remote/address.ts';
import type { Rights } from '../tui/approval.ts';

const file = 'allowed.json';
const hostRight = 'host ';

/** What was allowed for this folder before. */
function kept(folder: string): string[] {
  const rights = remembered(file)[folder];
  return Array.isArray(rights) ? rights.filter((right) => typeof right === 'string') : [];
}

/** The hosts on this machine that were allowed for this folder before. */
export function keptHosts(folder: string): string[] {
  return kept(folder).flatMap((right) => (right.startsWith(hostRight) ? [right.slice(hostRight.length)] : []));
}

type Tools = { looks: ReadonlySet<string>; web: ReadonlySet<string> };

/** `hosts` is the list that the web tools look at; a host that is allowed joins it, for one call or for good. */
export function rightsIn(folder: string, hosts: string[], tools: () => Tools): Rights {
  const granted = new Set(kept(folder));
  const lasting = new Set(hosts);
  const once = new Map<string, string[]>(); // hosts by the id of the call they were allowed for
  return {
    missing: (call) => {
      const { looks, web } = tools();
      const tool = looks.has(call.name) || granted.has(call.name) ? [] : [call.name];
      const local = web.has(call.name) ? localHosts(call).filter((host) => !lasting.has(host)) : [];
      return [...tool, ...local.map((host) => `${hostRight}${host}`)];
    },
    allow: (rights, how, call) => {
      const reached = rights.flatMap((right) => (right.startsWith(hostRight) ? [right.slice(hostRight.length)] : []));
      hosts.push(...reached);
      if (how === 'once') return void once.set(call.id, reached);
      for (const host of reached) lasting.add(host);
      for (const right of rights) granted.add(right);
      if (how === 'project') remember(file, folder, [...new Set([...kept(folder), ...rights])]);
    },
    ended: ({ id }) => {
      for (const host of once.get(id) ?? []) hosts.splice(hosts.indexOf(host), 1);
      once.delete(id);
    },
  };
}

/** The hosts on this machine that a call names. */
function localHosts({ input }: CallBlock): string[] {
  const words = isRecord(input) ? Object.values(input).filter((value) => typeof value === 'string') : [];
  const urls = words.flatMap((word) => URL.parse(word) ?? []).filter(({ protocol }) => /^https?:$/.test(protocol));
  return [...new Set(urls.filter(isLocal).map(({ host }) => host))];
}
