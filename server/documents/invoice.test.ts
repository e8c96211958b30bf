import { getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import type { InvoiceDocument, InvoiceDocumentLine } from './invoice.ts'
import { renderInvoice } from './invoice-page.ts'

const aLine = (line: Partial<InvoiceDocumentLine> = {}): InvoiceDocumentLine => ({
  employee_name: 'Ada Lovelace',
  benefit_name: 'Medical',
  plan_name: 'Gold PPO',
  coverage_tier: 'Employee only',
  month: '2026-03-01',
  kind: 'coverage',
  cause: null,
  premium_in_cents: 50_000,
  employer_contribution_in_cents: 40_000,
  employee_deduction_in_cents: 10_000,
  ...line,
})

function anInvoice(lines: InvoiceDocumentLine[], more: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const sum = (amount: 'premium_in_cents' | 'employer_contribution_in_cents' | 'employee_deduction_in_cents') =>
    lines.reduce((sum, line) => sum + line[amount], 0)
  return {
    invoice_id: 'INV-000123',
    organization_name: 'Harbor Benefits',
    employer: {
      name: 'Sunrise Bakery',
      legal_name: 'Sunrise Bakery Holdings, LLC',
      address_line_1: '1200 Market Street',
      address_line_2: 'Suite 400',
      city: 'San Francisco',
      state: 'CA',
      zipcode: '94102',
    },
    period: '2026-03-01',
    status: 'open',
    drafted_on: '2026-03-01',
    issued_on: '2026-03-04',
    due_on: '2026-04-03',
    voided_on: null,
    void_reason: null,
    replaced_by: null,
    lines,
    totals: {
      premium_in_cents: sum('premium_in_cents'),
      employer_contribution_in_cents: sum('employer_contribution_in_cents'),
      employee_deduction_in_cents: sum('employee_deduction_in_cents'),
    },
    ...more,
  }
}

type Piece = { text: string; x: number; y: number; width: number }

/** Returns the pieces of text on each page, with their positions. */
async function read(pdf: Buffer): Promise<{ info: Record<string, unknown>; pages: Piece[][] }> {
  const document = await getDocumentProxy(new Uint8Array(pdf))
  const { info } = await document.getMetadata()
  const pages: Piece[][] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    const texts = items.flatMap((item) => ('str' in item && item.str.trim() ? [item] : []))
    pages.push(
      texts.map(({ str, transform, width }) => ({ text: str, x: transform[4], y: Math.round(transform[5]), width })),
    )
  }
  return { info: info as Record<string, unknown>, pages }
}

const textOf = (pieces: Piece[]) =>
  pieces
    .map(({ text }) => text)
    .join(' ')
    // Control characters in the extracted text come from glyphs that represent no text.
    .replace(/\p{Cc}/gu, '')
    .replace(/\s+/g, ' ')

test('shows the sender, the recipient, the month, the due date and the amount', async () => {
  const adjustment = { kind: 'adjustment', month: '2026-01-01', employee_name: 'Grace Hopper' } as const
  const { info, pages } = await read(
    await renderInvoice(
      anInvoice([
        aLine(),
        aLine({ benefit_name: 'Dental', premium_in_cents: 123_456_789, employer_contribution_in_cents: 123_446_789 }),
        aLine({
          ...adjustment,
          premium_in_cents: -50_000,
          employer_contribution_in_cents: -40_000,
          employee_deduction_in_cents: -10_000,
        }),
      ]),
    ),
  )
  const text = textOf(pages[0]!)
  for (const input of [
    'Harbor Benefits',
    'Sunrise Bakery Holdings, LLC Sunrise Bakery 1200 Market Street Suite 400 San Francisco, CA 94102',
    'Invoice number INV-000123',
    'Period March 2026',
    'Issued March 4, 2026',
    'Payment due April 3, 2026',
    'Total due $1,234,567.89',
    'Coverage for March 2026 $1,235,067.89 $1,234,867.89 $200.00',
    'Adjustments for earlier months -$500.00 -$400.00 -$100.00',
    'Total due $1,234,567.89 $1,234,467.89 $100.00',
    'Ada Lovelace Medical Gold PPO Employee only 500.00 400.00 100.00',
    'Subtotal, 2 lines $1,235,067.89',
    'Grace Hopper Jan 2026 Medical Gold PPO Employee only -500.00 -400.00 -100.00',
    'Subtotal, 1 line -$500.00',
    'Page 1 of 1',
  ])
    expect(text).toContain(input)
  expect(info).toMatchObject({
    Title: 'Invoice INV-000123, March 2026, Sunrise Bakery Holdings, LLC',
    Author: 'Harbor Benefits',
    Language: 'en-US',
  })
})

