import { inject, expect, it } from 'vitest'
import { urlOf, useApi } from '../../../test/harness.ts'
import { noon } from '../../../test/runtime.ts'
import { processStarter, randomFrom } from '../../../test/service/killed-process.ts'

/** A process is killed in the middle of an upload. Neither the document nor a piece of its file remains. */
const api = useApi()
const kills = Number(process.env.KILLS ?? 4)
const random = randomFrom(Number(process.env.KILL_SEED ?? 20261129))

const from_here = (path: string) => JSON.stringify(import.meta.resolve(path))

/** Uploads 5 MB in 20 pieces, and dies during its query number `dies_at`. */
const uploading = processStarter(`
  import { addDocument } from ${from_here('./actions.ts')}
  import { openAsFound } from ${from_here('../../../database/citus/sharding-state.ts')}
  import { serviceCaller } from ${from_here('../../../runtime/caller.ts')}
  import { inOrganization } from ${from_here('../../../runtime/runtime.ts')}
  import { testRuntime } from ${from_here('../../../test/runtime.ts')}
  process.once('message', async ({ url, keys, now, dies_at, organization_id }) => {
    const runtime = testRuntime(await openAsFound({ url }), keys, () => now)
    const content = { bytes: Buffer.alloc(5_000_000), content_type: 'application/pdf', sha256: 'none' }
    const about = { kind: 'guide', title: 'Killed', language: 'en', audience: 'employees', file_name: 'a.pdf' }
    dieAt(dies_at)
    const input = { ...about, is_required_at_election: false, content }
    await inOrganization(runtime, organization_id, (ctx) => addDocument(ctx, organization_id, input))
    process.exit(0)
  })
  process.send('loaded')`)

const remaining = () =>
  api.database.reads.row<{ documents: number; files: number; pieces: number }>(
    `select (select count(*)::int from documents) as documents, (select count(*)::int from files) as files,
            (select count(*)::int from file_pieces) as pieces`,
  )

it('keeps nothing of an upload that is killed, and all of one that ends', async () => {
  const url = await urlOf(api)
  const { organization_id } = api.story
  const upload = async (dies_at: number) => {
    const { child, loaded, ended } = uploading()
    await loaded
    child.send({ url, keys: inject('secret_keys'), now: noon('2026-03-10'), dies_at, organization_id })
    return ended
  }
  const before = await remaining()
  for (let killed = 0; killed < kills; killed++) {
    expect((await upload(5 + random(15)))[1]).toBe('SIGKILL')
    expect(await remaining()).toEqual(before)
  }
  expect(await upload(0)).toEqual([0, null])
  const { documents, files, pieces } = before!
  expect(await remaining()).toEqual({ documents: documents + 1, files: files + 1, pieces: pieces + 20 })
})
