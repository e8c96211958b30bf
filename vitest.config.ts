import { join, relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Processes that tests start load code that was compiled before.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile')

// Tests that need the demo data of the sandbox seed it. Services that tests start do not.
process.env.SANDBOX_DEMO ??= 'false'

/**
 * Long random runs, tests that build, kill, restart or load a service, journeys of the console and the widgets beyond
 * their core, the demo data, and failures and documentation in a browser. They run in CI, or if their files are named.
 */
const only_in_ci = [
  'console/test/office.test.ts',
  'console/test/operators.test.ts',
  'console/test/pages.test.ts',
  'console/test/people.test.ts',
  'console/test/rosters.test.ts',
  'docs-site/browser.test.ts',
  'widgets/test/details.test.ts',
  'widgets/test/elections.test.ts',
  'widgets/test/employers.test.ts',
  'widgets/test/failures.test.ts',
  'server/modules/access/sessions/browser.test.ts',
  'server/test/fuzz/fuzz.test.ts',
  'server/modules/money/billing/year.test.ts',
  'server/bench/smoke.test.ts',
  'server/test/key-rotation.test.ts',
  'server/sandbox/demo/demo.test.ts',
  'server/test/guides/operations.test.ts',
  'server/modules/money/billing/kill.test.ts',
  'server/modules/coverage/amendments/kill.test.ts',
  'server/modules/coverage/enrollment-messages/kill.test.ts',
  'server/modules/access/audit/kill.test.ts',
  'server/modules/directory/documents/kill.test.ts',
  'server/jobs/worker-restarts.test.ts',
  'server/database/replica/replica.test.ts',
  'server/built-start.test.ts',
  'server/first-start.test.ts',
  'server/read-only-start.test.ts',
  'server/restarts.test.ts',
  'server/runtime/process/restored-backup.test.ts',
  'server/test/postgres/throwaway.test.ts',
  'server/test/service/rolling-upgrade.test.ts',
  'server/unwritable-log.test.ts',
  'packages/embedded-postgres/cluster.test.ts',
]
/** Options that are followed by a value, which names no file. */
const with_value = ['-t', '--testNamePattern', '--reporter']
const are_files_named = process.argv
  .slice(3)
  .some((argument, at, all) => !argument.startsWith('-') && !with_value.includes(all[at - 1] ?? ''))
const is_short = Number(process.env.RUNS ?? 0) < 1 && !are_files_named

/** The files that take more than 11 seconds. They start first, so that all workers finish at about the same time. */
const longest = [
  'console/test/pages.test.ts',
  'widgets/test/details.test.ts',
  'widgets/test/elections.test.ts',
  'server/test/contract.test.ts',
  'console/test/office.test.ts',
  'console/test/people.test.ts',
  'console/test/rosters.test.ts',
  'console/test/operators.test.ts',
  'console/test/journeys.test.ts',
  'widgets/test/journeys.test.ts',
  'widgets/test/employers.test.ts',
  'server/test/service/rolling-upgrade.test.ts',
  'server/restarts.test.ts',
  'server/first-start.test.ts',
  'server/bench/smoke.test.ts',
  'server/test/key-rotation.test.ts',
  'server/test/guides/guides.test.ts',
  'server/sandbox/story.test.ts',
  'server/test/guides/operations.test.ts',
  'server/modules/money/billing/year.test.ts',
  'server/modules/coverage/enrollments/histories.test.ts',
  'packages/embedded-postgres/cluster.test.ts',
  'docs-site/site.test.ts',
  'server/test/fuzz/fuzz.test.ts',
  'server/test/year/guides.test.ts',
  'server/test/year/staffing.test.ts',
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
    include: ['{cli,console,docs-site,packages,sdk,server,widgets}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(is_short ? only_in_ci : [])],
    globalSetup: 'server/test/setup.ts',
    pool: 'forks',
    // One more than the cores of a small machine, because some tests wait for browsers and processes. All workers share
    // one PostgreSQL, and each has its own databases.
    maxWorkers: 3,
    // A larger young generation, because garbage collection took an eighth of a worker's time.
    execArgv: ['--max-semi-space-size=64'],
    // Each worker loads a module once for all files, so a test restores every module that it changes.
    isolate: false,
    // Node runs our TypeScript without Vite, and caches the compiled code.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // They only end what hangs. No test depends on the speed of the machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: [['default', { summary: false }]],
  },
})
