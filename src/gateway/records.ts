// Requests to providers are recorded under the name that the client was told, so that one finds them again by it.
import type { Recorder } from '../record/record.ts';
import type { Receipt } from '../window/receipt.ts';

/** Records what goes out for one request of a client, with what was decided before it was planned. */
export type AskRecorder = (before: () => readonly Receipt[]) => { recorder?: Recorder };

/**
 * What goes out first has the name of the request; what is sent after that (healed, to find the guilty medium, to the next
 * model) its name and a number.
 */
export function recorderFor(id: string, to: Recorder | undefined): AskRecorder {
  if (!to) return () => ({});
  const names = new Map<string, string>();
  return (before) => {
    const begin: Recorder['begin'] = (record, body) => {
      const name = names.size === 0 ? id : `${id}.${names.size + 1}`;
      names.set(record.id, name);
      return to.begin({ ...record, id: name, via: 'gateway', receipts: [...before(), ...record.receipts] }, body);
    };
    return { recorder: { ...to, begin, end: (own, ended) => to.end(names.get(own) ?? own, ended) } };
  };
}
