// Reads a picture and lets half a minute pass.
import { mock } from 'node:test';
import { read } from '../../../src/media/index.ts';
import { plain } from '../make.ts';
import { children, gone, report } from './program.ts';

const picture = await plain(9, 9).png().toBuffer();
mock.timers.enable({ apis: ['setTimeout'] });
await read(picture);
const idle = children();
mock.timers.tick(20_000);
const kept = children();
mock.timers.tick(20_000);
report({ idle: idle.length, kept: kept.length, gone: await gone(idle), next: (await read(picture)).ok });
