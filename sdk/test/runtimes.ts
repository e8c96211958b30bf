import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { TestContext } from 'vitest'
import { blocksIn, nodeOfMachine, readDocument } from '../../server/test/pasted.ts'

/**
 * The Node of the machine, from 20 on and older than the one that runs the tests. Where there is none the test is
 * skipped and says so; in CI it fails.
 */
export function olderNode({ skip }: Pick<TestContext, 'skip'>): string {
  const older = nodeOfMachine()
  if (older) return older
  const lacking = 'No Node from 20 on that is older than ours is in PATH: the SDK was not tried in one.'
  if (process.env.CI) throw new Error(lacking)
  return skip(lacking)
}

/** The tour of the SDK's README about an employer that is called otherwise, and what it says. */
export function tourOf(name: string, ein: string): { program: string; shown: string } {
  const [tour, shown] = blocksIn(readDocument('sdk/README.md')).filter(
    ({ heading }) => heading === 'The tour as a program',
  )
  const domain = name.replace(' ', '').toLowerCase()
  const program = tour!.code.replaceAll('Blue Heron', name).replace('47-2915386', ein).replaceAll('blueheron', domain)
  return { program, shown: shown!.code }
}

/** Documents whose blocks in a tab for TypeScript make one program. */
export const tabbed = ['docs/payroll-company.md', 'docs/broker.md', 'docs/staffing-platform.md', 'docs/integrating.md']

/** A script for a page: what a module of ours imports, in one file, as small as a bundler makes it. */
export async function bundled(code: string): Promise<string> {
  const entry = 'entry.js'
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'warn',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? join(import.meta.dirname, entry) : undefined),
        load: (id) => (id === join(import.meta.dirname, entry) ? code : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  return output[0].code
}
