import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EmployerSettings, EmployerSettingsChanges } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { formatCount, formatDay } from '../../format.ts'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { Facts, Loaded, Section, type Tab, Tabs } from '../../parts/page/page.tsx'
import { settingsQuery } from '../../queries.ts'
import { EmployerContacts } from '../setup/contacts.tsx'
import { EmployerDetails } from './details.tsx'
import { Policies } from './policies.tsx'

const route = getRouteApi('/employers/$employer_id/settings')

const fields: Field[] = [
  {
    name: 'pay_frequency',
    label: 'Pay frequency',
    options: [
      ['weekly', 'Weekly'],
      ['bi_weekly', 'Every two weeks'],
      ['semi_monthly', 'Twice a month'],
      ['monthly', 'Monthly'],
    ],
  },
  {
    name: 'first_pay_date',
    label: 'First payday',
    kind: 'date',
    required: false,
    hint: 'Later paydays are counted from this day. Leave empty to follow the calendar.',
  },
  {
    name: 'deduction_method',
    label: 'Deduction method',
    options: [
      ['annualized', 'Annual cost in equal parts'],
      ['per_month', 'Monthly cost, split over the month’s paydays'],
    ],
  },
  {
    name: 'deductions_per_year',
    label: 'Paydays with deductions',
    options: [
      ['', 'Every payday'],
      ['24', '24 a year (every two weeks)'],
      ['48', '48 a year (weekly)'],
    ],
  },
  {
    name: 'final_deductions',
    label: 'Amount still owed at the last paycheck',
    options: [
      ['collect', 'Collect it'],
      ['waive', 'Waive it'],
    ],
  },
  {
    name: 'arrears_limit_percent',
    label: 'Arrears limit',
    kind: 'number',
    hint: 'The maximum arrears per paycheck, in percent of the regular deduction.',
  },
  {
    name: 'census_mode',
    label: 'People missing from a census',
    options: [
      ['merge', 'Keep them'],
      ['replace', 'Terminate them'],
    ],
  },
]

const toText = (value: unknown) => (value === null ? '' : String(value))

/** Sends only changed fields, because another user may have changed the rest. */
function changedSettings(before: Values, after: Values): EmployerSettingsChanges {
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name])
  const numbers = ['deductions_per_year', 'arrears_limit_percent']
  return Object.fromEntries(
    changed.map(([name, value]) => [name, value === '' ? null : numbers.includes(name) ? Number(value) : value]),
  )
}

const shown = [
  { label: 'Payroll', show: undefined },
  { label: 'Details', show: 'details' },
  { label: 'Eligibility', show: 'eligibility' },
  { label: 'Contacts', show: 'contacts' },
] as const

export function Settings() {
  const { employer_id } = route.useParams()
  const { show } = route.useSearch()
  const tabs = shown.map(({ label, show }): Tab => ({
    label,
    link: { to: '/employers/$employer_id/settings', params: { employer_id }, search: show ? { show } : {} },
  }))
  return (
    <>
      <div className="subtabs">
        <Tabs label="Settings" tabs={tabs} />
      </div>
      {show === 'details' ? (
        <EmployerDetails employer_id={employer_id} />
      ) : show === 'eligibility' ? (
        <Policies employer_id={employer_id} />
      ) : show === 'contacts' ? (
        <EmployerContacts employer_id={employer_id} />
      ) : (
        <Payroll employer_id={employer_id} />
      )}
    </>
  )
}

/** The payroll settings of an employer. */
export function Payroll({ employer_id }: { employer_id: string }) {
  const settings = useQuery(settingsQuery(employer_id))
  return (
    <Loaded query={settings} lines={10}>
      {(found) => {
        const initial = Object.fromEntries(fields.map(({ name }) => [name, toText(found[name as keyof typeof found])]))
        const save = async (values: Values) => {
          // The pay frequency is always sent, because that completes the setup of the payroll calendar.
          const { pay_frequency } = values as Pick<EmployerSettings, 'pay_frequency'>
          await ob.employers.updateSettings(employer_id, { ...changedSettings(initial, values), pay_frequency })
          await refetch(['employers', employer_id])
        }
        return (
          <>
            <Section title="Payroll">
              <Form fields={fields} initial={initial} submit={save} button="Save settings" />
            </Section>
            <Section title="Set by the operator">
              <Facts
                of={[
                  [
                    'Administered since',
                    found.administered_from ? formatDay(found.administered_from) : 'The beginning',
                  ],
                  ['Correction window', formatCount(found.correction_reach_months, 'month')],
                ]}
              />
            </Section>
          </>
        )
      }}
    </Loaded>
  )
}
