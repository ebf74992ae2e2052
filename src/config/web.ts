// `[web]` → where the web tools may go besides public addresses.
import { isRecord } from '../content/json.ts';
import { onlyKnown, wrong } from './wrong.ts';

/** Hosts that the web tools may reach whatever their address. */
export type WebSettings = { hosts?: readonly string[] };

const keys = [
  'hosts', // hosts on this machine or in your network that the web tools may reach, such as ["localhost:5173"]
];

export function webTable(value: unknown, file: string): WebSettings {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(file, 'web', 'a table');
  onlyKnown(value, keys, file, 'web');
  const { hosts } = value;
  if (hosts === undefined) return {};
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === 'string' && isHost(host)))
    throw wrong(file, 'web.hosts', 'a list of hosts such as ["localhost:5173"]');
  return { hosts };
}

/** Whether a word is a host, with or without its port, and not a whole address. */
export function isHost(word: string): boolean {
  const url = URL.parse(`http://${word}`);
  return url !== null && url.pathname === '/' && !/[/?#@\s]/.test(word);
}
