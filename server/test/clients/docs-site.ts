import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, vi } from 'vitest'
import { useApi, type Api } from '../harness.ts'

const root = join(import.meta.dirname, '../../..')

/** The service with the data of the sandbox and the current documentation, for the tests of one file. */
export function useSite(): Api {
  const api = useApi({ with_story: 'usual_day' })
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['scripts/run.js', 'build', 'docs-site'], { cwd: root })
    // Another test file may be building the same site.
    const isServed = async () => (await api.get('/docs/' as '/docs', { key: null })).status === 200
    await vi.waitUntil(isServed, { timeout: 120_000, interval: 500 })
  }, 240_000)
  return api
}
