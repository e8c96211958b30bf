import { describe, expect, it } from 'vitest'
import { plantStory } from './story.ts'
import { useApi } from './test/harness.ts'

const api = useApi()

describe('the sandbox', () => {
  it('shows an employer in every stage there is, and an employee in every state', async () => {
    const story = await plantStory(api.world)
    const key = story.api_key
    const book = (await api.get('/v1/employers?include_cancelled=true', { key })).body.data
    const stages = Object.fromEntries(book.map((row: any) => [row.name, row.benefit_lifecycle_stage.stage]))
    expect(stages).toEqual({
      'Sunrise Bakery': 'onboarding',
      'Larkspur Dental': 'onboarding',
      'Ironwood Tools': 'cancelled',
    })

    const bakery = book.find((row: any) => row.name === 'Sunrise Bakery')
    const roster = (await api.get(`/v1/employers/${bakery.id}/employees`, { key })).body.data
    expect(roster.map((row: any) => [row.first_name, row.status, row.employee_class])).toEqual([
      ['Farid', 'active', 'Full Time'],
      ['Farid', 'terminated', 'Seasonal'],
      ['Edith', 'active', 'Full Time'],
      ['Dmitri', 'terminated', 'Full Time'],
      ['Chloe', 'active', 'Full Time'],
      ['Ben', 'active', 'Part Time'],
      ['Amara', 'active', 'Full Time'],
    ])
    const theirs = (await api.get('/v1/employers', { key: story.rival_api_key })).body.data
    expect(theirs).toEqual([expect.objectContaining({ name: 'Sunrise Bakery', ein: '**-***0917' })])
  })
})
