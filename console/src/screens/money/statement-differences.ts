/** The columns of a statement file that a comparison needs. */
export type StatementLine = {
  employee_id: string
  enrollment_id: string
  first_name: string
  last_name: string
  benefit_name: string
  kind: 'deduction' | 'correction' | 'manual_adjustment' | 'arrears'
  amount_in_cents: string
  cause: string
  cause_reported_on: string
  cause_reported_by: string
  corrected_period_start_date: string
  corrected_period_end_date: string
}

type ExtraAmounts = Partial<Record<StatementLine['kind'], number>>

/** The deductions of a person for a benefit in this statement and in the previous one. */
export type DeductionChange = {
  key: string
  employee_id: string
  enrollment_id: string
  name: string
  benefit_name: string
  before_in_cents: number
  now_in_cents: number
  change: 'new' | 'ended' | 'changed' | 'same'
  /** the amounts other than the regular deduction, by kind */
  extras: ExtraAmounts
  /** the extras of the previous statement, which can explain why this one deducts less or more */
  former_extras: ExtraAmounts
  /** the cause of a correction: the change, its date and its reporter */
  cause: Pick<StatementLine, 'cause' | 'cause_reported_on' | 'cause_reported_by'> | undefined
  /** the first and last day of the corrected pay periods. Null without a correction */
  corrected: { period_start_date: string; period_end_date: string } | null
}

const keyOf = ({ employee_id, benefit_name }: StatementLine) => `${employee_id} ${benefit_name}`

const sumCents = (lines: StatementLine[]) =>
  lines.reduce((sum, { amount_in_cents }) => sum + Number(amount_in_cents), 0)

const sumExtras = (lines: StatementLine[]): ExtraAmounts =>
  Object.fromEntries(
    [...Map.groupBy(lines, (line) => line.kind)].flatMap(([kind, those]) =>
      kind === 'deduction' ? [] : [[kind, sumCents(those)]],
    ),
  )

function deductionChange(key: string, before: StatementLine[], now: StatementLine[]): DeductionChange {
  const { employee_id, enrollment_id, first_name, last_name, benefit_name } = (now[0] ?? before[0])!
  const [before_in_cents, now_in_cents] = [sumCents(before), sumCents(now)]
  return {
    key,
    employee_id,
    enrollment_id,
    name: `${first_name} ${last_name}`,
    benefit_name,
    before_in_cents,
    now_in_cents,
    change:
      before.length === 0 ? 'new' : now.length === 0 ? 'ended' : isSameDeduction(before, now) ? 'same' : 'changed',
    extras: sumExtras(now),
    former_extras: sumExtras(before),
    cause: now.find(({ cause }) => cause),
    corrected: correctionOf(now),
  }
}

/** Whether the deductions are equal, except for the cent in each line by which a year adds up exactly. */
function isSameDeduction(before: StatementLine[], now: StatementLine[]): boolean {
  const difference = Math.abs(sumCents(before) - sumCents(now))
  const is_regular = [...before, ...now].every(({ kind }) => kind === 'deduction')
  return difference === 0 || (is_regular && difference <= now.length)
}

/** The first and last day of the pay periods that are corrected by these lines. Null if no line is a correction. */
function correctionOf(lines: StatementLine[]): DeductionChange['corrected'] {
  const dated = lines.filter((line) => line.corrected_period_start_date !== '')
  const [period_start_date] = dated.map((line) => line.corrected_period_start_date).toSorted()
  const period_end_date = dated
    .map((line) => line.corrected_period_end_date)
    .toSorted()
    .at(-1)
  return period_start_date && period_end_date ? { period_start_date, period_end_date } : null
}

/** Compares two statements by person and benefit. Differences come first, ordered by name. */
export function compareStatements(before: StatementLine[], now: StatementLine[]): DeductionChange[] {
  const [former, present] = [Map.groupBy(before, keyOf), Map.groupBy(now, keyOf)]
  return [...new Set([...present.keys(), ...former.keys()])]
    .map((key) => deductionChange(key, former.get(key) ?? [], present.get(key) ?? []))
    .toSorted(
      (a, b) =>
        Number(a.change === 'same') - Number(b.change === 'same') ||
        a.name.localeCompare(b.name) ||
        a.benefit_name.localeCompare(b.benefit_name),
    )
}
