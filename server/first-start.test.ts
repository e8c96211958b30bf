import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockHolderPriority } from './kernel/concurrency/background-thread.ts'
import { readPidFile } from '../packages/embedded-postgres/process.ts'
import { useStartedService } from './test/service/started-service.ts'

/** The service as an operator starts it. */
const { data_dir, start, startShared, ensureStarted, endShared, sandbox, call } = useStartedService('first-start')

describe('the service', () => {
  it('starts without data, writes sandbox.json, refuses a second process and stops on SIGTERM', async () => {
    const { child, url } = await startShared()
    expect((await call('GET', '/v1/employers')).body.pagination.total).toBe(6)
    expect(statSync(join(data_dir, 'sandbox.json')).mode & 0o777).toBe(0o600)
    expect(Object.keys(sandbox())).toEqual(
      expect.arrayContaining([
        'base_url',
        'organization_id',
        'api_key',
        'multi_organization_api_key',
        'super_api_key',
        'rival_api_key',
        'operator_key',
      ]),
    )
    expect(sandbox().base_url).toBe(url)

    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(String(child.pid))
    expect((await call('GET', '/v1/employers')).status).toBe(200)

    const { api_key } = sandbox()
    expect(await endShared('SIGTERM')).toBe(0)
    await startShared()
    expect(sandbox().api_key).toBe(api_key)
  })

  it.runIf(process.platform === 'linux')('lowers the priority of PostgreSQL sessions of jobs', async () => {
    await ensureStarted()
    const { pid } = readPidFile(join(data_dir, 'postgres'))!
    const nicenesses = () =>
      execFileSync('ps', ['--ppid', `${pid}`, '-o', 'ni='], { encoding: 'utf8' })
        .trim()
        .split(/\s+/)
    // Each start begins with the job of the daily run.
    await expect.poll(nicenesses).toContain(`${lockHolderPriority()}`)
    expect(nicenesses()).toContain(`${getPriority()}`)
  })
})
