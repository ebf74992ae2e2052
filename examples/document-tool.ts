// A tool over documents of your own: their text, or the original where the model wants to look at it.
import { defineTool, read, runAgent } from 'sightline';

const documents = new Map([['r-2026', 'examples/report.pdf']]); // wherever yours are: a path, a URL, or bytes

const getDocument = defineTool({
  name: 'get_full_document_content',
  description: 'Gets the text of a document by its id, or with return_original the document as it looks.',
  input: {
    type: 'object',
    properties: { document_id: { type: 'string' }, return_original: { type: 'boolean', default: false } },
    required: ['document_id'],
  },
  effect: 'read',
  async run({ document_id: id, return_original: original = false }, { assets, signal }) {
    const source = documents.get(id);
    if (!source) throw new Error(`There is no document ${id}. There are ${[...documents.keys()].join(', ')}.`);
    return read(source, { as: original ? 'auto' : 'text', assets, signal });
  },
});

const { text, messages, error } = await runAgent({
  model: 'openai-chat/gpt-4.1',
  tools: [getDocument],
  prompt: 'What does r-2026 say about the third quarter, and how does it look?',
});
for (const message of messages) if (message.role === 'tool') console.log(message.content); // what the model was shown
console.log(error?.message ?? text);
