// Gemini generateContent: as many answers as calls, in one content directly after, and no media beside them.

import { isBase64 } from './base64.ts';
import { unless } from './complaint.ts';
import { below, isObject, items, textOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';

type Part = { readonly at: string; readonly part: JsonObject };
type Content = { readonly at: string; readonly role: Json | undefined; readonly parts: Part[] };

export function geminiRules(body: JsonObject): string[] {
  const contents = items(body['contents']).flatMap((item, index) => content(item, below('/contents', index)));
  return [
    ...unless(contents.length > 0, '/contents: at least one content is required'),
    ...contents.flatMap(shape),
    ...contents.flatMap((one, index) => pairing(one, contents[index + 1])),
    ...contents.flatMap((one, index) => neighbours(one, contents[index - 1])),
    ...contents.flatMap(siblings),
    ...contents.flatMap((one) => having(one, 'functionResponse')).flatMap(responseObject),
    ...contents.flatMap((one) => one.parts.flatMap(({ at, part }) => media(part, at))),
    ...items(body['tools']).flatMap((tool, index) => parameterSchemas(tool, below('/tools', index))),
  ];
}

function content(item: Json, at: string): Content[] {
  if (!isObject(item)) return [];
  const parts = items(item['parts']).flatMap((part, index) =>
    isObject(part) ? [{ at: below(below(at, 'parts'), index), part }] : [],
  );
  return [{ at, role: item['role'], parts }];
}

function having(one: Content | undefined, field: string): Part[] {
  return one?.parts.filter(({ part }) => field in part) ?? [];
}

function shape(one: Content): string[] {
  const misplaced = one.role === 'model' ? 'functionResponse' : 'functionCall';
  return [
    ...unless(one.role === 'user' || one.role === 'model', `${one.at}: role must be user or model`),
    ...unless(one.parts.length > 0, `${one.at}: parts must not be empty`),
    ...having(one, misplaced).map(({ at }) => `${at}: no ${misplaced} in a content of this role`),
  ];
}

/** "… the number of function response parts is equal to the number of function call parts of the function call turn." */
function pairing(one: Content, next: Content | undefined): string[] {
  const calls = having(one, 'functionCall');
  const answers = having(next, 'functionResponse');
  if (calls.length === 0) return [];
  if (calls.length !== answers.length) {
    return [
      `${one.at}: ${calls.length} functionCall parts, but ${answers.length} functionResponse parts in the next content`,
    ];
  }
  return ['name', 'id'].flatMap((key) => {
    const found = answers.map(({ part }) => inner(part['functionResponse'])[key]);
    return calls.flatMap(({ at, part }) => {
      const index = found.indexOf(inner(part['functionCall'])[key]);
      if (index !== -1) found.splice(index, 1);
      return unless(index !== -1, `${at}: no functionResponse in the next content has its ${key}`);
    });
  });
}

/** "… function call turn comes immediately after a user turn or after a function response turn." */
function neighbours(one: Content, before: Content | undefined): string[] {
  const calls = having(one, 'functionCall').length > 0;
  const asked = having(before, 'functionCall').length > 0;
  return [
    ...unless(!calls || before?.role === 'user', `${one.at}: functionCall parts must follow a user content`),
    ...having(one, 'functionResponse').flatMap(({ at }) =>
      unless(asked, `${at}: the content before has no functionCall`),
    ),
  ];
}

function siblings(one: Content): string[] {
  if (having(one, 'functionResponse').length === 0) return [];
  return [...having(one, 'inlineData'), ...having(one, 'fileData')].map(
    ({ at }) => `${at}: media beside a functionResponse; put it inside its parts or into a content after it`,
  );
}

function responseObject({ at, part }: Part): string[] {
  const good = isObject(inner(part['functionResponse'])['response']);
  return unless(good, `${below(at, 'functionResponse')}: response must be an object`);
}

/** A medium needs its type and its data, in a part of a content and in a part of a functionResponse alike. */
function media(part: JsonObject, at: string): string[] {
  const answer = below(below(at, 'functionResponse'), 'parts');
  const nested = items(inner(part['functionResponse'])['parts']);
  const { inlineData, fileData } = part;
  return [
    ...unless(
      inlineData === undefined || isBase64(textOf(inner(inlineData)['data'])),
      `${at}/inlineData: data must be base64`,
    ),
    ...unless(
      inlineData === undefined || textOf(inner(inlineData)['mimeType']) !== '',
      `${at}/inlineData: mimeType is missing`,
    ),
    ...unless(
      fileData === undefined || textOf(inner(fileData)['fileUri']) !== '',
      `${at}/fileData: fileUri is missing`,
    ),
    ...nested.flatMap((one, index) => media(inner(one), below(answer, index))),
  ];
}

/** Both schemas of the vendor type this field as any value. */
function parameterSchemas(tool: Json, at: string): string[] {
  return items(inner(tool)['functionDeclarations']).flatMap((one, index) => {
    const schema = inner(one)['parametersJsonSchema'];
    const good = schema === undefined || isObject(schema);
    return unless(good, `${at}/functionDeclarations/${index}/parametersJsonSchema: must be an object`);
  });
}

function inner(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
