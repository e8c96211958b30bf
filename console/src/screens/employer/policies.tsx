import { useState } from 'react'
import type { BenefitEligibilityPolicy, NewBenefitEligibilityPolicy } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { count } from '../../format.ts'
import { classesOf, policy_classes } from '../../parts/benefits/labels.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { Empty, Section, Status } from '../../parts/page/page.tsx'
import { allOf, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { policiesOf } from '../../queries.ts'

const waits: Record<string, string> = {
  none: 'None',
  first_of_following_month: 'Until the first of the next month',
  '30_days': '30 days',
  '60_days': '60 days',
}
const starts: Record<string, string> = {
  exact: 'When the waiting period is over',
  first_of_month: 'On the first of the month after it',
}

const fields: Field[] = [
  { name: 'classification', label: 'Eligible employees', options: Object.entries(policy_classes) },
  {
    name: 'waiting_period',
    label: 'Waiting period',
    options: Object.entries(waits),
    hint: 'After hire, or after moving into an eligible class.',
  },
  { name: 'start_alignment', label: 'Coverage starts', options: Object.entries(starts) },
]
const usual = { classification: 'full_time', waiting_period: 'first_of_following_month', start_alignment: 'exact' }

const columns: Column<BenefitEligibilityPolicy>[] = [
  {
    name: 'Eligible employees',
    width: 28,
    phone: 42,
    cell: (policy) => [classesOf(policy), policy.compensation_types?.join(', ')].filter(Boolean).join('; '),
  },
  { name: 'Waiting period', cell: ({ waiting_period }) => waits[waiting_period] },
  { name: 'Coverage starts', only: 'middle', width: 24, cell: ({ start_alignment }) => starts[start_alignment] },
  {
    name: 'Benefits',
    only: 'wide',
    cell: ({ benefit_ids }) => (benefit_ids.length > 0 ? count(benefit_ids.length, 'benefit') : 'All other benefits'),
  },
  {
    name: 'Status',
    width: 12,
    phone: 26,
    cell: ({ active }) => <Status of={active ? 'active' : 'archived'} tone={active ? 'good' : 'over'} />,
  },
  dateColumn('Since', 'created_at', { only: 'middle', width: 14 }),
]

/** The eligibility policies of an employer, with a form to add or replace one. */
export function Policies({ employer_id }: { employer_id: string }) {
  const policies = policiesOf(employer_id)
  const rows = useRows(policies)
  const [proposed, setProposed] = useState<Values>()
  const [typed, setTyped] = useState<Values>(usual)
  const general = allOf(rows).find(({ active, benefit_ids }) => active && benefit_ids.length === 0)
  const create = async () => {
    await ob.eligibilityPolicies.create(employer_id, proposed as NewBenefitEligibilityPolicy & Values)
    await refetch(['employers', employer_id])
  }
  return (
    <>
      <Section title="Eligibility policies">
        <Table
          label="Eligibility policies"
          columns={columns}
          rows={rows}
          empty={<Empty title="No policy yet.">No employee is eligible until a policy exists.</Empty>}
        />
      </Section>
      <Section title="New policy">
        {proposed ? (
          <Confirm
            action={general ? 'Replace policy' : 'Add policy'}
            variant="main"
            act={create}
            back={() => setProposed(undefined)}
          >
            {policy_classes[proposed['classification']!]}; waiting period:{' '}
            {waits[proposed['waiting_period']!]!.toLowerCase()}. All employees are re-evaluated within seconds. People
            may become eligible, or lose eligibility and their coverage. Webhooks report each change.{' '}
            {general && 'The current policy is archived. To restore it, add it again.'}
          </Confirm>
        ) : (
          <Form
            fields={fields}
            initial={typed}
            submit={async (values) => {
              setTyped(values)
              setProposed(values)
            }}
            button="Continue"
          />
        )}
      </Section>
    </>
  )
}
