import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargedMonths, type Lapse } from '../deductions/rules.ts'
import {
  type Billable,
  type BilledLine,
  dueOn,
  type InvoiceLineDraft,
  invoiceLinesFor,
  monthsInWindow,
  type Priced,
  refusals,
  sumOfLines,
  whyNotInStatus,
} from './rules.ts'
import { caseCount } from '../../../test/case-count.ts'

const priced = (effective_on: string, employer: number, employee: number, plan_name = 'Base'): Priced => ({
  effective_on,
  plan_name,
  coverage_tier: 'EE',
  premium_in_cents: employer + employee,
  employer_contribution_in_cents: employer,
  employee_deduction_in_cents: employee,
})

const billed = (month: string, employer: number, employee: number, plan_name = 'Base'): BilledLine => {
  const { effective_on: _, ...line } = priced(month, employer, employee, plan_name)
  return { ...line, month }
}

const covered = (input: Partial<Billable['coverage']> = {}): Billable['coverage'] => ({
  coverage_start: '2026-01-01',
  coverage_end: null,
  lapses: [],
  elections: [priced('-infinity', 8_000, 900)],
  ...input,
})

/** The lines in short: kind, month, employer's share, employee's share. */
const linesOn = (period: string, coverage: Billable['coverage'], before: BilledLine[] = []) =>
  invoiceLinesFor(period, 3, { coverage, billed: before }).map((line) => [
    line.kind,
    line.month,
    line.employer_contribution_in_cents,
    line.employee_deduction_in_cents,
  ])

const through_march = [
  billed('2026-01-01', 8_000, 900),
  billed('2026-02-01', 8_000, 900),
  billed('2026-03-01', 8_000, 900),
]

describe('an invoice', () => {
  it('covers three earlier months, also across the turn of the year', () => {
    expect(monthsInWindow('2026-02-01', 3)).toEqual(['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01'])
  })

  it.each<[string, Billable['coverage'], BilledLine[], unknown[]]>([
    [
      'bills only its month if earlier months were billed',
      covered(),
      through_march,
      [['coverage', '2026-04-01', 8_000, 900]],
    ],
    [
      'bills earlier months in the correction window that were not billed, but no others',
      covered({ coverage_start: '2025-06-01' }),
      [],
      [
        ['coverage', '2026-04-01', 8_000, 900],
        ['adjustment', '2026-01-01', 8_000, 900],
        ['adjustment', '2026-02-01', 8_000, 900],
        ['adjustment', '2026-03-01', 8_000, 900],
      ],
    ],
    [
      'refunds months that are no longer covered',
      covered({ coverage_end: '2026-02-28' }),
      through_march,
      [['adjustment', '2026-03-01', -8_000, -900]],
    ],
    ['does not bill a month whose 1st is not covered', covered({ coverage_start: '2026-04-02' }), [], []],
    ['bills nothing for coverage that never started', covered({ coverage_end: '2025-12-31' }), [], []],
    [
      'does not bill a month that starts on the day the subscription ended',
      covered({ lapses: [['2026-04-01', null]] }),
      through_march,
      [],
    ],
    [
      'uses the election in force on the 1st',
      covered({
        elections: [priced('2026-05-01', 1, 1), priced('-infinity', 8_000, 900), priced('2026-04-01', 7_000, 500)],
      }),
      through_march,
      [['coverage', '2026-04-01', 7_000, 500]],
    ],
    [
      'adjusts the shares if only the split changed',
      covered({ elections: [priced('-infinity', 8_900, 0)] }),
      through_march,
      [
        ['coverage', '2026-04-01', 8_900, 0],
        ['adjustment', '2026-01-01', 900, -900],
        ['adjustment', '2026-02-01', 900, -900],
        ['adjustment', '2026-03-01', 900, -900],
      ],
    ],
    [
      'has a line for a covered month that is free',
      covered({ coverage_start: '2026-03-15', elections: [priced('-infinity', 0, 0)] }),
      [],
      [['coverage', '2026-04-01', 0, 0]],
    ],
    ['bills nothing for an employee who did not enroll', covered({ elections: [] }), [], []],
    [
      'refunds an employee who did not enroll after all',
      covered({ elections: [] }),
      [billed('2026-03-01', 8_000, 900)],
      [['adjustment', '2026-03-01', -8_000, -900]],
    ],
  ])('%s', (_, coverage, before, expected) => {
    expect(linesOn('2026-04-01', coverage, before)).toEqual(expected)
  })

  it('shows a refund under the plan that was billed', () => {
    const before = [billed('2026-03-01', 8_000, 900, 'Former'), billed('2026-03-01', -100, 0, 'Latest')]
    const [line] = invoiceLinesFor('2026-04-01', 3, { coverage: covered({ elections: [] }), billed: before })
    expect(line).toMatchObject({ plan_name: 'Latest', coverage_tier: 'EE' })
  })
})

