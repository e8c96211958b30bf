import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from '../../cli/tools/build.ts'

/**
 * What npm would publish, the command line with it, looked at by those who know how it will be resolved: publint and
 * arethetypeswrong.
 */
const root = join(import.meta.dirname, '../..')
const packages = join(root, 'node_modules')
const dist = join(root, 'cli/dist')
const run = (tool: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(packages, tool), ...args], { stdio: 'inherit' })

await build(dist)
run('publint/src/cli.js', 'run', dist, '--strict')
// It is a package of ES modules: require() of them is not promised to Nodes that can't.
run('@arethetypeswrong/cli/dist/index.js', '--pack', dist, '--profile', 'esm-only')
