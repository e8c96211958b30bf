import { expect, it } from 'vitest'
import { createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'

const api = useApi()

it('pages of two organizations that one key reads do not share anchors', async () => {
  const { organization_id, rival_organization_id, multi_organization_api_key: key } = api.story
  const at = (id: string) => ({ key, headers: { 'x-service-organization': id } })
  const names = async (id: string, page: number) => {
    const { status, body, text } = await api.get(`/v1/employers?limit=2&page=${page}`, at(id))
    expect(status, text).toBe(200)
    return body.data.map(({ name }) => name)
  }
  for (const name of ['Rival C', 'Rival B', 'Rival A']) {
    api.wait(1000)
    await createEmployer(api, { name }, at(rival_organization_id))
  }
  for (const name of ['Harbor D', 'Harbor C', 'Harbor B', 'Harbor A']) {
    api.wait(1000)
    await createEmployer(api, { name }, at(organization_id))
  }
  expect(await names(organization_id, 1)).toEqual(['Harbor A', 'Harbor B'])
  expect(await names(rival_organization_id, 2)).toEqual(['Rival C'])
  expect(await names(rival_organization_id, 1)).toEqual(['Rival A', 'Rival B'])
  expect(await names(organization_id, 2)).toEqual(['Harbor C', 'Harbor D'])
})
