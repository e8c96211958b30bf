import { useState } from 'react'
import type { Form1095c, TaxFacts } from 'openbenefits'
import { ob, refetch } from '../../../api.ts'
import { parseDollars, formatDollars, fullName } from '../../../format.ts'
import { Form, type Values, FieldError } from '../../../parts/form/form.tsx'
import { useAction } from '../../../parts/form/use-action.ts'
import { ErrorMessage } from '../../../parts/page/page.tsx'
import { month_options, lines, formatMonthRanges, formatLine } from './lines.ts'
import { acaKey } from '../queries.ts'

type Period = TaxFacts['continuation_coverage'][number]

const coveredMonths = (form: Form1095c, person_id: string): number[] =>
  form.covered_people
    .filter((one) => one.person_id === person_id)
    .flatMap(({ months }) => months.flatMap((is_covered, at) => (is_covered ? [at + 1] : [])))

/** The differences between a form and the same form with other tax facts. */
function describeChanges(before: Form1095c, after: Form1095c): string[] {
  const cells = lines.flatMap(({ line, name }) =>
    after.months.flatMap((month, at) => {
      const [from, to] = [formatLine(before.months[at]!, line), formatLine(month, line)]
      return from === to ? [] : [{ change: `Line ${name}: ${from} becomes ${to}`, month: month.month }]
    }),
  )
  const by_change = Map.groupBy(cells, ({ change }) => change)
  const people = new Map(
    [...before.covered_people, ...after.covered_people].map((one) => [one.person_id, fullName(one)]),
  )
  const covered = [...people].flatMap(([id, name]) => {
    const [from, to] = [coveredMonths(before, id), coveredMonths(after, id)]
    return from.join() === to.join()
      ? []
      : [`Covered, ${name}: ${formatMonthRanges(from)} becomes ${formatMonthRanges(to)}`]
  })
  return [
    ...[...by_change].map(([change, found]) => `${change} (${formatMonthRanges(found.map(({ month }) => month))})`),
    ...covered,
  ]
}

/** The periods of COBRA in the year of a form, and a form to add one, with a preview of what changes. */
export function CobraPeriods({ of: form }: { of: Form1095c }) {
  const [previewed, setPreviewed] = useState<{ periods: Period[]; form: Form1095c }>()
  // The preview replaces the form, so the entries are kept until they are saved.
  const [typed, setTyped] = useState<Values>()
  const { continuation_coverage: periods } = form.tax_facts
  const update = (continuation_coverage: Period[], dry_run: boolean) =>
    ob.employees.updateTaxFacts(form.employee_id, { tax_year: form.tax_year, continuation_coverage, dry_run })
  const show = async (chosen: Period[]) => setPreviewed({ periods: chosen, form: await update(chosen, true) })
  const removal = useAction({ mutationFn: show })
  const save = useAction({
    mutationFn: async (chosen: Period[]) => {
      await update(chosen, false)
      await refetch(acaKey(form.employer_id))
      setPreviewed(undefined)
      setTyped(undefined)
    },
  })
  return (
    <section className="override" aria-label="COBRA">
      <h3>COBRA in {form.tax_year}</h3>
      {periods.map((period) => (
        <p key={period.months.join()}>
          {describePeriod(period)}{' '}
          <button
            type="button"
            className="plain"
            onClick={() => removal.mutate(periods.filter((one) => one !== period))}
          >
            Remove
          </button>
        </p>
      ))}
      {removal.error && <ErrorMessage error={removal.error} />}
      {previewed ? (
        <>
          <FormChanges before={form} after={previewed.form} />
          {save.error && <ErrorMessage error={save.error} />}
          <p className="section-actions">
            <button
              type="button"
              className="button main"
              disabled={save.isPending}
              onClick={() => save.mutate(previewed.periods)}
            >
              Save COBRA
            </button>
            <button type="button" className="button" onClick={() => setPreviewed(undefined)}>
              Change
            </button>
          </p>
        </>
      ) : (
        <NewPeriodForm
          initial={typed ?? { is_enrolled: 'yes' }}
          preview={async (period, values) => {
            await show([...periods, period])
            setTyped(values)
          }}
        />
      )}
    </section>
  )
}

const describePeriod = ({ months, is_enrolled, monthly_premium_in_cents }: Period): string =>
  `${formatMonthRanges(months)}: ${is_enrolled ? 'elected' : 'declined'}, ` +
  `${formatDollars(monthly_premium_in_cents)} a month.`

function FormChanges({ before, after }: { before: Form1095c; after: Form1095c }) {
  const changes = describeChanges(before, after)
  if (changes.length === 0) return <p role="status">The form does not change.</p>
  return (
    <div role="status">
      <p>Changes on the form:</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
    </div>
  )
}

type NewPeriodProps = { initial: Values; preview: (period: Period, values: Values) => Promise<unknown> }

const NewPeriodForm = ({ initial, preview }: NewPeriodProps) => (
  <Form
    fields={[
      {
        name: 'continuation_coverage',
        label: 'Months of COBRA',
        kind: 'several',
        options: month_options,
        hint: 'It continues the last elected medical coverage before these months, with the same people.',
      },
      {
        name: 'is_enrolled',
        label: 'Election',
        options: [
          ['yes', 'The employee elected COBRA'],
          ['no', 'The employee declined COBRA'],
        ],
      },
      { name: 'premium', label: 'Monthly premium for the employee alone', hint: 'In dollars.' },
    ]}
    initial={initial}
    is_secondary
    button="Preview changes"
    success=""
    submit={(values) => {
      const months = (values['continuation_coverage'] ?? '').split(' ').filter(Boolean).map(Number)
      if (months.length === 0) throw new FieldError('continuation_coverage', 'Select at least one month.')
      const monthly_premium_in_cents = parseDollars(values['premium'] ?? '')
      if (monthly_premium_in_cents === undefined) throw new FieldError('premium', 'Enter an amount in dollars.')
      return preview({ months, is_enrolled: values['is_enrolled'] === 'yes', monthly_premium_in_cents }, values)
    }}
  />
)
