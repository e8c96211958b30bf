import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { rolldown } from 'rolldown'

/** The Node of the machine, older than the one that runs the tests; undefined when there is none. */
export function olderNode(): string | undefined {
  const own = Number(process.versions.node.split('.')[0])
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .filter((path) => existsSync(path))
    .find((path) => {
      const major = Number(execFileSync(path, ['-p', 'process.versions.node']).toString().split('.')[0])
      return major >= 20 && major < own
    })
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
