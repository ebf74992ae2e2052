// What happens when a provider refuses a picture: it is changed and sent again, and both the model and you are told.
import { answer, image } from 'sightline';
import { script, scriptedServer } from 'sightline/script';

// Plays a provider that cannot read this picture, in the words of Anthropic's API.
const complaint = 'messages.0.content.0.image.source.base64.data: Could not process image';
await using server = await scriptedServer(script([{ text: 'I was not shown the chart.' }]), {
  check: ({ body }) => (JSON.stringify(body).includes('"image"') ? { status: 400, message: complaint } : undefined),
});

const messages = [{ role: 'user' as const, content: [image('examples/chart.png'), 'What do you see?'] }];
const options = { model: 'anthropic/claude-sonnet-5', baseUrl: server.url, key: 'none' };

for await (const event of answer({ messages }, options)) {
  if (event.type === 'request-healed') console.log(`you are told: ${event.why}`);
  else if (event.type === 'block-end' && event.block.type === 'text') console.log(`answer: ${event.block.text}`);
}

for (const { transcript } of server.requests) {
  const content = transcript?.messages[0]?.content ?? [];
  const blocks = Array.isArray(content) ? content : [content];
  console.log(
    'the model reads:',
    blocks.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`)),
  );
}