describe('a manual adjustment', () => {
  const booked = (month: string, employer: number, employee: number) => billed(month, employer, employee)
  const byHand = (input: Partial<Billable>, coverage = covered({ elections: [] })) =>
    invoiceLinesFor('2026-04-01', 3, { coverage, billed: [], ...input }).map((line) => [
      line.kind,
      line.month,
      line.employer_contribution_in_cents,
      line.employee_deduction_in_cents,
      line.plan_name,
    ])

  it.each<[string, Partial<Billable>, unknown[]]>([
    [
      'is a separate line for each month',
      { booked: [booked('2025-06-01', 100, 20), booked('2025-05-01', 0, -7), booked('2025-06-01', 1, 2)] },
      [
        ['manual_adjustment', '2025-05-01', 0, -7, 'Manual adjustment'],
        ['manual_adjustment', '2025-06-01', 101, 22, 'Manual adjustment'],
      ],
    ],
    ['is billed once', { booked: [booked('2025-06-01', 1, 2)], billed_by_hand: [booked('2025-06-01', 1, 2)] }, []],
    [
      'is reversed by the opposite',
      {
        booked: [booked('2025-06-01', 1, 2), booked('2025-06-01', -1, -2)],
        billed_by_hand: [booked('2025-06-01', 1, 2)],
      },
      [['manual_adjustment', '2025-06-01', -1, -2, 'Manual adjustment']],
    ],
    [
      'has no line if the opposite was booked too',
      { booked: [booked('2025-06-01', 1, 2), booked('2025-06-01', -1, -2)] },
      [],
    ],
  ])('%s', (_, input, expected) => {
    expect(byHand(input)).toEqual(expected)
  })
})

describe('a manual adjustment for a month in the window of a new draft', () => {
  const adjustmentOf = (owed: boolean, before: [number, number], booked: [number, number]) => {
    const coverage = covered(owed ? { coverage_end: '2026-01-31' } : { elections: [] })
    const of = ([employer, employee]: [number, number]) => [billed('2026-01-01', employer, employee)]
    return invoiceLinesFor('2026-04-01', 3, {
      coverage,
      billed: of(before),
      booked: of(booked),
      billed_by_hand: of(booked),
    })
      .filter(({ kind }) => kind === 'adjustment')
      .map((line) => [line.premium_in_cents, line.employer_contribution_in_cents, line.employee_deduction_in_cents])
  }

  it.each<[string, boolean, [number, number], [number, number], number[][]]>([
    ['counts as billed', true, [0, 0], [8_000, 900], []],
    ['counts as partly billed', true, [0, 0], [8_000, 0], [[900, 0, 900]]],
    ['counts as refunded', false, [8_000, 900], [-8_000, -900], []],
    ['is not refunded if it was more', true, [0, 0], [9_000, 1_000], []],
    ['stays if nothing else is due', true, [8_000, 900], [0, -500], []],
    ['stays next to an amount in the other direction', false, [8_000, 900], [0, 500], [[-8_900, -8_000, -900]]],
  ])('%s', (_, owed, before, booked, expected) => {
    expect(adjustmentOf(owed, before, booked)).toEqual(expected)
  })
})

const cents = fc.integer({ min: 0, max: 500_000 })
const months = Array.from({ length: 15 }, (_, at) =>
  Temporal.PlainDate.from('2025-10-01').add({ months: at }).toString(),
)
const day = fc
  .integer({ min: 0, max: 450 })
  .map((days) => Temporal.PlainDate.from('2025-10-01').add({ days }).toString())
const election = fc
  .record({ effective_on: fc.constantFrom(...months), employer: cents, employee: cents })
  .map(({ effective_on, employer, employee }) => priced(effective_on, employer, employee))
const facts = fc
  .record({
    coverage_start: day,
    coverage_end: fc.option(day),
    ended_on: fc.option(day, { freq: 8 }),
    first: fc.tuple(cents, cents),
    later: fc.uniqueArray(election, { maxLength: 4, selector: ({ effective_on }) => effective_on }),
    enrolled: fc.boolean(),
  })
  .map(({ first, later, enrolled, ended_on, ...days }) => ({
    ...days,
    lapses: ended_on === null ? [] : [[ended_on, null] as Lapse],
    elections: enrolled ? [priced('-infinity', ...first), ...later] : [],
  }))
