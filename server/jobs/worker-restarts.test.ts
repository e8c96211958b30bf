import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { dataFolder } from '../test/postgres/data-folder.ts'
import { restartUnderLoad, type Recovery } from '../test/service/postgres-restarts.ts'

it('keeps jobs running after fast and immediate restarts of PostgreSQL under load, and reports health', async () => {
  const folder = dataFolder('restarts')
  const recovered: Recovery['manner'][] = []
  let metrics = ''
  try {
    metrics = await restartUnderLoad(folder, 2, ({ manner }) => recovered.push(manner))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  expect(recovered).toEqual(['SIGINT', 'SIGQUIT'])
  expect(metrics).toMatch(/^job_runs_total\{task="recalculate_employer",outcome="done"\} [1-9]\d*$/m)
  expect(metrics).toMatch(/^job_run_duration_seconds_count\{task="recalculate_employer"\} [1-9]\d*$/m)
  expect(metrics).toMatch(/^jobs\{state="waiting"\} [1-9]\d*$/m)
  expect(Number(/^job_late_seconds (.*)$/m.exec(metrics)![1])).toBeGreaterThanOrEqual(1000)
  expect(metrics).toMatch(/^webhook_late_seconds 0$/m)
})
