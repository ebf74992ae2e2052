// The least that a gateway can be: bytes in, bytes out, nothing looked at.
import { Agent, createServer, request } from 'node:http';

const [, , port, upstream] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, outgoing) => {
  const { host: _host, ...headers } = incoming.headers;
  const onward = request({
    port: Number(upstream),
    host: '127.0.0.1',
    path: incoming.url,
    method: 'POST',
    headers,
    agent,
  });
  onward.on('response', (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  incoming.pipe(onward);
});
server.listen(Number(port), '127.0.0.1');
