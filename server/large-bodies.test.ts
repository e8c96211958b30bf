import { expect, it } from 'vitest'
import { large_bodies } from './large-bodies.ts'
import { endpoints } from './modules.ts'

it('the thread that checks bodies knows each that is checked there, as its operation takes it', () => {
  const checked = endpoints.filter(({ rows, large }) => rows !== undefined || large === true)
  expect(Object.keys(large_bodies)).toEqual(checked.map(({ operation }) => operation).toSorted())
  for (const endpoint of checked) {
    const { body, ...sent } = large_bodies[endpoint.operation]!
    expect(endpoint.body).toBe(body)
    expect(endpoint).toMatchObject(sent)
  }
})
