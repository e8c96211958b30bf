import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { renderBenefitsStatement } from './benefits-statement.ts'
import { page } from './pdf-pages.ts'

test.each(['en', 'es'] as const)(
  'keeps the columns of a benefits statement in %s within the margins',
  async (language) => {
    const amounts = { employee_in_cents: 1_234_567, employer_in_cents: 2_345_678, total_in_cents: 3_580_245 }
    const pdf = await renderBenefitsStatement({
      ...amounts,
      language,
      organization_name: 'Harbor Benefits',
      employer_name: 'Sunrise Bakery',
      employee_name: 'Ada Lovelace',
      today: '2026-03-01',
      year: 2026,
      benefits: [{ ...amounts, benefit_name: 'Major Medical', months: 12 }],
      deducted_in_cents: 0,
      through: null,
    })
    const document = await getDocumentProxy(new Uint8Array(pdf))
    const { items } = await (await document.getPage(1)).getTextContent()
    const ends = items.flatMap((item) => ('str' in item && item.str.trim() ? [item.transform[4] + item.width] : []))
    expect(Math.max(...ends)).toBeCloseTo(page.width - page.margin, 0)
  },
)
