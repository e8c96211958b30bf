import { join } from 'node:path'
import { rolldown } from 'rolldown'
import type { TestContext } from 'vitest'
import { blocksIn, nodeOfMachine, readDocument } from '../../server/test/guides/code-blocks.ts'

/**
 * The machine's own Node, at least 20 and older than the test's Node. Without one, the test is skipped with a message,
 * and fails in CI.
 */
export function olderNode({ skip }: Pick<TestContext, 'skip'>): string {
  const older = nodeOfMachine()
  if (older) return older
  const lacking = 'No older Node (20 or later) is in PATH, so the SDK was not tested in one.'
  if (process.env.CI) throw new Error(lacking)
  return skip(lacking)
}

/** The tour of the SDK's README with another employer name, and its expected output. */
export function tourOf(name: string, ein: string): { program: string; shown: string } {
  const [tour, shown] = blocksIn(readDocument('sdk/README.md')).filter(
    ({ heading }) => heading === 'The tour as a program',
  )
  const domain = name.replace(' ', '').toLowerCase()
  const program = tour!.code.replaceAll('Blue Heron', name).replace('47-2915386', ein).replaceAll('blueheron', domain)
  return { program, shown: shown!.code }
}

/** Documents with TypeScript tabs that form one program. */
export const tabbed = [
  'docs/payroll-company.md',
  'docs/broker.md',
  'docs/staffing-platform.md',
  'docs/integrating/first-enrollment.md',
]

/** Bundles and minifies a module into one script for a page. */
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
