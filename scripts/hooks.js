import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Makes Git run the hooks in `.githooks`, unless this clone has other hooks. Does nothing outside a clone. */
export function useHooks() {
  if (!existsSync('.git')) return
  const configured = spawnSync('git', ['config', '--get', 'core.hooksPath'], { encoding: 'utf8' })
  if (configured.error || configured.stdout.trim() !== '') return
  spawnSync('git', ['config', 'core.hooksPath', '.githooks'])
}
