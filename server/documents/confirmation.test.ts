import { extractText } from 'unpdf'
import { expect, it } from 'vitest'
import { renderConfirmation, type ConfirmedAnswer } from './confirmation.ts'

const answer = (benefit_name: string, effective_on: string, cents: number): ConfirmedAnswer => ({
  benefit_name,
  answer: 'enrolled',
  plan_name: 'Base',
  covered: ['Noor'],
  effective_on,
  per_month_in_cents: 2 * cents,
  per_paycheck_in_cents: cents,
})

const [medical, dental] = [answer('Medical', '2026-05-01', 10_000), answer('Dental', '2026-05-01', 850)]
const former = answer('Medical', '2025-05-01', 18_925)

it.each([
  ['is shown for benefits that apply at the same time', [medical, dental], '$108.50'],
  ['is not shown when one enrollment follows another', [former, medical, dental], undefined],
])('a total %s', async (_, answers, sum) => {
  const pdf = await renderConfirmation({
    language: 'en',
    organization_name: 'Harbor Benefits',
    employer_name: 'Granite Freight',
    employee_name: 'Noor Haddad',
    today: '2026-03-10',
    plan_years: [{ start: '2026-01-01', end: '2026-12-31', answers }],
    paychecks: [],
  })
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
  expect(/Together\s+\$\S+\s+(\S+)/.exec(text)?.[1]).toBe(sum)
})
