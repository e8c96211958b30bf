import { describe, expect, it } from 'vitest'
import { useApi } from '../test/harness.ts'
import type { Db } from '../database/query/database.ts'
import { advanceOrTakeApart, type IsRefused } from './refused-chunks.ts'

const api = useApi()
const sync = { id: 'sync_1' }
const chunk = { first_index: 4, rows: ['a', 'b'] }

const answer = (code: string) => (db: Db) => db.rows(`do $$ begin raise exception using errcode = '${code}'; end $$`)

/** Takes a step, and returns by what its work is told which chunk was refused; undefined: it was not told. */
async function step(fail: (db: Db) => unknown, { taken = [chunk] as unknown[], refusals = /^2[23]/ } = {}) {
  let isRefused: IsRefused | undefined
  await advanceOrTakeApart(
    api.runtime,
    { organization_id: api.story.organization_id },
    {
      what: 'rows',
      refusals,
      async advance(ctx, note) {
        for (const one of taken) note(sync, one as typeof chunk | undefined)
        await fail(ctx.db)
      },
      takeApart: async (_, given) => void (isRefused = given),
    },
  )
  return isRefused
}

describe('a chunk is taken apart', () => {
  it.each(['22012', '23505', '23514'])('where PostgreSQL refuses its rows with %s', async (code) => {
    expect(await step(answer(code))).toBeDefined()
  })

  it('where it took too long, if the work says so', async () => {
    expect(await step(answer('57014'), { refusals: /^57014$/ })).toBeDefined()
  })

  it.each([
    ['57014', 'what takes too long is tried again unless said', {}],
    ['55P03', 'a lock that was not had says nothing of rows', {}],
    ['23505', 'nothing was taken yet', { taken: [] }],
  ])('but not with %s: %s', async (code, _, options) => {
    await expect(step(answer(code), options)).rejects.toMatchObject({ code })
  })

  it('but not when our own code fails', async () => {
    const ours = Object.assign(new TypeError('ours'), { code: '23505' })
    await expect(step(() => Promise.reject(ours))).rejects.toBe(ours)
  })

  it('but not when all went well', async () => {
    expect(await step(() => undefined)).toBeUndefined()
  })
})

describe('what was refused is known:', () => {
  it.each([
    ['the same chunk', sync, chunk, true],
    ['one of another sync', { id: 'sync_2' }, chunk, false],
    ['another of the sync', sync, { ...chunk, first_index: 6 }, false],
    ['half of it, put back by another job', sync, { ...chunk, rows: ['a'] }, false],
    ['no chunk, since another job was here first', sync, undefined, false],
  ])('%s', async (_, found, next, is) => {
    const isRefused = await step(answer('23505'))
    expect(isRefused!(found, next)).toBe(is)
  })

  it('the end of a sync', async () => {
    const isRefused = await step(answer('23505'), { taken: [undefined] })
    expect([isRefused!(sync, undefined), isRefused!(sync, chunk)]).toEqual([true, false])
  })
})
