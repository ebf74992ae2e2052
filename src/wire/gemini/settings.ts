// The settings of a request of Gemini's as our options, and its function declarations as tools. What we would not have
// written in the same words also stays where it was.
import { isRecord } from '../../content/json.ts';
import type { ToolSpec } from '../../tool/tool.ts';
import { effortFor, effortTokens } from '../../window/options.ts';
import type { RequestOptions, ToolChoice } from '../../window/plan-types.ts';
import type { Effort } from '../../window/rules.ts';
import { toolSpec } from '../accepted.ts';
import { definedOnly, list, string, number, same, spelt, takeNearest, textList } from '../fields.ts';
import type { Taker } from '../fields.ts';
import { inputSchema } from '../spelling.ts';

export function takeDeclarations(fields: Taker): ToolSpec[] {
  let specs: ToolSpec[] = [];
  fields.take('tools', (value) => {
    const groups = list(value).map((tool) => (isRecord(tool) ? list(spelt(tool)['functionDeclarations']) : []));
    specs = groups
      .flat()
      .map(readDeclaration)
      .filter((tool) => tool !== undefined);
    const functionDeclarations = specs.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parametersJsonSchema: inputSchema(tool),
    }));
    return same(value, [{ functionDeclarations }]) ? specs : undefined;
  });
  return specs;
}

function readDeclaration(value: unknown): ToolSpec | undefined {
  if (!isRecord(value)) return undefined;
  const { name, description, parametersJsonSchema, parameters } = spelt(value);
  return toolSpec(name, description, parametersJsonSchema ?? lowerTypes(parameters));
}

/** Google's own schemas spell their types in capitals. */
function lowerTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerTypes);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerTypes(value),
    ]),
  );
}

export function takeOptions(fields: Taker): RequestOptions {
  const toolChoice = fields.take('toolConfig', readChoice);
  const settings = fields.inside('generationConfig');
  const maxTokens = settings.take('maxOutputTokens', number);
  const temperature = settings.take('temperature', number);
  const thinking = takeNearest(settings, 'thinkingConfig', readThinking, writtenThinking);
  const schema =
    settings.take('responseJsonSchema', schemaIn) ??
    settings.take('responseSchema', (value) => schemaIn(lowerTypes(value)));
  const json = settings.take('responseMimeType', (value) => (value === 'application/json' ? true : undefined));
  return definedOnly({
    maxTokens,
    temperature,
    toolChoice,
    thinking,
    output: schema && { schema },
    json: schema ? undefined : json,
    stop: settings.take('stopSequences', textList),
    topP: settings.take('topP', number),
    topK: settings.take('topK', number),
    seed: settings.take('seed', number),
  });
}

function schemaIn(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function readChoice(value: unknown): ToolChoice | undefined {
  const config = isRecord(value) ? spelt(value)['functionCallingConfig'] : undefined;
  if (!isRecord(config)) return undefined;
  const names = list(spelt(config)['allowedFunctionNames']);
  const written = (mode: string, more: object = {}): boolean =>
    same(value, { functionCallingConfig: { mode, ...more } });
  const [name] = names;
  if (typeof name === 'string' && written('ANY', { allowedFunctionNames: [name] })) return { tool: name };
  const among = textList(spelt(config)['allowedFunctionNames']);
  if (among && written('ANY', { allowedFunctionNames: among })) return { among, required: true };
  return written('AUTO') ? 'auto' : written('NONE') ? 'none' : written('ANY') ? 'required' : undefined;
}

const efforts: Record<string, Effort> = { MINIMAL: 'low', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' };

function readThinking(value: unknown): Effort | undefined {
  const { thinkingLevel, thinkingBudget } = isRecord(value) ? spelt(value) : {};
  const level = string(thinkingLevel);
  if (level !== undefined) return efforts[level.toUpperCase()];
  const tokens = number(thinkingBudget);
  return tokens === undefined ? undefined : tokens === 0 ? 'off' : tokens < 0 ? 'medium' : effortFor(tokens);
}

/** What we would write for this effort, in the style that was chosen. */
function writtenThinking(effort: Effort, value: unknown): object {
  if (effort === 'off') return { thinkingBudget: 0 };
  const byLevel = isRecord(value) && 'thinkingLevel' in value;
  const amount = byLevel ? { thinkingLevel: effort.toUpperCase() } : { thinkingBudget: effortTokens[effort] };
  return { ...amount, includeThoughts: true };
}
