import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const sdk = join(import.meta.dirname, '..')
const root = join(sdk, '..')

/**
 * Writes the published SDK into a folder: JavaScript with types, for every runtime. Inside the repository, the sources
 * are imported.
 */
export function build(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const args = [tsc, '-p', join(sdk, 'tsconfig.build.json'), '--outDir', folder]
  execFileSync(process.execPath, args, { stdio: ['ignore', 2, 2] })
  const {
    exports: sources,
    private: _,
    devDependencies: __,
    ...rest
  } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8')) as Record<string, unknown> & {
    exports: Record<string, string>
  }
  const exports = Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, published(file)]))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...rest, exports }, null, 2)}\n`)
  copyFileSync(join(sdk, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** `./src/index.ts` becomes `./index.js`, with its types. */
function published(file: string): string | { types: string; default: string } {
  if (!file.endsWith('.ts')) return file
  const name = file.replace('./src/', './').replace(/\.ts$/, '')
  return { types: `${name}.d.ts`, default: `${name}.js` }
}
