import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from '../../cli/tools/build.ts'

/**
 * Checks the npm package, including the command line, with publint and arethetypeswrong.
 */
const root = join(import.meta.dirname, '../..')
const packages = join(root, 'node_modules')
const dist = join(root, 'cli/dist')
const run = (tool: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(packages, tool), ...args], { stdio: 'inherit' })

await build(dist)
run('publint/src/cli.js', 'run', dist, '--strict')
// The package contains only ES modules. Old Nodes that cannot require() them are not supported.
run('@arethetypeswrong/cli/dist/index.js', '--pack', dist, '--profile', 'esm-only')
