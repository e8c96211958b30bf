import type { Ctx } from './ctx.ts'
import { newId } from './ids.ts'

/** The facts that receivers of webhooks may learn (decisions.md, section 8). */
export type EventName =
  | 'employer.created'
  | 'employer.updated'
  | 'employer.eligibility_policy_created'
  | 'employee.created'
  | 'employee.updated'
  | 'employee.eligibility_granted'
  | 'employee.eligibility_terminated'
  | 'employee.deactivated'
  | 'employee.rehired'
  | 'employee.deduction_created'
  | 'enrollment.granted'
  | 'enrollment.started'
  | 'enrollment.elected'
  | 'enrollment.accepted'
  | 'enrollment.waived'
  | 'enrollment.terminated'
  | 'enrollment.termination_rescheduled'
  | 'census_sync.completed'
  | 'group_member_sync.completed'
  | 'invoice.issued'

export type Fact = { event_name: EventName; organization_id: string; resource_id: string }

/**
 * Writes events in the transaction of the change they tell of, in the order given. The sequence counts per
 * resource; whoever changes a resource holds its lock, so two transactions never take the same number.
 */
export async function recordEvents(ctx: Ctx, facts: Fact[]): Promise<void> {
  if (facts.length === 0) return
  await ctx.db.rows(
    `insert into webhook_events (id, organization_id, event_name, resource_type, resource_id, sequence, created_at)
     select fact.id, fact.organization_id, fact.event_name, split_part(fact.event_name, '.', 1), fact.resource_id,
            coalesce((select max(sequence) from webhook_events as earlier
                       where earlier.organization_id = fact.organization_id and earlier.resource_id = fact.resource_id), 0)
              + row_number() over (partition by fact.resource_id order by fact.position),
            $5
       from unnest($1::text[], $2::text[], $3::text[], $4::text[])
            with ordinality as fact (id, organization_id, event_name, resource_id, position)
      order by fact.position`,
    [
      facts.map(() => newId('wevt')),
      facts.map((fact) => fact.organization_id),
      facts.map((fact) => fact.event_name),
      facts.map((fact) => fact.resource_id),
      ctx.now,
    ],
  )
}
