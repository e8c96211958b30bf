import { defineConfig } from 'vitest/config'

/** `npm run shots`: every page as a picture, in console/shots. */
export default defineConfig({
  test: {
    include: ['console/test/shots.ts'],
    globalSetup: 'server/test/setup.ts',
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
