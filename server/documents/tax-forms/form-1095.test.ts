import { extractText } from 'unpdf'
import { expect, it } from 'vitest'
import { renderForms1095, type Form1095Document } from './form-1095.ts'

const address = { city: 'Rancho Santa Margarita', state: 'CA', zipcode: '92688-1234' }
const form: Form1095Document = {
  form_type: '1095-C',
  tax_year: 2026,
  made_on: '2027-01-15',
  is_corrected: false,
  employee: {
    name: 'Maximiliana Guadalupe Featherstonehaugh-Throckmorton Jr.',
    number: '***-**-9999',
    address: '12345 Southwest Old Plantation Boulevard, Building C, Apartment 1204',
    ...address,
    date_of_birth: '04/02/1990',
  },
  employer: {
    name: 'Consolidated Pacific Northwest Hospitality Staffing and Logistics Holdings LLC',
    number: '**-***3377',
    address: '98765 Northwest Industrial Park Boulevard, Building 1200, Floor 14, Suite 1450',
    ...address,
    phone: '(614) 555-0100',
  },
  origin_of_coverage: 'B',
  age_on_january_1: '',
  plan_start_month: '01',
  lines: [],
  covered_people: [],
}

it.each(['1095-B', '1095-C'] as const)('shows long names and addresses whole on Form %s', async (form_type) => {
  const pdf = await renderForms1095([{ ...form, form_type }])
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true })
  const words = text.replaceAll(/\s+/g, ' ')
  for (const { name, address: street } of [form.employee, form.employer])
    for (const value of [name, street]) expect(words).toContain(value)
})
