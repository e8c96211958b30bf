import { join, relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// What tests start as processes of their own, again and again, loads what was compiled before.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile')

// The stage of the sandbox is planted where a test asks for it, and not by each service that one starts.
process.env.SANDBOX_STAGE ??= 'false'

/** Files that take longest. They begin first, so that no worker is still at one when nothing is left for the others. */
const longest = [
  'console/test/journeys.test.ts',
  'server/main.test.ts',
  'server/test/contract.test.ts',
  'widgets/test/journeys.test.ts',
  'server/test/operating.test.ts',
  'server/modules/money/billing/year.test.ts',
  'server/sandbox/story.test.ts',
  'server/modules/coverage/enrollments/histories.test.ts',
  'server/test/year/staffing.test.ts',
  'server/test/guides.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.indexOf(relative(import.meta.dirname, moduleId).replaceAll('\\', '/'))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    include: ['{cli,packages,sdk,server,console,widgets}/**/*.test.ts'],
    globalSetup: 'server/test/setup.ts',
    pool: 'forks',
    // As many as the machines that matter have cores: with a third, browsers waited in vain (docs/decisions/0160). Each
    // worker has a database of its own on the one PostgreSQL.
    maxWorkers: 2,
    // A file's modules are loaded once for each worker: what a test changes in them it sets back.
    isolate: false,
    // Node runs our TypeScript as it is, and keeps what it has compiled.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes late where the machine has other things to do.
    expect: { poll: { timeout: 20_000 } },
    reporters: [['default', { summary: false }]],
  },
})
