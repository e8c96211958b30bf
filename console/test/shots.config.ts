import { defineConfig } from 'vitest/config'

/**
 * `npm run shots` draws every page of the console and every view of the widgets into console/shots and widgets/shots.
 * With SPEED, it measures response times of the console and load times of the widgets.
 */
export default defineConfig({
  test: {
    include: [process.env.SPEED ? '{console,widgets}/test/speed.ts' : '{console,widgets}/test/shots.ts'],
    globalSetup: 'server/test/setup.ts',
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
})
