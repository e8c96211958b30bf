import { expect, it } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { codeOf } from '../test/response.ts'
import { useApi } from '../test/harness.ts'

const api = useApi({ organization_headers: ['x-organization'] })

const list = (headers: Record<string, string>) =>
  api.get('/v1/employers', { key: api.story.multi_organization_api_key, headers })

it('accepts the organization in another header that a setting names', async () => {
  const { organization_id, rival_organization_id } = api.story
  expect(codeOf(await list({}))).toEqual([400, 'organization_required'])
  expect((await list({ 'x-organization': organization_id })).status).toBe(200)
  expect((await list({ 'x-organization': organization_id, 'x-service-organization': organization_id })).status).toBe(
    200,
  )
  expect(codeOf(await list({ 'x-organization': newId('org') }))).toEqual([403, 'organization_access_denied'])
  expect(codeOf(await list({ 'x-organization': 'Harbor' }))).toEqual([400, 'invalid_organization_header'])
  const both = { 'x-organization': organization_id, 'x-service-organization': rival_organization_id }
  expect(codeOf(await list(both))).toEqual([400, 'invalid_organization_header'])
})