test('shows a negative total as a credit and requests no payment', async () => {
  const given_back = {
    premium_in_cents: -100_000,
    employer_contribution_in_cents: -110_000,
    employee_deduction_in_cents: 10_000,
  }
  const { pages } = await read(
    await renderInvoice(anInvoice([aLine({ ...given_back, kind: 'adjustment', month: '2026-01-01' })])),
  )
  const text = textOf(pages[0]!)
  expect(text).toContain('Issued March 4, 2026 Credit $1,000.00')
  expect(text).toContain('Total credit -$1,000.00 -$1,100.00 $100.00')
  expect(text).not.toMatch(/\bdue\b/i)
})

test('shows the cause of an adjustment below its line', async () => {
  const cause = {
    action: 'ended',
    reported_at: '2026-03-21T02:00:00.000Z',
    reported_by: { kind: 'partner' },
    coverage_end: '2026-02-28',
    reason: 'The letter was lost.',
  }
  const adjusted = aLine({ kind: 'adjustment', month: '2026-01-01', cause })
  const { pages } = await read(await renderInvoice(anInvoice([adjusted])))
  expect(textOf(pages[0]!)).toContain(
    'Coverage ended, until February 28, 2026. Reported March 20, 2026 by the partner. The letter was lost.',
  )
})

test.each([
  ['draft', 'DRAFT', { issued_on: null, due_on: null }, 'Draft invoice', 'Drafted March 1, 2026'],
  ['void', 'VOID', { voided_on: '2026-03-10' }, 'Void invoice', 'Issued March 4, 2026 Voided March 10, 2026'],
  ['void', 'VOID', { issued_on: null, due_on: null, voided_on: '2026-03-10' }, 'Void invoice', 'Voided March 10, 2026'],
  [
    'void',
    'VOID',
    { voided_on: '2026-03-10', void_reason: 'The wrong rates were imported.', replaced_by: 'INV-000124' },
    'Void invoice',
    'Voided March 10, 2026 Reason The wrong rates were imported. Replaced by INV-000124',
  ],
] as const)(
  'marks every page of a %s invoice as %s and requests no payment',
  async (status, stamp, days, title, facts) => {
    const lines = Array.from({ length: 100 }, (_, index) => aLine({ employee_name: `Person ${index}` }))
    const { info, pages } = await read(await renderInvoice(anInvoice(lines, { status, ...days })))
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages) {
      expect(page.map(({ text }) => text)).toContain(stamp)
      expect(textOf(page)).toContain(`${title} INV-000123 ·`)
      expect(textOf(page)).not.toMatch(/\bdue\b/i)
    }
    const text = textOf(pages[0]!)
    expect(text).toContain(facts)
    expect(text).toContain(`Total $50,000.00 Status ${stamp}: do not pay`)
    expect(info.Title).toBe(`${title} INV-000123, March 2026, Sunrise Bakery Holdings, LLC`)
  },
)

