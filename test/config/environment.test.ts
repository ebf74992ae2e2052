import { expect, test } from 'vitest';
import { accessOf, proxyFor } from '../../src/config/environment.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:11434/'],
  ['0.0.0.0:9999', 'http://127.0.0.1:9999/'],
  ['my-box', 'http://my-box:11434/'],
  ['https://ollama.example', 'https://ollama.example/'],
  ['http://box:80', 'http://box/'],
  ['http://box', 'http://box/'],
  ['box:80', 'http://box/'],
  [':9999', 'http://127.0.0.1:9999/'],
  ['[::]:9999', 'http://[::1]:9999/'],
  ['[fd00::5]', 'http://[fd00::5]:11434/'],
])('OLLAMA_HOST %s means %s', (host, url) => {
  expect(accessOf('ollama', { OLLAMA_HOST: host }).baseUrl).toBe(url);
});

test('empty variables count as not set', () => {
  expect(accessOf('anthropic', { ANTHROPIC_API_KEY: ' ' })).toEqual({});
  expect(accessOf('nobody', {})).toEqual({});
});

const proxy = 'http://proxy.example:3128';
test.each<[string, Record<string, string>, string | undefined]>([
  ['https://api.openai.com/v1', { HTTPS_PROXY: proxy }, 'proxy.example:3128'],
  ['https://api.openai.com/v1', { https_proxy: 'proxy.example:3128' }, 'proxy.example:3128'],
  ['https://api.openai.com/v1', { HTTP_PROXY: proxy }, undefined],
  ['http://box/v1', { HTTP_PROXY: proxy }, 'proxy.example:3128'],
  ['https://api.openai.com/v1', { ALL_PROXY: proxy }, 'proxy.example:3128'],
  ['https://api.openai.com/v1', { HTTPS_PROXY: proxy, NO_PROXY: 'openai.com' }, undefined],
  ['https://api.openai.com/v1', { HTTPS_PROXY: proxy, NO_PROXY: 'x, .openai.com' }, undefined],
  ['https://api.openai.com/v1', { HTTPS_PROXY: proxy, NO_PROXY: '*.openai.com' }, undefined],
  ['https://api.openai.com/v1', { HTTPS_PROXY: proxy, NO_PROXY: 'openai.com:8443' }, 'proxy.example:3128'],
  ['https://notopenai.com/v1', { HTTPS_PROXY: proxy, NO_PROXY: 'openai.com' }, 'proxy.example:3128'],
  ['https://api.openai.com/v1', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ['http://localhost:11434', { HTTP_PROXY: proxy }, undefined],
  ['http://127.0.0.1:11434', { HTTP_PROXY: proxy }, undefined],
  ['http://[::1]:11434', { HTTP_PROXY: proxy }, undefined],
])('%s with %o goes through %s', (target, environment, host) => {
  expect(proxyFor(new URL(target), environment)?.host).toBe(host);
});

test('a proxy of another kind is told, not passed over', () => {
  expect(() => proxyFor(new URL('https://api.openai.com'), { ALL_PROXY: 'socks5://box:1080' })).toThrow('HTTPS_PROXY');
});
