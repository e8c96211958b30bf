import { expect, it } from 'vitest'
import { large_bodies } from './large-bodies.ts'
import { endpoints } from './modules.ts'

it('the validation thread has the schemas of all large bodies', () => {
  const validated_in_thread = endpoints.filter(({ rows, large }) => rows !== undefined || large === true)
  expect(Object.keys(large_bodies)).toEqual(validated_in_thread.map(({ operation }) => operation).toSorted())
  for (const endpoint of validated_in_thread) {
    const { body, ...sent } = large_bodies[endpoint.operation]!
    expect(endpoint.body).toBe(body)
    expect(endpoint).toMatchObject(sent)
  }
})
