import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './package.ts'

/** Checks the npm package of the widgets with publint and arethetypeswrong. */
const packages = join(import.meta.dirname, '../../node_modules')
const folder = join(import.meta.dirname, '../package')
const run = (tool: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(packages, tool), ...args], { stdio: 'inherit' })

await build(folder)
run('typescript/bin/tsc', '-p', join(import.meta.dirname, '../types'))
run('publint/src/cli.js', 'run', folder, '--strict')
run('@arethetypeswrong/cli/dist/index.js', '--pack', folder, '--profile', 'esm-only')
