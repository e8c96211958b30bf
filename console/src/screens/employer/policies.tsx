import { useState } from 'react'
import type { BenefitEligibilityPolicy, NewBenefitEligibilityPolicy } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount, toSentence } from '../../format.ts'
import { describeClasses, policy_classes } from '../../parts/benefits/labels.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { type Field, Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { Empty, Section, Status } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { policiesQuery } from '../../queries.ts'

const waiting_period_labels: Record<string, string> = {
  none: 'None',
  first_of_following_month: 'Until the first of the next month',
  '30_days': '30 days',
  '60_days': '60 days',
}
const start_alignment_labels: Record<string, string> = {
  exact: 'When the waiting period is over',
  first_of_month: 'On the first of the month after it',
}

const fields: Field[] = [
  { name: 'classification', label: 'Eligible employees', options: Object.entries(policy_classes) },
  {
    name: 'waiting_period',
    label: 'Waiting period',
    options: Object.entries(waiting_period_labels),
    hint: 'After hire, or after moving into an eligible class.',
  },
  { name: 'start_alignment', label: 'Coverage starts', options: Object.entries(start_alignment_labels) },
]
/** The service credit of policies that do not set one. */
const default_credit_weeks = 13
const default_values = {
  classification: 'full_time',
  waiting_period: 'first_of_following_month',
  start_alignment: 'exact',
}

const describeEligible = (policy: BenefitEligibilityPolicy) =>
  [describeClasses(policy), policy.compensation_types?.join(', ')].filter(Boolean).join('; ')
const describeBenefits = ({ benefit_ids }: BenefitEligibilityPolicy) =>
  benefit_ids.length > 0 ? formatCount(benefit_ids.length, 'benefit') : 'All other benefits'
const statusOf = ({ active }: BenefitEligibilityPolicy) => (active ? 'active' : 'archived')

/** Whether a policy of the form equals an existing one, whose other settings are the defaults of the service. */
const isSamePolicy = (policy: BenefitEligibilityPolicy, { classification, waiting_period, start_alignment }: Values) =>
  policy.classification === classification &&
  policy.waiting_period === waiting_period &&
  policy.start_alignment === start_alignment &&
  describeClasses(policy) === policy_classes[classification] &&
  policy.compensation_types === null &&
  policy.service_credit_weeks === default_credit_weeks &&
  policy.eligibility_basis === 'employee_class'

const columns: Column<BenefitEligibilityPolicy>[] = [
  { name: 'Eligible employees', width: 28, phone: 42, cell: describeEligible },
  { name: 'Waiting period', cell: ({ waiting_period }) => waiting_period_labels[waiting_period] },
  {
    name: 'Coverage starts',
    only: 'middle',
    width: 24,
    cell: ({ start_alignment }) => start_alignment_labels[start_alignment],
  },
  { name: 'Benefits', only: 'wide', cell: describeBenefits },
  {
    name: 'Status',
    width: 12,
    phone: 26,
    cell: (policy) => <Status of={statusOf(policy)} tone={policy.active ? 'good' : 'over'} />,
  },
  dateColumn('Since', 'created_at', { only: 'middle', width: 14 }),
]

const exported: ExportColumn<BenefitEligibilityPolicy>[] = [
  { name: 'Eligible employees', of: describeEligible },
  { name: 'Waiting period', of: ({ waiting_period }) => waiting_period_labels[waiting_period] },
  { name: 'Coverage starts', of: ({ start_alignment }) => start_alignment_labels[start_alignment] },
  { name: 'Benefits', of: describeBenefits },
  { name: 'Status', of: (policy) => toSentence(statusOf(policy)) },
  { name: 'Since', of: ({ created_at }) => created_at },
]

/** The eligibility policies of an employer, with a form to add or replace one. */
export function Policies({ employer_id }: { employer_id: string }) {
  const policies = policiesQuery(employer_id)
  const rows = useRows(policies)
  const [proposed, setProposed] = useState<Values>()
  const [typed, setTyped] = useState<Values>(default_values)
  const general = loadedRows(rows).find(({ active, benefit_ids }) => active && benefit_ids.length === 0)
  const create = async () => {
    await ob.eligibilityPolicies.create(employer_id, proposed as NewBenefitEligibilityPolicy & Values)
    await refetch(['employers', employer_id])
  }
  return (
    <>
      <Section
        title="Eligibility policies"
        actions={<Export name="eligibility-policies" list={policies} columns={exported} />}
      >
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
            {waiting_period_labels[proposed['waiting_period']!]!.toLowerCase()}. All employees are re-evaluated within
            seconds. Some may become eligible, or lose eligibility and coverage. Webhooks report each change.{' '}
            {general && 'The current policy is archived. To restore it, add it again.'}
          </Confirm>
        ) : (
          <Form
            fields={fields}
            initial={typed}
            submit={async (values) => {
              setTyped(values)
              if (general && isSamePolicy(general, values))
                throw new FieldError(
                  'classification',
                  'and the other answers equal the active policy. Change one to replace it.',
                )
              setProposed(values)
            }}
            button="Continue"
          />
        )}
      </Section>
    </>
  )
}
