// Vitest's global setup: fills the schema cache once, before any worker asks for it, and says who cannot judge.

import { missingSpecifications } from './judge.ts';
import { sdkSchema } from './sdk-schema.ts';
import { wireNames } from './wire-name.ts';

export default async function setup(): Promise<void> {
  for (const wire of wireNames) await sdkSchema(wire);
  for (const line of missingSpecifications()) console.warn(`judge skipped: ${line}`);
}
