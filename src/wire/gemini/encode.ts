// A plan as a request of Gemini's generateContent. One function response per call, all of a turn in one content.
// Media stand in the `parts` of their response (Gemini 3 and later), or in a separate content after it.
import { isRecord } from '../../content/json.ts';
import type {
  Plan,
  PlanItem,
  PlannedMedia,
  PlannedRemote,
  PlannedResult,
  Said,
  Shown,
  ToolChoice,
} from '../../window/plan-types.ts';
import type { Skeleton } from '../body.ts';
import { ownItemOf } from '../picture.ts';
import { slot } from '../json-slots.ts';
import { noMemo } from '../item-memo.ts';
import type { ItemMemo } from '../item-memo.ts';
import { argumentsObject, hostedTool, inputSchema, joinText } from '../spelling.ts';
import { responseOf } from './response.ts';
import type {
  Content,
  FileData,
  GeminiBody,
  GeminiSdkBody,
  GenerationConfig,
  InlineData,
  GeminiTool,
  MediaResolution,
  Part,
  ThinkingLevel,
  ToolConfig,
} from './types.ts';

/** Google's own sentinel for calls that another model made: it switches the signature check off for them. */
const foreignSignature = 'skip_thought_signature_validator';

export function encode(plan: Plan, memo: ItemMemo = noMemo): Skeleton<GeminiBody> {
  const hosted = plan.tools.map((tool) => hostedTool(tool, plan.profile) as GeminiTool | undefined);
  const functions = plan.tools.filter((_, at) => hosted[at] === undefined);
  const functionDeclarations = functions.map((tool) => ({
    name: tool.name,
    description: tool.description,
    parametersJsonSchema: inputSchema(tool),
  }));
  const declared = functionDeclarations.length > 0 ? [{ functionDeclarations }] : [];
  const tools = [...declared, ...hosted.filter((tool) => tool !== undefined)];
  const generationConfig = settings(plan);
  return {
    skeleton: {
      ...(plan.system && { systemInstruction: { parts: [{ text: plan.system }] } }),
      contents: oneTurnEach(plan.items.flatMap((item) => memo.written(contentsOf, item, plan.profile.signedCalls))),
      ...(tools.length > 0 && { tools }),
      ...(plan.options.toolChoice && { toolConfig: toolConfig(plan.options.toolChoice) }),
      ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    },
  };
}

/** The same request for the method of `@google/genai`. */
export function sdk(body: GeminiBody, plan: Plan): GeminiSdkBody {
  const { contents: all, generationConfig, ...rest } = body;
  const config = { ...rest, ...generationConfig } as GeminiSdkBody['config'];
  return { model: plan.profile.id, contents: all, config };
}

function toolConfig(choice: ToolChoice): ToolConfig<'AUTO' | 'ANY' | 'NONE'> {
  if (typeof choice === 'object') {
    const allowedFunctionNames = 'tool' in choice ? [choice.tool] : [...choice.among];
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames } };
  }
  const mode = choice === 'required' ? 'ANY' : choice === 'none' ? 'NONE' : 'AUTO';
  return { functionCallingConfig: { mode } };
}

const levels = { low: 'LOW', medium: 'MEDIUM', high: 'HIGH', xhigh: 'HIGH', max: 'HIGH' } as const;

function settings({ options, profile }: Plan): GenerationConfig<ThinkingLevel, MediaResolution> {
  const { thinking } = options;
  const level =
    profile.thinking === 'level' && thinking && thinking !== 'off' ? { thinkingLevel: levels[thinking] } : undefined;
  const budget = thinking === 'off' ? { thinkingBudget: 0 } : { thinkingBudget: options.thinkingTokens ?? -1 };
  return {
    ...(options.maxTokens !== undefined && { maxOutputTokens: options.maxTokens }),
    ...(options.temperature !== undefined && { temperature: options.temperature }),
    ...(options.stop && { stopSequences: [...options.stop] }),
    ...(options.topP !== undefined && { topP: options.topP }),
    ...(options.topK !== undefined && { topK: options.topK }),
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.json && { responseMimeType: 'application/json' }),
    ...(thinking && { thinkingConfig: { ...(level ?? budget), ...(thinking !== 'off' && { includeThoughts: true }) } }),
    ...(profile.lowResolution && { mediaResolution: 'MEDIA_RESOLUTION_LOW' }),
    ...(options.output && { responseMimeType: 'application/json', responseJsonSchema: options.output.schema }),
  };
}

function contentsOf(item: PlanItem, signed: boolean): Content[] {
  switch (item.role) {
    case 'user':
      return [{ role: 'user', parts: item.content.map(shown) }];
    case 'assistant':
      return [{ role: 'model', parts: modelParts(item.content, signed) }];
    case 'batch': {
      const responses: Content = { role: 'user', parts: item.results.map(response) };
      return item.after.length > 0 ? [responses, { role: 'user', parts: item.after.map(shown) }] : [responses];
    }
  }
}

/** Calls are taken only right after a user's content, so what a model said in two messages is one content. */
function oneTurnEach(all: readonly Content[]): Content[] {
  const out: Content[] = [];
  for (const content of all) {
    const last = out.at(-1);
    if (last?.role === 'model' && content.role === 'model')
      out[out.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
    else out.push(content);
  }
  return out;
}

function response(result: PlannedResult): Part {
  const text = joinText(result.content);
  const media = result.content.filter((block) => block.type !== 'text');
  return {
    functionResponse: {
      id: result.callId,
      name: result.name,
      response: responseOf(text, result.isError),
      ...(media.length > 0 && { parts: media.map(shown) }),
    },
  };
}

function modelParts(content: readonly Said[], signed: boolean): Part[] {
  let first = true;
  return content.map((block) => {
    const isFirstCall = block.type === 'call' && first;
    if (block.type === 'call') first = false;
    const own = ownItemOf(block);
    if (isRecord(own)) return own;
    if (block.type !== 'call') return { text: block.type === 'text' ? block.text : '' };
    const functionCall = { id: block.id, name: block.name, args: argumentsObject(block.input) };
    return { functionCall, ...(signed && isFirstCall && { thoughtSignature: foreignSignature }) };
  });
}

function shown(block: Shown): Part {
  if (block.type === 'text') return { text: block.text };
  if (block.type === 'remote') return { fileData: fileData(block) };
  if (!block.at) return { inlineData: inlineData(block) };
  return { fileData: { mimeType: inlineData(block).mimeType, fileUri: block.at.file } };
}

function fileData({ at, mediaType }: PlannedRemote): FileData {
  return { ...(mediaType !== undefined && { mimeType: mediaType }), fileUri: 'url' in at ? at.url : at.file };
}

function inlineData(block: PlannedMedia): InlineData {
  const mimeType = block.asset.mediaType === 'audio/mpeg' ? 'audio/mp3' : block.asset.mediaType;
  return { mimeType, data: slot(block.asset) };
}
