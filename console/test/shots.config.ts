import { defineConfig } from 'vitest/config'

/**
 * `npm run shots`: every page and every view of a widget as a picture, in console/shots and widgets/shots; with SPEED how
 * long the console takes to answer what is done, and the widgets to be there.
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
