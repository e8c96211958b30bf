import { join } from 'node:path'
import { rolldown } from 'rolldown'

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
