import { useState } from 'react'
import type { Form1095c } from 'openbenefits'
import { parseDollars } from '../../../format.ts'
import { FieldError, Form, type Field, type Values } from '../../../parts/form/form.tsx'
import { month_options } from './lines.ts'
import { TaxFactsPreview, useTaxFactsChange } from './tax-facts.tsx'

const fields: Field[] = [
  {
    name: 'w2_wages_in_cents',
    label: 'Wages in box 1 of Form W-2',
    required: false,
    hint: 'In dollars, for the Form W-2 safe harbor (code 2F). Empty if it is not used.',
  },
  {
    name: 'multiemployer_months',
    label: 'Months with contributions to a multiemployer plan',
    kind: 'several',
    options: month_options,
    required: false,
    hint: 'Only for a plan that offers affordable coverage (code 2E).',
  },
]

/** Records the wages and the months of a multiemployer plan in the year of a form, with a preview of what changes. */
export function WagesForm({ of: form }: { of: Form1095c }) {
  const change = useTaxFactsChange(form)
  const { w2_wages_in_cents, multiemployer_months } = form.tax_facts
  // The preview replaces the form, so the entries are kept.
  const [typed, setTyped] = useState<Values>({
    w2_wages_in_cents: w2_wages_in_cents === null ? '' : (w2_wages_in_cents / 100).toFixed(2),
    multiemployer_months: multiemployer_months.join(' '),
  })
  return (
    <section className="override" aria-label="Wages">
      <h3>Wages and multiemployer plans in {form.tax_year}</h3>
      {change.previewed ? (
        <TaxFactsPreview before={form} change={change} button="Save wages" />
      ) : (
        <Form
          fields={fields}
          initial={typed}
          is_secondary
          button="Preview changes"
          success=""
          submit={async (values) => {
            const wages = values['w2_wages_in_cents']?.trim()
            const cents = wages ? parseDollars(wages) : null
            if (cents === undefined) throw new FieldError('w2_wages_in_cents', 'Enter an amount in dollars.')
            const months = (values['multiemployer_months'] ?? '').split(' ').filter(Boolean).map(Number)
            await change.preview({ w2_wages_in_cents: cents, multiemployer_months: months })
            setTyped(values)
          }}
        />
      )}
    </section>
  )
}