const line = fc
  .record({ month: fc.constantFrom(...months), employer: cents, employee: cents, sign: fc.constantFrom(1, -1) })
  .map(({ month, employer, employee, sign }) => billed(month, sign * employer, sign * employee))

const asDue = (coverage: Billable['coverage'], month: string) => {
  const charge = chargedMonths(coverage, Number(month.slice(0, 4))).find((one) => one.month === month)
  return sumOfLines(charge ? [charge.election] : [])
}

describe('ten thousand random invoices', () => {
  it('have premiums that are the sum of both shares, on every line and in total', () => {
    const billable = fc.record({ coverage: facts, billed: fc.array(line, { maxLength: 6 }) })
    const invoice = fc.record({ period: fc.constantFrom(...months), people: fc.array(billable, { maxLength: 12 }) })
    fc.assert(
      fc.property(invoice, ({ period, people }) => {
        const lines = people.flatMap((person) => invoiceLinesFor(period, 3, person))
        const total = sumOfLines(lines)
        let premiums = 0
        for (const one of [...lines, total])
          expect(one.employer_contribution_in_cents + one.employee_deduction_in_cents).toBe(one.premium_in_cents)
        for (const one of lines) premiums += one.premium_in_cents
        expect(total.premium_in_cents).toBe(premiums)
      }),
      { numRuns: caseCount(1_000) },
    )
  })

  it('bring the billed amount to the due amount for every month in the window, whatever was billed before', () => {
    fc.assert(
      fc.property(facts, fc.array(line, { maxLength: 6 }), fc.constantFrom(...months), (coverage, before, period) => {
        const after = [...before, ...invoiceLinesFor(period, 3, { coverage, billed: before })]
        for (const month of monthsInWindow(period, 3))
          expect(sumOfLines(after.filter((one) => one.month === month))).toEqual(asDue(coverage, month))
        const again = invoiceLinesFor(period, 3, { coverage, billed: after })
        expect(sumOfLines(again)).toEqual(sumOfLines([]))
        expect(again.filter(({ kind }) => kind === 'adjustment')).toEqual([])
      }),
      { numRuns: caseCount(1_000) },
    )
  })

  it('bill, over a history of changes and voids, what each month was due when it was last in the window', () => {
    const month = fc.record({ facts: fc.option(facts), voids: fc.option(fc.nat(months.length)) })
    const history = fc.record({
      facts,
      months: fc.array(month, { minLength: months.length, maxLength: months.length }),
    })
    fc.assert(
      fc.property(history, (reported) => {
        let coverage = reported.facts
        const live: InvoiceLineDraft[][] = []
        for (const [at, period] of months.entries()) {
          coverage = reported.months[at]!.facts ?? coverage
          // Any earlier invoice may be void. Its amounts count as not billed.
          const voided = reported.months[at]!.voids
          if (voided !== null && live[voided]) live[voided] = []
          live.push(invoiceLinesFor(period, 3, { coverage, billed: live.flat() }))
          for (const each of monthsInWindow(period, 3).filter((one) => one >= months[0]!))
            expect(sumOfLines(live.flat().filter((one) => one.month === each))).toEqual(asDue(coverage, each))
        }
      }),
      { numRuns: caseCount(200) },
    )
  })
})

describe('the status of an invoice', () => {
  it.each([
    ['issue', 'draft', undefined],
    ['issue', 'open', undefined],
    ['issue', 'paid', refusals.invoice_is_paid],
    ['issue', 'void', refusals.invoice_is_void],
    ['pay', 'draft', refusals.invoice_is_draft],
    ['pay', 'open', undefined],
    ['pay', 'paid', undefined],
    ['pay', 'void', refusals.invoice_is_void],
    ['void', 'draft', undefined],
    ['void', 'open', undefined],
    ['void', 'paid', refusals.invoice_is_paid],
    ['void', 'void', undefined],
  ] as const)('determines whether an action is refused: %s when %s', (action, status, why) => {
    expect(whyNotInStatus(action, status)).toEqual(why)
  })

  it('does not change the due date, 30 days after the issue', () => {
    expect(dueOn('2026-03-04')).toBe('2026-04-03')
  })
})
