import { defineConfig } from 'vitest/config'

/** `npm run shots`: every page and every view of a widget as a picture, in console/shots and widgets/shots. */
export default defineConfig({
  test: {
    include: ['{console,widgets}/test/shots.ts'],
    globalSetup: 'server/test/setup.ts',
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
