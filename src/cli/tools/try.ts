// `sightline tools test`: runs a tool the way a loop does and shows exactly what a model would get, pictures as lines.
import { sharedAssets } from '../../asset/memory.ts';
import type { Block } from '../../content/block.ts';
import { isRecord } from '../../content/json.ts';
import { refuse } from '../../content/refusal.ts';
import type { Read } from '../../content/refusal.ts';
import type { Tool } from '../../tool/tool.ts';
import { invokeTool } from '../../toolbox/invoke.ts';

import { blockLine } from '../block-line.ts';
import { done, failed } from '../exit.ts';
import type { ExitCode } from '../exit.ts';
import { checkModels } from '../model.ts';
import { asRefused, refused } from '../refusal.ts';
import type { ToldRefusal } from '../refusal.ts';
import { fileText } from '../source.ts';
import { busy, say, sayJson, styled, tell } from '../terminal.ts';
import { findTool, unusable } from './found.ts';

type TestArguments = { models: readonly string[]; input?: string; json?: boolean };

const maxInput = 32 * 1024 * 1024;

export async function testCommand(name: string, words: readonly string[], options: TestArguments): Promise<ExitCode> {
  const { models, json } = options;
  const unknown = unknownModel(models);
  if (unknown) return refused(unknown, json);
  const found = await findTool(name);
  if (!found.ok) return refused(found.refusal, json);
  const { tool, state } = found.value;
  if (!tool) return refused(unusable(state), json);
  const input = await inputOf(tool, words, options.input);
  if (!input.ok) return refused(input.refusal, json);
  const result = await run(tool, input.value);
  const { deliveriesOf, showDeliveries } = await import('../delivery.ts');
  const deliveries = models.length === 0 ? [] : await deliveriesOf({ blocks: result.content }, models);
  if (json) sayJson(models.length === 0 ? result : { result, models: deliveries });
  else {
    result.content.forEach(sayBlock);
    if (result.isError) {
      for (const text of untold(result)) tell(text);
      tell(styled('red', 'The model is told that the call failed.'));
    }
    if (models.length > 0) {
      say('');
      showDeliveries(deliveries);
    }
  }
  return result.isError ? failed : done;
}

function unknownModel(models: readonly string[]): ToldRefusal | undefined {
  try {
    checkModels(models);
    return undefined;
  } catch (error) {
    return asRefused(error);
  }
}

type Answer = { content: Block[]; isError?: boolean; details?: unknown };

/** What the tool says to people meanwhile goes to stderr. */
async function run(tool: Tool, input: unknown): Promise<Answer> {
  const call = { type: 'call', id: 'call_1', name: tool.name, input } as const;
  const {
    role: _role,
    callId: _id,
    name: _name,
    ...answer
  } = await busy(
    `${tool.name} runs`,
    invokeTool(call, {
      tools: [tool],
      assets: sharedAssets(),
      approve: () => true, // whoever types the call wants it
      progress: (_, message) => tell(styled('dim', message)),
    }),
  );
  return answer;
}

/** All that a call that failed wrote to stderr, unless the model is told just that; meanwhile only its newest lines are shown. */
function untold({ content, details }: Answer): string[] {
  const errors = isRecord(details) ? details['stderr'] : undefined;
  if (typeof errors !== 'string' || errors === '') return [];
  const text = `stderr:\n${errors}`;
  return content.some((block) => block.type === 'text' && block.text === text) ? [] : [text];
}

function sayBlock(block: Block, index: number): void {
  if (block.type === 'text') say(block.text.replace(/\n$/, ''));
  else say(styled('dim', `block ${index + 1}: ${blockLine(block)}`));
}

/** `--input` as JSON, and words such as `width=300` over it. */
async function inputOf(tool: Tool, words: readonly string[], given: string | undefined): Promise<Read<unknown>> {
  const text = given === '-' ? await fileText('-', maxInput) : { ok: true as const, value: given ?? '{}' };
  if (!text.ok) return text;
  let input: unknown;
  try {
    input = JSON.parse(text.value);
  } catch {
    return refuse('corrupt', '--input is no JSON', `Write it like --input '{"width":300}'.`);
  }
  if (!isRecord(input)) return refuse('unsupported', '--input must be a JSON object', `Write it like '{"width":300}'.`);
  const { properties } = tool.inputSchema;
  for (const word of words) {
    const [, key, value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (key === undefined) return refuse('unsupported', `"${word}" is no argument`, 'Write arguments as name=value.');
    const property = isRecord(properties) ? properties[key] : undefined;
    input[key] = isRecord(property) && property['type'] === 'string' ? value : jsonOr(value);
  }
  return { ok: true, value: input };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
