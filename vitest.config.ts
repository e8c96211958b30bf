import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// What tests start as processes of their own, again and again, loads what was compiled before.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile')

// The stage of the sandbox is planted where a test asks for it, and not by each service that one starts.
process.env.SANDBOX_STAGE ??= 'false'

export default defineConfig({
  test: {
    include: ['{cli,sdk,server,console,widgets}/**/*.test.ts'],
    globalSetup: 'server/test/setup.ts',
    pool: 'forks',
    // Each worker has a database of its own on the one PostgreSQL, and the machines that matter have two cores.
    maxWorkers: 2,
    // A file's modules are loaded once for each worker: what a test changes in them it sets back.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: [['default', { summary: false }]],
  },
})
