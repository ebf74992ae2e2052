// What a log and a store must keep, run with the test runner of Node against those in memory.
import { test } from 'node:test';
import { memoryAssets } from 'sightline';
import { assetContract, entryLogContract } from 'sightline/contract';
import { memoryLog } from 'sightline/session';

assetContract(test, () => memoryAssets());

entryLogContract(test, () => {
  let clock = 0;
  return { log: memoryLog({ now: () => clock }), tick: (ms) => (clock += ms) };
});
