import { rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { dataFolder } from '../../test/folders.ts'
import { restartUnderLoad, type Recovery } from '../../test/restarts.ts'

it(
  'goes on with jobs after every restart of PostgreSQL under load, fast or immediate',
  { timeout: 120_000 },
  async () => {
    const folder = dataFolder('restarts')
    const recovered: Recovery['manner'][] = []
    try {
      await restartUnderLoad(folder, 2, ({ manner }) => recovered.push(manner))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    expect(recovered).toEqual(['SIGINT', 'SIGQUIT'])
  },
)
