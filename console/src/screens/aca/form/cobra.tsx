import { useState } from 'react'
import type { Form1095c, TaxFacts } from 'openbenefits'
import { formatDollars, parseDollars } from '../../../format.ts'
import { FieldError, Form, type Values } from '../../../parts/form/form.tsx'
import { useAction } from '../../../parts/form/use-action.ts'
import { ErrorMessage } from '../../../parts/page/page.tsx'
import { formatMonthRanges, month_options } from './lines.ts'
import { TaxFactsPreview, useTaxFactsChange } from './tax-facts.tsx'

type Period = TaxFacts['continuation_coverage'][number]

const new_period: Values = { is_enrolled: 'yes' }

/** The periods of COBRA in the year of a form, and a form to add one, with a preview of what changes. */
export function CobraPeriods({ of: form }: { of: Form1095c }) {
  // The preview replaces the form, so the entries are kept until they are saved.
  const [typed, setTyped] = useState<Values>(new_period)
  const change = useTaxFactsChange(form, () => setTyped(new_period))
  const { continuation_coverage: periods } = form.tax_facts
  const removal = useAction({
    mutationFn: (period: Period) => change.preview({ continuation_coverage: periods.filter((one) => one !== period) }),
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
            aria-label={`Remove ${formatMonthRanges(period.months)}`}
            onClick={() => removal.mutate(period)}
          >
            Remove
          </button>
        </p>
      ))}
      {removal.error && <ErrorMessage error={removal.error} />}
      {change.previewed ? (
        <TaxFactsPreview before={form} change={change} button="Save COBRA" />
      ) : (
        <NewPeriodForm
          initial={typed}
          preview={async (period, values) => {
            await change.preview({ continuation_coverage: [...periods, period] })
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
