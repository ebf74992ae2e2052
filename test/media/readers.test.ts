import { expect, test } from 'vitest';
import { documentTypes } from '../../src/media/document/kinds.ts';
import { formats } from '../../src/media/image/formats.ts';
import { readers } from '../../src/media/readers.ts';

const types = [
  ...formats.map(({ type }) => type),
  ...Object.values(documentTypes),
  'image/svg+xml',
  'application/pdf',
  'audio/wav',
  'audio/mpeg',
  'video/mp4',
  'video/webm',
  'application/zip',
];

test.each(types)('%s has exactly one reader, whatever its name', (mediaType) => {
  for (const name of ['x', 'x.csv', 'x.png', 'x.eml', 'x.svg']) {
    const seen = { mediaType, label: 'a file' };
    expect(readers.filter((reader) => reader.accepts(seen, name, Buffer.from('From: x'))).length).toBe(1);
  }
});

test('what is known and not read has no reader', () => {
  const seen = { mediaType: 'application/x-elf', label: 'a program' };
  expect(readers.some((reader) => reader.accepts(seen, 'x.csv', Buffer.from('a,b')))).toBe(false);
});

test('each format of pictures has a type and an ending of its own', () => {
  expect(new Set(formats.map(({ type }) => type)).size).toBe(formats.length);
  expect(new Set(formats.map(({ ending }) => ending)).size).toBe(formats.length);
});
