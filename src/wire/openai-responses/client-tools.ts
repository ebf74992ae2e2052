// Tools of this API that other models know no words for: groups of functions, and tools that take a text. Both are offered
// as plain functions, and a call of one is told in the client's own words again.
import type { CallBlock } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { list, string } from '../fields.ts';
import type { Fields } from '../fields.ts';

const textInput = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

/** A function of a group, as one name. What was loaded late has itself for a group. */
export function groupedName(group: unknown, name: string): string {
  return typeof group === 'string' && group !== '' && group !== name ? `${group}__${name}` : name;
}

/** The same tools with a plain function for each of a group, and for each that takes a text. */
export function plainTools(tools: readonly unknown[]): unknown[] {
  return tools.flatMap((tool): unknown[] => {
    if (!isRecord(tool)) return [tool];
    const { type, name, description } = tool;
    if (type === 'custom') return [{ type: 'function', name, description, parameters: textInput }];
    if (type !== 'namespace') return [tool];
    const inner = plainTools(list(tool['tools']));
    return inner.map((one) => (isRecord(one) ? { ...one, name: groupedName(name, string(one['name']) ?? '') } : one));
  });
}

/** How a call is told to a client that offered such tools; undefined for plain functions. */
export function ownCall(asked: Fields | undefined): (call: CallBlock, id: string) => Fields | undefined {
  const named = new Map<string, { group?: string; name: string; custom: boolean }>();
  for (const tool of list(asked?.['tools']).filter(isRecord)) {
    const name = string(tool['name']) ?? '';
    if (tool['type'] === 'custom') named.set(name, { name, custom: true });
    if (tool['type'] !== 'namespace') continue;
    for (const inner of list(tool['tools']).filter(isRecord)) {
      const called = string(inner['name']) ?? '';
      named.set(groupedName(name, called), { group: name, name: called, custom: inner['type'] === 'custom' });
    }
  }
  return (call, id) => {
    const known = named.get(call.name);
    if (!known) return undefined;
    const { group, name, custom } = known;
    const about = { id, call_id: call.id, name, ...(group !== undefined && { namespace: group }), status: 'completed' };
    if (!custom) return { ...about, type: 'function_call', arguments: JSON.stringify(call.input ?? {}) };
    const text = isRecord(call.input) ? string(call.input['input']) : undefined;
    return { ...about, type: 'custom_tool_call', input: text ?? JSON.stringify(call.input) };
  };
}
