// The tests that a mutated file is tried against: `SIGHTLINE_MUTATE_TESTS`, patterns with commas between them.
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const include = (process.env['SIGHTLINE_MUTATE_TESTS'] ?? 'test/window/**/*.test.ts').split(',');

// A fixed seed: a mutant that one draw kills and another does not would make the score a matter of luck.
const config: ViteUserConfig = defineConfig({
  test: { include, provide: { seed: 20_261_115 }, testTimeout: 5 * 60_000, hookTimeout: 5 * 60_000, pool: 'threads' },
});

export default config;
