import { describe, expect, it } from 'vitest'
import { useApi } from '../test/harness.ts'
import type { Db } from '../database/query/database.ts'
import { processOrSplit, type IsRefused } from './refused-chunks.ts'

const api = useApi()
const sync_id = 'sync_1'
const chunk = { first_index: 4, rows: ['a', 'b'] }

const answer = (code: string) => (db: Db) => db.rows(`do $$ begin raise exception using errcode = '${code}'; end $$`)

/** Runs a step and returns the refused chunk as reported to its `splitChunk`. Undefined if nothing was reported. */
async function step(fail: (db: Db) => unknown, { taken = [chunk] as unknown[], refusals = /^2[23]/ } = {}) {
  let isRefused: IsRefused | undefined
  await processOrSplit(
    api.runtime,
    { organization_id: api.story.organization_id },
    {
      subject: 'rows',
      refusals,
      async advance(ctx, note) {
        for (const one of taken) note(sync_id, one as typeof chunk | undefined)
        await fail(ctx.db)
      },
      splitChunk: async (_, given) => void (isRefused = given),
    },
  )
  return isRefused
}

describe('splits a chunk', () => {
  it.each(['22012', '23505', '23514'])('if PostgreSQL refuses its rows with %s', async (code) => {
    expect(await step(answer(code))).toBeDefined()
  })

  it('after a timeout, if the job counts timeouts as refusals', async () => {
    expect(await step(answer('57014'), { refusals: /^57014$/ })).toBeDefined()
  })

  it.each([
    ['57014', 'a timeout, which is retried by default', {}],
    ['55P03', 'a lock that was not acquired, which is unrelated to the rows', {}],
    ['23505', 'an error before a chunk was taken', { taken: [] }],
  ])('but not for %s: %s', async (code, _, options) => {
    await expect(step(answer(code), options)).rejects.toMatchObject({ code })
  })

  it('but not if our own code fails', async () => {
    const ours = Object.assign(new TypeError('ours'), { code: '23505' })
    await expect(step(() => Promise.reject(ours))).rejects.toBe(ours)
  })

  it('but not after a success', async () => {
    expect(await step(() => undefined)).toBeUndefined()
  })
})

describe('recognizes the refused chunk:', () => {
  it.each([
    ['the same chunk', sync_id, chunk, true],
    ['a chunk of another sync', 'sync_2', chunk, false],
    ['another chunk of the same sync', sync_id, { ...chunk, first_index: 6 }, false],
    ['half of it, inserted by another job', sync_id, { ...chunk, rows: ['a'] }, false],
    ['no chunk, because another job has processed it', sync_id, undefined, false],
  ])('%s', async (_, found, next, is) => {
    const isRefused = await step(answer('23505'))
    expect(isRefused!(found, next)).toBe(is)
  })

  it('the end of a sync', async () => {
    const isRefused = await step(answer('23505'), { taken: [undefined] })
    expect([isRefused!(sync_id, undefined), isRefused!(sync_id, chunk)]).toEqual([true, false])
  })
})
