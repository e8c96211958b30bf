import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../../kernel/concurrency/time-slices.ts'
import { People, type Member } from '../../directory/people/rules.ts'
import { repetitionFinder, type GroupMemberRow } from './schemas.ts'
import { planMembers, type GroupPlanning, type GroupMemberFailure, type GroupMembership } from './rules.ts'

const aRow = (input: Partial<GroupMemberRow> = {}): GroupMemberRow => ({
  reference_id: 'A',
  first_name: 'Ada',
  last_name: 'Byron',
  email: undefined,
  phone: '2025550100',
  date_of_birth: '1990-12-10',
  address: { address_line_1: '1 A', address_line_2: null, city: 'B', state: 'NY', zipcode: '12207' },
  plan_id: 'gold',
  member_id: undefined,
  distinct: undefined,
  ...input,
})

/** An organization in memory, with its people and their present and former group memberships. */
class Organization {
  members: Member[] = []
  memberships: (GroupMembership & { left: boolean })[] = []

  present = (group_id: string) => this.memberships.filter((each) => each.group_id === group_id && !each.left)

  /** Performs a sync in chunks of two. */
  sync(group_id: string, rows: GroupMemberRow[]) {
    const references = new Set(rows.map(({ reference_id }) => reference_id))
    const removed = this.present(group_id).filter(({ reference_id }) => !references.has(reference_id))
    for (const membership of removed) membership.left = true
    const added: string[] = []
    const failures: GroupMemberFailure[] = []
    for (let at = 0; at < rows.length; at += 2) {
      const changes = runToEnd(planMembers(rows.slice(at, at + 2), at, this.planning(group_id)))
      const saved = new Map([...changes.changed_members, ...changes.new_members].map((member) => [member.id, member]))
      if (saved.size < changes.changed_members.length + changes.new_members.length) throw new Error('written twice')
      this.members = [...this.members.map((each) => saved.get(each.id) ?? each), ...changes.new_members]
      for (const changed of changes.changed)
        Object.assign(
          this.memberships.find(({ id }) => id === changed.id)!,
          changed,
        )
      this.memberships.push(...changes.added.map((each) => ({ ...each, left: false })))
      added.push(...changes.added.map(({ id }) => id))
      failures.push(...changes.failures)
    }
    return { added, removed: removed.map(({ id }) => id), failures }
  }

  planning(group_id: string): GroupPlanning {
    const former = this.memberships.filter((each) => each.group_id === group_id && each.left)
    const distinct = new Map(former.map((each) => [`${each.reference_id}|${each.member_id}`, each]))
    return {
      group_id,
      people: new People(this.members),
      plan_ids: new Set(['gold', 'silver']),
      by_reference: new Map(this.present(group_id).map((each) => [each.reference_id, each])),
      by_member: new Map(this.memberships.filter(({ left }) => !left).map((each) => [each.member_id, each])),
      former: Map.groupBy(distinct.values(), ({ reference_id }) => reference_id),
      today: '2026-03-10',
    }
  }
}

it('names every row that repeats the reference of an earlier one', () => {
  const rows = ['A', 'B', 'A', 'A'].map((reference_id) => aRow({ reference_id }))
  const findFault = repetitionFinder()
  expect(rows.flatMap((row, at) => findFault(row, at) ?? [])).toEqual([
    { field: 'members[2].reference_id', message: 'is the same as in row 1' },
    { field: 'members[3].reference_id', message: 'is the same as in row 1' },
  ])
})

describe('a row of a group', () => {
  it.each([
    ['under_18', { date_of_birth: '2008-03-11' }],
    ['unknown_state', { address: { ...aRow().address, state: 'ZZ' } }],
    ['plan_not_found', { plan_id: 'none' }],
  ] as const)('fails with %s', (reason, input) => {
    const { failures, added } = new Organization().sync('g', [aRow(input)])
    expect([failures, added]).toEqual([[{ index: 0, operation: 'add', reason, reference_id: 'A' }], []])
  })

  it('fails if its reference leads to several people who had it and none matches better', () => {
    const organization = new Organization()
    const twin = { date_of_birth: '1991-01-01', phone: '2025550101', first_name: 'Eva' }
    const ada = aRow({ email: 'ada@example.com' })
    organization.sync('g', [ada])
    organization.sync('g', [])
    // Both had the reference. The first name matches Eva, and the email matches Ada.
    organization.members.push({ ...organization.members[0]!, ...twin, id: 'eva', email: null })
    organization.memberships.push({
      id: 'm',
      group_id: 'g',
      member_id: 'eva',
      reference_id: 'A',
      plan_id: 'gold',
      left: true,
    })
    expect(organization.sync('g', [ada]).failures).toEqual([])
    organization.sync('g', [])
    expect(organization.sync('g', [{ ...ada, first_name: 'Eva' }]).failures).toMatchObject([
      { reason: 'ambiguous_person' },
    ])
  })
})

describe('a sequence of syncs of two groups', () => {
  const row = fc.record({
    reference_id: fc.constantFrom('A', 'B', 'C', 'D'),
    first_name: fc.constantFrom('Ada', 'Eva'),
    last_name: fc.constantFrom('Byron', 'Curie'),
    email: fc.constantFrom(undefined, 'a@example.com', 'A@example.com', 'b@example.com'),
    phone: fc.constantFrom('2025550100', '2025550101', '2025550102', '2025550103'),
    date_of_birth: fc.constantFrom('1990-12-10', '1991-01-01', '2010-01-01'),
    plan_id: fc.constantFrom('gold', 'silver', 'none'),
  })
  const body = fc
    .uniqueArray(row, { selector: ({ reference_id }) => reference_id, maxLength: 4 })
    .map((rows) => rows.map(aRow))
  const syncs = fc.array(fc.tuple(fc.constantFrom('g', 'h'), body), { maxLength: 12 })

  it('leaves each group as its body requires except for failures, and duplicates no person', () => {
    fc.assert(
      fc.property(syncs, (all) => {
        const organization = new Organization()
        for (const [group_id, rows] of all) {
          const before = organization.present(group_id).map(({ id }) => id)
          const { added, removed, failures } = organization.sync(group_id, rows)
          const present = organization.present(group_id)
          expect(present.map(({ id }) => id).toSorted()).toEqual(
            [...before.filter((id) => !removed.includes(id)), ...added].toSorted(),
          )
          const failed = new Set(failures.map(({ reference_id }) => reference_id))
          const input = new Map(rows.map((each) => [each.reference_id, each]))
          for (const { reference_id } of present) expect(input.has(reference_id)).toBe(true)
          for (const { reference_id, plan_id } of rows.filter((each) => !failed.has(each.reference_id)))
            expect(present.find((each) => each.reference_id === reference_id)?.plan_id).toBe(plan_id)
          expectUnique(organization)
          // Submitting the same body again adds and removes no member. A row that failed may succeed because a later
          // one has changed, so bodies with failures are skipped.
          if (failures.length > 0) continue
          const again = organization.sync(group_id, rows)
          expect([again.added, again.removed]).toEqual([[], []])
        }
      }),
      { numRuns: 500 },
    )
  })

  /** Checks the unique indexes of the database. */
  function expectUnique({ members, memberships }: Organization): void {
    const present = memberships.filter(({ left }) => !left)
    for (const values of [
      members.flatMap(({ email }) => email?.toLowerCase() ?? []),
      members.map(({ phone }) => phone),
      present.map(({ member_id }) => member_id),
      present.map(({ group_id, reference_id }) => `${group_id}|${reference_id}`),
    ])
      expect(new Set(values).size).toBe(values.length)
  }
})
