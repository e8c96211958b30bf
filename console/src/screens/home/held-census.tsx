import { useQuery } from '@tanstack/react-query'
import type { CensusSyncId, PartnerTask } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { refreshLater } from '../../parts/form/use-action.ts'
import { Loaded } from '../../parts/page/page.tsx'
import { TerminateMissing } from '../../parts/roster/people-list.tsx'
import { censusQuery } from '../../queries.ts'

type HeldCensusProps = { of: PartnerTask; close: () => void }

/** The people whom a held census would terminate, with the confirmation, next to its task. */
export function HeldCensus({ of: { employer_id, resource_id, people_count }, close }: HeldCensusProps) {
  const held = useQuery(censusQuery(employer_id!, resource_id))
  const act = async () => {
    await ob.census.confirm(employer_id!, resource_id as CensusSyncId)
    const refresh = () => refetch(['tasks'])
    refreshLater(refresh)
    await refresh()
  }
  return (
    <Loaded query={held} lines={2}>
      {({ missing }) => <TerminateMissing missing={missing} missing_count={people_count ?? 0} act={act} back={close} />}
    </Loaded>
  )
}
