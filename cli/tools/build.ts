import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'
import { build as buildSdk } from '../../sdk/tools/build.ts'

const cli = join(import.meta.dirname, '..')
const docs = join(cli, '../docs')

/** The guide has the pages for integrators and operators, without pictures and design decisions. */
const isOfGuide = (path: string): boolean =>
  statSync(path).isDirectory() ? !['design', 'pictures'].includes(basename(path)) : path.endsWith('.md')

/**
 * Writes the published package `openbenefits`: the SDK, and in `bin/` the command line and the guide. The commands are
 * bundled, so the SDK has no dependencies.
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
  cpSync(docs, join(folder, 'bin/docs'), { recursive: true, filter: isOfGuide })
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object
  const bin = { openbenefits: 'bin/openbenefits.js' }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...about, bin }, null, 2)}\n`)
}

if (import.meta.main) await build(join(cli, 'dist'))
