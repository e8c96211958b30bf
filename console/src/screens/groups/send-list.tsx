import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { GroupMember, GroupMemberRow, Plan as PlanOf } from 'openbenefits'
import { census_fields, rowOf, type CensusLine, type RowField, type Sheet } from 'openbenefits/census-columns'
import { ob } from '../../api.ts'
import { Columns } from '../../parts/columns.tsx'
import { DropFile } from '../../parts/drop-file.tsx'
import { Loaded, Section } from '../../parts/page.tsx'
import { Plan, type Part } from '../../parts/plan.tsx'
import { readSheet } from '../../parts/sheet.ts'
import { takeFocus } from '../../parts/take-focus.ts'
import { count, inWords } from '../../parts/words.ts'
import { everyGroupMember, groupSyncs } from '../../queries.ts'
import { Failures, failuresOf, type Failure } from '../employer/census-rows.tsx'

const route = getRouteApi('/groups/$group_id')

const of_employees = ['start_date', 'termination_date', 'employee_class', 'compensation_type', 'suffix', 'gender']
const not_needed = ['email', 'address.address_line_2']

/** What a row of a group says: much of what a census does, and the plan. */
const member_fields: RowField[] = [
  ...census_fields
    .filter(({ name }) => !of_employees.includes(name))
    .map((field) => ({ ...field, needed: !not_needed.includes(field.name) })),
  { name: 'plan_id', label: 'Plan', needed: true, also: ['plan name'] },
]

/** All members of a group from a file: its columns matched, compared with who belongs to it now, and sent. */
export function SendList({ plans }: { plans: PlanOf[] }) {
  const navigate = route.useNavigate()
  const [sheet, setSheet] = useState<Sheet>()
  const [lines, setLines] = useState<CensusLine[]>()
  const close = () => void navigate({ search: (before) => ({ ...before, send: undefined }) })
  if (lines) return <Comparison lines={lines} setLines={setLines} back={() => setLines(undefined)} />
  if (sheet)
    return (
      <Columns
        sheet={sheet}
        fields={member_fields}
        take={(taken) => setLines(taken.map((line) => withPlanId(line, plans)))}
        back={() => setSheet(undefined)}
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
      <DropFile read={async (file) => setSheet(await readSheet(file))}>
        The first line names the columns. Give plans by name or id. You see who would join and leave before anything is
        sent.
      </DropFile>
    </Section>
  )
}

/** Lists name plans as people do. One that is not known stays as it is: the service says so of its row. */
const withPlanId = (line: CensusLine, plans: PlanOf[]): CensusLine => {
  const said = line.plan_id?.toLowerCase()
  const plan = plans.find(({ name }) => name.toLowerCase() === said)
  return plan ? { ...line, plan_id: plan.id } : line
}

type ComparisonProps = { lines: CensusLine[]; setLines: (lines: CensusLine[]) => void; back: () => void }

/** What a list would do to who belongs to the group now, and what the service refuses of it, to be mended in place. */
function Comparison({ lines, setLines, back }: ComparisonProps) {
  const { group_id } = route.useParams()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const present = useQuery(everyGroupMember(group_id))
  const [told, setTold] = useState({ of: lines, failures: [] as Failure[] })
  const refused = told.failures.filter(({ index }) => lines[index] === told.of[index])
  const mend = (index: number, field: string, value: string) =>
    setLines(lines.map((line, at) => (at === index ? { ...line, [field]: value } : line)))
  const send = async () => {
    try {
      const { request_id } = await ob.groups.syncMembers(group_id, { members: lines.map(rowOf<GroupMemberRow>) })
      await client.invalidateQueries({ queryKey: groupSyncs(group_id).key })
      await navigate({ search: (before) => ({ ...before, send: undefined, sync: request_id }), resetScroll: false })
    } catch (error) {
      const failures = failuresOf(error as Error)
      if (failures.length === 0) throw error
      setTold({ of: lines, failures })
    }
  }
  if (refused.length > 0)
    return (
      <Section title={`${count(refused.length, 'row')} to correct first`}>
        <div className="trouble" role="alert" tabIndex={-1} ref={takeFocus}>
          <p>Nothing was sent. Correct the rows below first.</p>
        </div>
        <Failures failures={refused} lines={lines} fields={member_fields} mend={mend} />
        <div className="form-end">
          <button type="button" className="button" onClick={back}>
            Back
          </button>
        </div>
      </Section>
    )
  return (
    <Loaded query={present} lines={4}>
      {(members) => (
        <Plan
          title={`What ${count(lines.length, 'row')} would change`}
          parts={partsOf(lines, members)}
          button={`Send the list of ${count(lines.length, 'member')}`}
          apply={send}
          back={back}
        />
      )}
    </Loaded>
  )
}

type Named = { first_name?: string; last_name?: string; reference_id?: string }

function partsOf(lines: CensusLine[], members: GroupMember[]): Part[] {
  const known = new Map(members.map((member) => [member.reference_id, member]))
  const said = new Set(lines.map(({ reference_id }) => reference_id))
  const joining = lines.filter(({ reference_id = '' }) => !known.has(reference_id))
  const staying = lines.filter(({ reference_id = '' }) => known.has(reference_id))
  const changing = staying.filter(({ reference_id = '', plan_id }) => known.get(reference_id)!.plan_id !== plan_id)
  const leaving = members.filter(({ reference_id }) => !said.has(reference_id))
  const part = (name: string, tone: Part['tone'], who: Named[]): Part => ({
    name,
    tone,
    count: who.length,
    details: <Names title={name} of={who} />,
  })
  return [
    part('missing, to leave', 'bad', leaving),
    part('to join', 'good', joining),
    part('to change their plan', 'wait', changing),
    { name: 'to stay in their plan', tone: 'over', count: staying.length - changing.length },
  ]
}

const shown_at_first = 20

function Names({ title, of }: { title: string; of: Named[] }) {
  const [most, setMost] = useState(shown_at_first)
  return (
    <>
      <h3>
        {inWords(of.length)} {title}
      </h3>
      <ul className="lines">
        {of.slice(0, most).map(({ first_name, last_name, reference_id }, at) => (
          <li key={at}>
            <span>{[first_name, last_name].filter(Boolean).join(' ')}</span>
            <span className="quiet">{reference_id}</span>
          </li>
        ))}
      </ul>
      {of.length > most && (
        <button type="button" className="button more" onClick={() => setMost(of.length)}>
          Show all {inWords(of.length)}
        </button>
      )}
    </>
  )
}
