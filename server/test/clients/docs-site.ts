import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect } from 'vitest'
import { useApi, type Api } from '../harness.ts'

const root = join(import.meta.dirname, '../../..')

/** The service with the data of the sandbox and the current documentation, for the tests of one file. */
export function useSite(): Api {
  const api = useApi({ with_story: 'usual_day' })
  beforeAll(async () => {
    await promisify(execFile)(process.execPath, ['scripts/run.js', 'build', 'docs-site'], { cwd: root })
    // Another test file may be building the same site.
    await expect.poll(async () => (await api.get('/docs/' as '/docs', { key: null })).status).toBe(200)
  })
  return api
}
