// The tools that the conformance suite calls by name, made with `defineTool` like any others.
import { setTimeout as sleep } from 'node:timers/promises';
import { audio, document, image, text } from '../../src/content/input.ts';
import { defineTool } from '../../src/tool/tool.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { paper, picture, sound } from '../tool/samples.ts';

const nothing = { type: 'object', properties: {} } as const;

export const conformanceTools: Tool[] = [
  simple('test_simple_text', () => 'This is a simple text response for testing.'),
  simple('test_image_content', () => image(picture.bytes)),
  simple('test_audio_content', () => audio(sound.bytes)),
  simple('test_embedded_resource', () => document(paper.bytes)),
  simple('test_multiple_content_types', () => [
    text('Multiple content types test:'),
    image(picture.bytes),
    document(paper.bytes),
  ]),
  simple('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  }),
  defineTool({
    name: 'test_tool_with_progress',
    description: 'Tells three times how far it is.',
    input: nothing,
    run: async (_input, { progress }) => {
      for (const step of [0, 50, 100]) {
        progress(`${step} of 100`);
        await sleep(20);
      }
      return 'done';
    },
  }),
  withDialect(),
];

function simple(name: string, run: () => unknown): Tool {
  return defineTool({ name, description: `The suite calls it: ${name}.`, input: nothing, run });
}

/** A schema with its dialect, as a tool from elsewhere may have it; `defineTool` would leave the dialect out. */
function withDialect(): Tool {
  const tool = simple('json_schema_2020_12_tool', () => 'fine');
  return {
    ...tool,
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
      properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
      additionalProperties: false,
    },
  };
}
