import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Fills the cache of schemas that the judges of request bodies use, once, before the workers start. The architecture
    // test, which `npm run check` runs alone, needs none of them.
    globalSetup: process.argv.some((word) => word.includes('architecture')) ? [] : ['test/judge/setup.ts'],
    testTimeout: 30_000,
    pool: 'threads',
    // Much of the time goes into waiting for child processes, so a small machine has work for more than one.
    maxWorkers: 3,
  },
});

export default config;
