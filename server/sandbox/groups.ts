import type { z } from 'zod'
import { createGroup, submitGroupMembers } from '../modules/roster/groups/actions.ts'
import { chunk_size, GroupMemberSubmission, NewGroup, type GroupMemberRow } from '../modules/roster/groups/schemas.ts'
import type { Day } from '../kernel/days.ts'
import { stageRows } from '../kernel/concurrency/staged-rows.ts'
import type { CatalogIds } from './catalog.ts'
import type { Timeline } from './timeline.ts'

type GroupRowSent = z.input<typeof GroupMemberRow>

/** A group in a timeline: created once, then synchronized with all its members any number of times. */
class Group {
  readonly #timeline: Timeline
  #id = ''

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  isFounded(day: Day, input: z.input<typeof NewGroup>): void {
    const { organization_id } = this.#timeline
    this.#timeline.on(
      day,
      async (ctx) => void (this.#id = await createGroup(ctx, organization_id, NewGroup.parse(input))),
    )
  }

  has(day: Day, members: GroupRowSent[]): void {
    const { organization_id } = this.#timeline
    this.#timeline.on(day, (ctx) => {
      const group = { organization_id, group_id: this.#id }
      const checked = GroupMemberSubmission.parse({ members })
      return submitGroupMembers(ctx, group, stageRows(checked.members, chunk_size))
    })
  }
}

const winters = { city: 'Winters', state: 'CA', zipcode: '95694' }

/** The growers are a group without an employer. One member also works at the clinic, and one has left. */
export function timelineOfTheGrowers(timeline: Timeline, catalog_ids: CatalogIds): void {
  const plan = (name: string) => catalog_ids.plans.get(name)!.plan_id
  const [anton, nora, rosa, yusuf]: [GroupRowSent, GroupRowSent, GroupRowSent, GroupRowSent] = [
    {
      reference_id: 'VG-001',
      first_name: 'Anton',
      last_name: 'Berg',
      phone: '5305550101',
      date_of_birth: '1961-09-03',
      address: { address_line_1: '1 Orchard Way', ...winters },
      plan_id: plan('Essential Care Base'),
    },
    {
      reference_id: 'VG-002',
      first_name: 'Nora',
      last_name: 'Castellano',
      email: 'nora.castellano@example.com',
      phone: '5305550102',
      date_of_birth: '1984-06-30',
      address: { address_line_1: '4 Orchard Way', ...winters },
      plan_id: plan('Essential Care Base'),
    },
    {
      reference_id: 'VG-003',
      first_name: 'Rosa',
      last_name: 'Quist',
      email: 'rosa.quist@example.com',
      phone: '6085550103',
      date_of_birth: '1977-01-31',
      address: { address_line_1: '7 Lakeside Rd', city: 'Madison', state: 'WI', zipcode: '53703' },
      plan_id: plan('Clearview Basic'),
    },
    {
      reference_id: 'VG-004',
      first_name: 'Yusuf',
      last_name: 'Demir',
      phone: '5305550104',
      date_of_birth: '1993-11-12',
      address: { address_line_1: '22 Creek Ln', ...winters },
      plan_id: plan('Nearby Anytime'),
    },
  ]
  const growers = new Group(timeline)
  growers.isFounded(timeline.day(-6, 4), {
    external_reference_id: 'VALLEY-GROWERS',
    name: 'Valley Growers Cooperative',
  })
  growers.has(timeline.day(-6, 5), [anton, nora, rosa])
  const too_young: GroupRowSent = {
    ...yusuf,
    reference_id: 'VG-005',
    first_name: 'Leyla',
    date_of_birth: timeline.ago(5000),
  }
  growers.has(timeline.day(-2, 3), [nora, { ...rosa, plan_id: plan('Brightside PPO') }, yusuf, too_young])
}