test('lists two thousand lines with the header, the invoice and the page number on each page', async () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => aLine({ employee_name: `Person ${index}` }))
  const pdf = await renderInvoice(anInvoice(lines))
  const { pages } = await read(pdf)
  const names = pages.flat().flatMap(({ text }) => (/^Person \d+$/.test(text) ? [text] : []))
  expect(names).toEqual(lines.map((line) => line.employee_name))
  for (const [index, page] of pages.entries()) {
    const text = textOf(page)
    expect(text).toContain('Employee Benefit Plan Tier Premium Employer pays Employee pays')
    expect(text).toContain('Invoice INV-000123 · Sunrise Bakery Holdings, LLC · March 2026')
    expect(text).toContain(`Page ${index + 1} of ${pages.length}`)
  }
  expect(textOf(pages.at(-1)!)).toContain('Subtotal, 2,000 lines $1,000,000.00 $800,000.00 $200,000.00')
  expect(pdf.length).toBeLessThan(2_500_000)
})

const names = [
  'Zoë Müller-Lüdenscheidt',
  'Łukasz Żółć',
  'Nguyễn Thị Minh Khai',
  'Αλέξανδρος Δήμου',
  'Владимир Щербаков',
  'محمد بن عبد الله',
  'يوسف الهاشمي القرشي',
  'שרה כהן-לוי',
  '王小明',
  '山田 さくら',
  '김민준',
  'สมชาย ใจดี',
  'Հայկ Պետրոսյան',
  'გიორგი ბერიძე',
  'Émile 😀 Zola',
  'ᚠᚢᚦ Runa',
  'Ayşe Yıldız',
  'Ґалаґан',
  'Ұлан Ҳасанов',
  'Ọ̀ṣun Adébáyọ̀',
  'Ы̃ Åse',
  'Ada ① Ⅲ ⅐ Byron',
  'Max 🇩🇪 ❤️ Flagge',
]

const invisible = /[ \p{Default_Ignorable_Code_Point}]/gu

test.for(names)('writes the name %s so that it can be found and copied', async (name) => {
  const { pages } = await read(await renderInvoice(anInvoice([aLine({ employee_name: name })])))
  const words = textOf(pages[0]!).normalize('NFKC').replace(invisible, '')
  expect(words).toContain(name.normalize('NFKC').replace(invisible, ''))
})

test.for(['محمد بن عبد الرحمن', 'שרה כהן לוי'])('keeps the spaces of the right-to-left name %s', async (name) => {
  const { pages } = await read(await renderInvoice(anInvoice([aLine({ employee_name: name })])))
  expect(pages[0]!.map(({ text }) => text.normalize('NFKC'))).toContain(name)
})

test('draws any name, with a replacement for characters that no font has', async () => {
  const odd = [
    '\u{20000} 𠮷',
    '\u{17000} Tangut',
    '\u0378 unassigned',
    '\ud800 half \udfff',
    '\ue000 private',
    '\uffff none',
    '👨‍👩‍👧‍👦 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣',
    'a\u202eb\u2066c\u2069\u200f',
    'שלום \u202eabc\u202c עולם',
    'Z̴̡̢̛a̵̧̨l̶̢g̷o',
    '\ufe0f\u{e0100}\u200d',
    '\u034f\u115f\u3164',
    '\u1acf\u0301',
    'ក្រុង',
    'ܫܠܡܐ',
    'မြန်မာ',
    'བོད',
    'ᚠᚢᚦ',
    '𞤀𞤣𞤤𞤢𞤥',
    '\u{1f9ff}\u{1faf0}',
  ]
  // One character of each script and category except controls, from all of Unicode.
  const kinds = [
    'Lu',
    'Ll',
    'Lt',
    'Lm',
    'Lo',
    'Mn',
    'Mc',
    'Me',
    'Nd',
    'Nl',
    'No',
    'Pc',
    'Pd',
    'Ps',
    'Pe',
    'Sm',
    'Sc',
    'Sk',
    'So',
    'Zs',
    'Cf',
    'Co',
  ]
  const every = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
  const samples = kinds.map((kind) => {
    const isOne = new RegExp(`\\p{${kind}}`, 'u')
    const all = every.filter((character) => isOne.test(character))
    return Array.from({ length: 12 }, (_, at) => all[Math.floor((at * all.length) / 12)]).join('')
  })
  const lines = [...odd, ...samples].map((employee_name) => aLine({ employee_name, plan_name: employee_name }))
  const { pages } = await read(await renderInvoice(anInvoice(lines, { organization_name: odd.join(' ') })))
  const others = pages.map((page) => page.filter(({ text }) => !/^\p{M}/u.test(text)))
  expect(others.flatMap(overlapping)).toEqual([])
  expect(pages.flat().filter(({ text }) => text === '500.00')).toHaveLength(lines.length)
})

