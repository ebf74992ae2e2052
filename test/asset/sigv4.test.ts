// Signatures as AWS publishes them: those of its test suite, and of the examples in the documents of S3.
import { expect, test } from 'vitest';
import { bodyHashOf, signedHeaders } from '../../src/asset/sigv4.ts';

const suite = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const documents = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const inSuite = { region: 'us-east-1', service: 'service', now: new Date('2015-08-30T12:36:00Z') };
const inDocuments = { region: 'us-east-1', service: 's3', now: new Date('2013-05-24T00:00:00Z') };
const bucket = 'https://examplebucket.s3.amazonaws.com';

test.each([
  ['GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ['GET', '/?Param2=value2&Param1=value1', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'],
])('%s %s of the test suite', async (method, path, signature) => {
  const url = new URL(path, 'https://example.amazonaws.com');
  const { authorization } = await signedHeaders({ method, url, bodyHash: await bodyHashOf('') }, suite, inSuite);
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  );
});

test.each([
  ['GET', '/test.txt', { Range: 'bytes=0-9' }, '', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  ['GET', '/?lifecycle', {}, '', 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
  ['GET', '/?max-keys=2&prefix=J', {}, '', '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  [
    'PUT',
    '/test$file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
])('%s %s of the documents of S3', async (method, path, headers, body, signature) => {
  const asked = { method, url: new URL(path, bucket), headers, bodyHash: await bodyHashOf(body) };
  const { authorization } = await signedHeaders(asked, documents, inDocuments);
  expect(authorization).toMatch(new RegExp(`Signature=${signature}$`));
});

test('keys that expire send their token, and sign it', async () => {
  const asked = { method: 'GET', url: new URL('/', bucket), bodyHash: await bodyHashOf('') };
  const signed = await signedHeaders(asked, { ...documents, token: 'T' }, inDocuments);
  expect(signed).toMatchObject({
    'x-amz-security-token': 'T',
    'x-amz-content-sha256': asked.bodyHash,
    'x-amz-date': '20130524T000000Z',
    authorization: expect.stringContaining('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,'),
  });
});
