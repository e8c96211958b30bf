import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { GroupMember, GroupMemberRow, Plan as PlanOf } from 'openbenefits'
import { census_fields, type CensusLine, type RowFailure, type RowField, rowOf } from 'openbenefits/census-columns'
import { ob, refetch } from '../../api.ts'
import { formatCount } from '../../format.ts'
import { type PlannedChange, ChangePlan } from '../../parts/form/change-plan.tsx'
import { takeFocus } from '../../parts/page/interaction.ts'
import { Loaded, Section } from '../../parts/page/page.tsx'
import { ColumnMapping } from '../../parts/roster/column-mapping.tsx'
import { useDraft } from '../../parts/roster/draft-storage.ts'
import { PeopleNames } from '../../parts/roster/people-list.tsx'
import {
  downloadRows,
  newDraft,
  isUnresolved,
  censusLines,
  type RosterDraft,
  rowsToSend,
} from '../../parts/roster/roster-draft.ts'
import { RosterUpload } from '../../parts/roster/roster-upload.tsx'
import { allGroupMembersQuery, groupSyncsList } from './queries.ts'
import { RowFailures, rowFailures, SkippedRows } from '../census/census-rows.tsx'

const route = getRouteApi('/groups/$group_id')

const of_employees = [
  'start_date',
  'termination_date',
  'employee_class',
  'compensation_type',
  'bargaining_unit',
  'suffix',
  'gender',
]
const not_needed = ['email', 'address.address_line_2']

/** The columns of a member file: most columns of a census, and the plan. */
const member_fields: RowField[] = [
  ...census_fields
    .filter(({ name }) => !of_employees.includes(name))
    .map((field) => ({ ...field, needed: !not_needed.includes(field.name) })),
  { name: 'plan_id', label: 'Plan', needed: true, also: ['plan name'] },
]

/** Uploads all members of a group: maps columns, compares with the current members, and sends the list. */
export function GroupListUpload({ plans }: { plans: PlanOf[] }) {
  const { group_id } = route.useParams()
  const navigate = route.useNavigate()
  const [draft, setDraft] = useDraft(group_id)
  const [is_matched, setMatched] = useState(false)
  const close = () => void navigate({ search: (before) => ({ ...before, send: undefined }) })
  if (draft && is_matched)
    return <ListComparison plans={plans} draft={draft} setDraft={setDraft} back={() => setMatched(false)} />
  if (draft)
    return (
      <ColumnMapping
        draft={draft}
        setDraft={setDraft}
        fields={member_fields}
        next="Preview changes"
        take={() => setMatched(true)}
        back={() => setDraft(undefined)}
      />
    )
  return (
    <Section
      title="Upload all members"
      actions={
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <RosterUpload fields={member_fields} take={(spreadsheet) => setDraft(newDraft(spreadsheet, member_fields))}>
        The first line must contain the column names. Identify plans by name or id. You can review who would join or
        leave before anything is sent.
      </RosterUpload>
    </Section>
  )
}

/** Replaces plan names with ids. Unknown names stay unchanged, and the service refuses their rows. */
const resolvePlan = (line: CensusLine, plans: PlanOf[]): CensusLine => {
  const plan_name = line.plan_id?.toLowerCase()
  const plan = plans.find(({ name }) => name.toLowerCase() === plan_name)
  return plan ? { ...line, plan_id: plan.id } : line
}

type ComparisonProps = {
  plans: PlanOf[]
  draft: RosterDraft
  setDraft: (draft: RosterDraft | undefined) => void
  back: () => void
}

/** Previews the changes of a list, and lets the user correct refused rows. */
function ListComparison({ plans, draft, setDraft, back }: ComparisonProps) {
  const { group_id } = route.useParams()
  const navigate = route.useNavigate()
  const present = useQuery(allGroupMembersQuery(group_id))
  const all = useMemo(() => censusLines(draft).map((line) => resolvePlan(line, plans)), [draft, plans])
  const sent = rowsToSend(draft)
  const lines = sent.map((index) => all[index]!)
  const [rejection, setRejection] = useState({ of: draft, failures: [] as RowFailure[] })
  const refused = rejection.failures.filter((one) => isUnresolved(one, rejection.of, draft))
  const send = async () => {
    try {
      const { request_id } = await ob.groups.syncMembers(group_id, { members: lines.map(rowOf<GroupMemberRow>) })
      await refetch(groupSyncsList(group_id).key)
      await navigate({ search: (before) => ({ ...before, send: undefined, sync: request_id }), resetScroll: false })
      setDraft(undefined)
    } catch (error) {
      const failures = rowFailures(error as Error, sent)
      if (failures.length === 0) throw error
      setRejection({ of: draft, failures })
    }
  }
  if (refused.length > 0)
    return (
      <Section title={`${formatCount(refused.length, 'row')} to correct first`}>
        <div className="trouble" role="alert" tabIndex={-1} ref={takeFocus}>
          <p>No members were changed. Correct the rows below first.</p>
        </div>
        <SkippedRows draft={draft} change={setDraft} />
        <RowFailures failures={refused} lines={all} fields={member_fields} draft={draft} change={setDraft} />
        <div className="form-end">
          <button type="button" className="button" onClick={() => downloadRows(draft, 'failures', refused)}>
            Download as CSV
          </button>
          <button type="button" className="button" onClick={back}>
            Back
          </button>
        </div>
      </Section>
    )
  return (
    <Loaded query={present} lines={4}>
      {(members) => (
        <ChangePlan
          title={`Changes from ${formatCount(lines.length, 'row')}`}
          parts={plannedChanges(lines, members)}
          button={`Send the list of ${formatCount(lines.length, 'member')}`}
          ends={describeEnds(leavingMembers(lines, members).length)}
          apply={send}
          back={back}
        />
      )}
    </Loaded>
  )
}

function leavingMembers(lines: CensusLine[], members: GroupMember[]): GroupMember[] {
  const listed = new Set(lines.map(({ reference_id }) => reference_id))
  return members.filter(({ reference_id }) => !listed.has(reference_id))
}

/** Members missing from the list leave the group. */
const describeEnds = (people: number) =>
  people > 0
    ? {
        people,
        consequence: `${formatCount(people, 'person', 'people')} named above will leave the group.`,
      }
    : undefined

function plannedChanges(lines: CensusLine[], members: GroupMember[]): PlannedChange[] {
  const known = new Map(members.map((member) => [member.reference_id, member]))
  const joining = lines.filter(({ reference_id = '' }) => !known.has(reference_id))
  const staying = lines.filter(({ reference_id = '' }) => known.has(reference_id))
  const changing = staying.filter(({ reference_id = '', plan_id }) => known.get(reference_id)!.plan_id !== plan_id)
  const part = (name: string, tone: PlannedChange['tone'], who: (CensusLine | GroupMember)[]): PlannedChange => ({
    name,
    tone,
    count: who.length,
    details: <PeopleNames title={name} of={who} />,
  })
  return [
    part('missing, will leave', 'bad', leavingMembers(lines, members)),
    part('will join', 'good', joining),
    part('will change plans', 'wait', changing),
    { name: 'unchanged', tone: 'over', count: staying.length - changing.length },
  ]
}
