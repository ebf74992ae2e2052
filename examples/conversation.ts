// A conversation in which a tool returned words, a picture and a PDF. All the examples beside this file send it.
import { defineTool, document, image, invokeTools, text } from 'sightline';
import type { AssistantMessage, TranscriptInput } from 'sightline';

const openReport = defineTool({
  name: 'open_report',
  description: 'Opens the report of a quarter, with its chart.',
  input: { type: 'object', properties: { quarter: { type: 'string' } }, required: ['quarter'] },
  run: ({ quarter }) => [
    text(`The report of ${quarter}, and its chart:`),
    image('examples/chart.png'),
    document('examples/report.pdf'),
  ],
});

const asked: AssistantMessage = {
  role: 'assistant',
  model: 'anthropic/claude-sonnet-5',
  content: [{ type: 'call', id: 'call_1', name: 'open_report', input: { quarter: 'Q3' } }],
};

export const transcript: TranscriptInput = {
  system: 'You are a careful analyst.',
  tools: [openReport],
  messages: [
    { role: 'user', content: 'How did we do in Q3?' },
    asked,
    ...(await invokeTools(asked, { tools: [openReport] })),
  ],
};
