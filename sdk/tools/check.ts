import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { build, dist } from './build.ts'

/** What npm would publish, looked at by those who know how it will be resolved: publint and arethetypeswrong. */
const packages = join(import.meta.dirname, '../../node_modules')
const run = (tool: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(packages, tool), ...args], { stdio: 'inherit' })

build(dist)
run('publint/src/cli.js', 'run', dist, '--strict')
// It is a package of ES modules: require() of them is not promised to Nodes that can't.
run('@arethetypeswrong/cli/dist/index.js', '--pack', dist, '--profile', 'esm-only')