test('keeps the letters of scripts whose glyphs have a different order', async () => {
  const { pages } = await read(await renderInvoice(anInvoice([aLine({ employee_name: 'प्रियंका தமிழ்' })])))
  for (const letter of 'परयकமத') expect(textOf(pages[0]!)).toContain(letter)
})

test('mirrors brackets in right-to-left text', async () => {
  const { pages } = await read(await renderInvoice(anInvoice([aLine({ employee_name: 'שרה (Sarah) כהן' })])))
  const at = (text: string) => pages[0]!.find((piece) => piece.text.includes(text))!.x
  expect(at('כהן')).toBeLessThan(at('Sarah'))
  expect(at('Sarah')).toBeLessThan(at('שרה'))
})

const long_names = [
  'Jürgen von und zu Hohenzollern-Sigmaringen-Habsburg-Lothringen the Third of His Name',
  'W'.repeat(255),
  'น้ำผึ้งพระจันทร์สุวรรณภูมิราชธานีศรีอยุธยา'.repeat(4),
  'محمد عبد الرحمن بن يوسف بن إبراهيم الحسيني الهاشمي القرشي '.repeat(3).trim(),
  '王'.repeat(200),
]

test.for(long_names)('keeps the long text %s in its cell', async (name) => {
  const line = aLine({ employee_name: name, plan_name: name, coverage_tier: name, benefit_name: name })
  const employer = { ...anInvoice([]).employer, name, legal_name: `${name}.`, address_line_1: name, city: name }
  const { pages } = await read(await renderInvoice(anInvoice([line, line], { employer, organization_name: name })))
  for (const page of pages) expect(overlapping(page)).toEqual([])
})

test('renders the same bytes for the same invoice, regardless of the order in which fonts were loaded', async () => {
  const first = await renderInvoice(anInvoice([aLine({ employee_name: names.join(' ').slice(0, 255) })]))
  await renderInvoice(anInvoice([aLine({ employee_name: '李小龍' })]))
  const second = await renderInvoice(anInvoice([aLine({ employee_name: names.join(' ').slice(0, 255) })]))
  expect(second.equals(first)).toBe(true)
})

test('renders an invoice without lines with a total of zero', async () => {
  const { pages } = await read(await renderInvoice(anInvoice([])))
  expect(textOf(pages[0]!)).toContain('Total due $0.00 $0.00 $0.00')
})

test('refuses totals that are not the sums of the lines', async () => {
  const totals = { premium_in_cents: 1, employer_contribution_in_cents: 1, employee_deduction_in_cents: 0 }
  await expect(renderInvoice(anInvoice([aLine()], { totals }))).rejects.toThrow('not the sums of its lines')
})

/** Pairs of pieces on one line where the second begins before the first ends, and pieces beyond the page. */
function overlapping(pieces: Piece[]): string[] {
  const sorted = pieces.toSorted((a, b) => a.y - b.y || a.x - b.x)
  return sorted.flatMap((piece, index) => {
    const next = sorted[index + 1]
    const end = piece.x + piece.width
    const into = next && next.y === piece.y && next.x < end - 0.5
    return into || end > 612 - 41 || piece.x < 41 ? [`${piece.text} | ${next?.text}`] : []
  })
}
