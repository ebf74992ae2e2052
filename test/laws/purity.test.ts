// Law: conversion mutates nothing. Twice is as once, and another model in between changes nothing.
import { describe, expect } from 'vitest';
import type { Ledger } from '../../src/window/ledger.ts';
import { onePerWire } from './models.ts';
import { anyShape } from './transcripts.ts';
import { lawOnEveryModel, oneOf } from './trial.ts';
import { asSent, writeOutline } from './world.ts';

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

describe('conversion changes nothing that it was given', () => {
  const once = 'twice gives what once gives, from frozen input, with another model in between and with its own ledger';
  lawOnEveryModel(once, anyShape, async (transcript, model) => {
    const given = frozen(transcript);
    const before = JSON.stringify(given);
    const first = await writeOutline({ transcript: given, model });
    await writeOutline({ transcript: given, model: oneOf(transcript, onePerWire) });
    expect(await writeOutline({ transcript: given, model })).toEqual(first);
    expect(JSON.stringify(given)).toBe(before);
    const ledger = frozen(asSent(first.ledger));
    const third = await writeOutline({ transcript: asSent(given), model, ledger });
    expect(third.body).toEqual(first.body);
    expect(asSent(third.ledger)).toEqual(ledger);
  });

  lawOnEveryModel('a ledger kept in memory gives what one through JSON gives', anyShape, async (transcript, model) => {
    const parts = transcript.cuts.map((cut) => ({ ...transcript, messages: transcript.messages.slice(0, cut) }));
    const ask = oneOf(transcript, [{}, { policy: { imagesToKeep: 1, batch: 2 } }, { budget: { images: 3 } }]);
    let [kept, stored]: (Ledger | undefined)[] = [undefined, undefined];
    for (const part of parts) {
      const one = await writeOutline({ transcript: part, model, ledger: kept, ...ask });
      const other = await writeOutline({ transcript: part, model, ledger: stored, ...ask });
      expect(one.body).toEqual(other.body);
      expect(one.receipts).toEqual(other.receipts);
      expect(asSent(one.ledger)).toEqual(asSent(other.ledger));
      [kept, stored] = [one.ledger, asSent(other.ledger)];
    }
  });

  lawOnEveryModel('a transcript that went through JSON gives the same body', anyShape, async (transcript, model) => {
    const first = await writeOutline({ transcript, model });
    const second = await writeOutline({ transcript: asSent(transcript), model });
    expect(second.body).toEqual(first.body);
  });
});
