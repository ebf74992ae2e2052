// A small conversation that really happens, without a model: a question, two calls side by side, and two tools that
// draw a picture and write a PDF.
import type { AssistantMessage, TranscriptInput } from '../../message/message.ts';
import { document, image, text } from '../../content/input.ts';
import type { Tool } from '../../tool/tool.ts';
import { defineTool } from '../../tool/tool.ts';
import { invokeTools } from '../../toolbox/invoke.ts';
import { chartPng } from './chart.ts';
import { reportPdf } from './report.ts';

const quarters = [
  { label: 'Q1', value: 412 },
  { label: 'Q2', value: 468 },
  { label: 'Q3', value: 391 },
  { label: 'Q4', value: 537 },
];

const input = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] } as const;

/** The files that the tools return, by name. */
export function demoFiles(): { chart: Uint8Array; report: Uint8Array } {
  const total = quarters.reduce((sum, { value }) => sum + value, 0);
  const chart = chartPng('SALES 2026', quarters);
  const report = reportPdf([
    'Sales report 2026',
    ...quarters.map(({ label, value }) => `${label}: ${value} units`),
    `Total: ${total} units. The third quarter was weak because the Lyon warehouse was closed.`,
  ]);
  return { chart, report };
}

export const question = 'How did sales go this year, and why?';
const calls: AssistantMessage = {
  role: 'assistant',
  model: 'demo/script',
  content: [
    { type: 'call', id: 'c1', name: 'draw_chart', input: { year: 2026 } },
    { type: 'call', id: 'c2', name: 'open_report', input: { year: 2026 } },
  ],
};

/** A tool that draws a picture, and one that opens a PDF. */
export function demoTools(): Tool[] {
  const files = demoFiles();
  return [
    defineTool({
      name: 'draw_chart',
      description: 'Draws the sales of a year as a bar chart.',
      input,
      run: () => [text('Sales by quarter.'), image(files.chart, { name: 'chart.png' })],
    }),
    defineTool({
      name: 'open_report',
      description: 'Opens the sales report of a year.',
      input,
      run: () => [text('The yearly report.'), document(files.report, { name: 'report.pdf' })],
    }),
  ];
}

/** The tools, run. */
export async function converse(): Promise<TranscriptInput> {
  const tools = demoTools();
  const results = await invokeTools(calls, { tools });
  return { tools, messages: [{ role: 'user', content: question }, calls, ...results] };
}

/** The same conversation as a transcript file whose media lie beside it. */
export function transcriptFile({ tools = [], messages }: TranscriptInput): unknown {
  const paths: Record<string, string> = { image: 'chart.png', document: 'report.pdf' };
  const beside = (block: { type: string }): unknown => {
    const path = paths[block.type];
    return path === undefined ? block : { type: block.type, path };
  };
  return {
    version: 1,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    messages: messages.map((message) => ({
      ...message,
      content: Array.isArray(message.content) ? message.content.map(beside) : message.content,
    })),
  };
}
