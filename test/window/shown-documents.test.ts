// Which document a block is, and in which forms it is shown.
import { describe, expect, test } from 'vitest';
import type { CarriedBlock, DocumentBlock, ImageBlock } from '../../src/content/block.ts';
import { repeatedDocument } from '../../src/content/words.ts';
import type { Decision } from '../../src/window/decide.ts';
import { documentKey, enterForm, documentForm, unlessShown } from '../../src/window/shown-documents.ts';
import type { DocumentForms } from '../../src/window/shown-documents.ts';
import { put } from '../laws/world.ts';

const report: DocumentBlock = { type: 'document', asset: put('report', 'application/pdf', 'report.pdf'), pages: 12 };
const other: DocumentBlock = { type: 'document', asset: put('other', 'application/pdf', 'report.pdf'), pages: 12 };
const page = { type: 'image' as const, asset: put('page', 'image/png'), width: 640, height: 400 } satisfies ImageBlock;
const away = (kind: 'document' | 'image', name?: string): CarriedBlock => ({
  type: 'reference',
  kind,
  at: { url: 'https://example.com/report' },
  ...(name !== undefined && { name }),
});
const label = { type: 'text' as const, text: '[1. PDF]' };

function shows(...blocks: Decision['blocks']): Decision {
  return { place: 'inside', blocks, action: 'inside', why: '' };
}

describe('a document', () => {
  test('is known by its bytes, its name and its pages, here or elsewhere', () => {
    const keys = [
      report,
      other,
      { ...report, asset: { ...report.asset, name: 'copy.pdf' } },
      { ...report, range: [0, 3] as const },
      { ...report, range: [3, 6] as const },
      away('document'),
      away('document', 'report.pdf'),
    ].map(documentKey);
    expect(new Set(keys).size).toBe(7);
    expect(keys).not.toContain(undefined);
    expect(documentKey({ ...report, range: [0, 12] })).toBe(documentKey(report));
  });

  test('is no picture', () => {
    expect([page, away('image')].map(documentKey)).toEqual([undefined, undefined]);
  });

  test('is shown in a form by its media, whatever is written beside them, or else by its words', () => {
    expect(documentForm(shows(label, report))).toBe(documentForm(shows(report)));
    expect(documentForm(shows(page))).not.toBe(documentForm(shows(report)));
    expect(documentForm(shows(page, page))).not.toBe(documentForm(shows(page)));
    expect(documentForm(shows({ type: 'text', text: 'one' }))).not.toBe(
      documentForm(shows({ type: 'text', text: 'two' })),
    );
    expect(documentForm(shows({ type: 'text', text: 'a' }, { type: 'text', text: 'b' }))).toBe('["a","b"]');
  });
});

function none(): DocumentForms {
  return new Map();
}

describe('a copy', () => {
  const key = documentKey(report) ?? '';
  const shown = (...decisions: Decision[]): DocumentForms => {
    const forms: DocumentForms = new Map();
    for (const decision of decisions) enterForm(key, documentForm(decision), forms);
    return forms;
  };

  test('of what stands before it, or in its own item, is words that remember what they stand for', () => {
    const again = {
      place: 'words',
      blocks: [{ type: 'text', text: repeatedDocument(report) }],
      action: 'words',
      why: 'the same document stands in this request already',
      again: shows(label, report),
    };
    const forms = shown(shows(page), shows(report));
    expect(forms.get(key)?.size).toBe(2);
    expect(unlessShown(report, shows(label, report), forms, none())).toEqual(again);
    expect(unlessShown(report, shows(label, report), none(), forms)).toEqual(again);
  });

  test('that is the first, or the first in its form, is shown and counts from then on in its item', () => {
    for (const before of [none(), shown(shows(page))]) {
      const inside = none();
      expect(unlessShown(report, shows(report), before, inside)).toEqual(shows(report));
      expect(inside).toEqual(shown(shows(report)));
      expect(unlessShown(report, shows(report), before, inside)?.action).toBe('words');
    }
  });

  test('of which only words would be told, or nothing is decided yet, is none', () => {
    const forms = shown(shows(report));
    const told: Decision = { ...shows(label), place: 'words', action: 'words' };
    expect(unlessShown(report, told, shown(told), none())).toBe(told);
    expect(unlessShown(report, undefined, forms, none())).toBeUndefined();
    const picture = shows(page);
    expect(unlessShown(page, picture, forms, none())).toBe(picture);
  });
});
