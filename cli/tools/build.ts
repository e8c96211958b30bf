import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { build as buildSdk } from '../../sdk/tools/build.ts'

const cli = join(import.meta.dirname, '..')
const docs = join(cli, '../docs')

/**
 * Writes the package `openbenefits` as it is published, with the command line: the SDK as it is, and beside it `bin/`,
 * in which all that the commands need is bundled, so that who imports the SDK still has no dependencies, and the guide.
 */
export async function build(folder: string): Promise<void> {
  buildSdk(folder)
  const bundle = await rolldown({
    input: { openbenefits: join(cli, 'src/main.ts') },
    platform: 'node',
    logLevel: 'warn',
  })
  const banner = '#!/usr/bin/env node'
  const chunkFileNames = '[name].js'
  await bundle.write({ dir: join(folder, 'bin'), format: 'esm', minify: true, banner, chunkFileNames })
  await bundle.close()
  mkdirSync(join(folder, 'bin/docs'))
  cpSync(docs, join(folder, 'bin/docs'), { recursive: true, filter: (path) => path === docs || path.endsWith('.md') })
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  const bin = { openbenefits: 'bin/openbenefits.js' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...about, bin }, null, 2)}\n`)
}

if (import.meta.main) await build(join(cli, 'dist'))
