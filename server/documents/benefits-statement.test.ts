import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { type BenefitsStatementDocument, renderBenefitsStatement } from './benefits-statement.ts'
import { page } from './pdf-pages.ts'

const amounts = { employee_in_cents: 1_234_567, employer_in_cents: 2_345_678, total_in_cents: 3_580_245 }
const statement: BenefitsStatementDocument = {
  ...amounts,
  language: 'en',
  organization_name: 'Harbor Benefits',
  employer_name: 'Sunrise Bakery',
  employee_name: 'Ada Lovelace',
  today: '2026-03-01',
  year: 2026,
  benefits: [{ ...amounts, benefit_name: 'Major Medical', months: 12 }],
  deducted_in_cents: 0,
  through: null,
}

/** The texts of the first page, with the positions where they end. */
async function read(document: BenefitsStatementDocument) {
  const pdf = await getDocumentProxy(new Uint8Array(await renderBenefitsStatement(document)))
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return items.flatMap((item) =>
    'str' in item && item.str.trim() ? [{ text: item.str, end: item.transform[4] + item.width }] : [],
  )
}

test.each(['en', 'es'] as const)(
  'keeps the columns of a benefits statement in %s within the margins',
  async (language) => {
    const ends = (await read({ ...statement, language })).map(({ end }) => end)
    expect(Math.max(...ends)).toBeCloseTo(page.width - page.margin, 0)
  },
)

test('adds up the enrollments of a benefit in two plan years', async () => {
  const of = (months: number, cents: number) => ({
    benefit_name: 'Dental',
    months,
    employee_in_cents: cents,
    employer_in_cents: cents,
    total_in_cents: 2 * cents,
  })
  const texts = (await read({ ...statement, benefits: [of(3, 3_000), of(9, 9_900)] })).map(({ text }) => text)
  const at = texts.indexOf('Dental')
  expect(texts.slice(at, at + 5)).toEqual(['Dental', '12', '$129.00', '$129.00', '$258.00'])
})
