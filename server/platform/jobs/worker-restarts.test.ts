import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restartUnderLoad, type Recovery } from '../../test/restarts.ts'

it(
  'goes on with jobs after every restart of PostgreSQL under load, fast or immediate',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openbenefits-restarts-'))
    const recovered: Recovery['manner'][] = []
    try {
      await restartUnderLoad(folder, 4, ({ manner }) => recovered.push(manner))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    expect(recovered).toEqual(['SIGINT', 'SIGQUIT', 'SIGINT', 'SIGQUIT'])
  },
)
