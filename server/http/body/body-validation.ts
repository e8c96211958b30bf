import type { z } from 'zod'
import { stageRows, type StagedRows } from '../../kernel/concurrency/staged-rows.ts'
import { parseCsv, withNumbers } from '../../kernel/formats/csv.ts'
import { readJson, unwanted } from '../../kernel/formats/strict-json.ts'
import { invalid, max_details, fieldOf, type Detail } from '../../kernel/refusal.ts'
import { nearestName } from '../../kernel/similar-text.ts'
import type { SentBody } from '../endpoint.ts'
import { fingerprintOf } from '../idempotency.ts'
import { textOf, type RawBody } from './body-bytes.ts'

/** The query of a request and the organization it names. They distinguish requests with equal bodies. */
export type RequestScope = { query: string; organization: unknown }

/**
 * A valid body. `fields`: the known fields that were sent. `staged`: its rows, if they wait for a job. `fingerprint`
 * identifies the request, if a scope was given.
 */
export type ParsedBody = { body: unknown; fields: string[]; staged?: StagedRows; fingerprint?: Uint8Array }

/** Parses and validates a body. Throws a 400 that names the first 100 faults. */
export function parseBody(accepted: SentBody, raw: RawBody | undefined, scope?: RequestScope): ParsedBody {
  const sent = accepted.body && raw && readValue(accepted, raw)
  const body = accepted.body && validate(accepted.body, sent === undefined ? {} : sent, accepted.rows)
  return {
    ...separateStagedRows(body, accepted.rows),
    fields: Object.keys(sent ?? {}).filter((name) => Object.hasOwn(body as object, name)),
    ...(scope && { fingerprint: fingerprintOf(scope.query, scope.organization, sent) }),
  }
}

function readValue(accepted: SentBody, raw: RawBody): unknown {
  const text = textOf(raw, accepted)
  const { field, most } = accepted.rows ?? {}
  if (raw.media_type === 'text/csv' && field && most) {
    // Check the first row before parsing the others, so that a large file is refused early.
    const [first = {}] = parseCsv(text, 1)
    if (Object.hasOwn(first, 'ssn')) throw invalid({ field: `${field}[0].ssn`, message: unwanted })
    return { [field]: withNumbers(parseCsv(text, most + 1), accepted.csv_numbers) }
  }
  return text.trim() === '' ? undefined : readJson(text)
}

type RowsOfBody = NonNullable<SentBody['rows']>

/** Rows that Zod validates in one call. */
const rows_per_call = 100

function validate(schema: z.ZodType, sent: unknown, rows: SentBody['rows']): unknown {
  const list = rows && (sent as Record<string, unknown> | null)?.[rows.field]
  // A list that is too long fails before its rows are validated.
  if (rows && Array.isArray(list) && list.length > rows_per_call && list.length <= rows.most)
    return validateRows(schema, sent as object, rows, list)
  const parsed = schema.safeParse(sent, { reportInput: true })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const others = rows && Array.isArray(list) ? findRowFaults(schema, sent as object, rows, list, issues) : []
  throw invalid(...detailsOf(issues), ...others)
}

/** Validates rows in several calls and stops at 100 faults, so that the cost of an invalid body is limited. */
function validateRows(schema: z.ZodType, sent: object, of_rows: RowsOfBody, list: unknown[]): object {
  const { field } = of_rows
  const issues: z.core.$ZodIssue[] = []
  const rows: unknown[] = []
  let body = {}
  for (let first = 0; first < list.length && issues.length < max_details; first += rows_per_call) {
    const part = { ...sent, [field]: list.slice(first, first + rows_per_call) }
    const parsed = schema.safeParse(part, { reportInput: true })
    if (parsed.success) {
      body = parsed.data as object
      rows.push(...(parsed.data as Record<string, unknown[]>)[field]!)
    } else issues.push(...issuesFrom(parsed.error.issues, field, first))
  }
  if (issues.length > 0) throw invalid(...detailsOf(issues), ...findRowFaults(schema, sent, of_rows, list, issues))
  return { ...body, [field]: rows }
}

/**
 * The faults that show only in comparison with other rows, such as a repeated reference, among the rows without
 * issues. So a sender can fix all rows at once. Validates these rows a second time.
 */
function findRowFaults(
  schema: z.ZodType,
  sent: object,
  { field, most, staged }: RowsOfBody,
  list: unknown[],
  issues: z.core.$ZodIssue[],
): Detail[] {
  if (!staged || list.length > most || issues.length >= max_details) return []
  const findFault = staged.faultFinder()
  const with_issues = new Set(issues.map(({ path }) => path[1]))
  return list.flatMap((row, index) => {
    const parsed = with_issues.has(index) ? undefined : schema.safeParse({ ...sent, [field]: [row] })
    return parsed?.success ? (findFault((parsed.data as Record<string, unknown[]>)[field]![0], index) ?? []) : []
  })
}

/**
 * The issues in the rows starting at `first`, with their index in the whole list. Issues outside the rows are reported
 * once.
 */
const issuesFrom = (issues: z.core.$ZodIssue[], field: string, first: number): z.core.$ZodIssue[] =>
  issues
    .filter(({ path }) => first === 0 || path[0] === field)
    .map((issue) => ({
      ...issue,
      path: issue.path.map((step, index) => (index === 1 ? (step as number) + first : step)),
    }))

/** Takes rows that wait for a job out of the body. Throws a 400 that names the faults among them. */
function separateStagedRows(body: unknown, rows: SentBody['rows']): Pick<ParsedBody, 'body' | 'staged'> {
  if (!rows?.staged) return { body }
  const { [rows.field]: list, ...others } = body as Record<string, unknown[]>
  const findFault = rows.staged.faultFinder()
  const faults = list!.flatMap((row, index) => findFault(row, index) ?? [])
  if (faults.length > 0) throw invalid(...faults)
  return { body: others, staged: stageRows(list!, rows.staged.size) }
}

/** The faults that Zod found, at most 100. Its default messages are replaced. Issues must be reported with inputs. */
export const detailsOf = (issues: z.core.$ZodIssue[]): Detail[] =>
  issues.slice(0, max_details).map((issue) => ({ field: fieldOf(issue.path), message: messageOf(issue) }))

function messageOf(issue: z.core.$ZodIssue): string {
  const is_missing = issue.path.length > 0 && (issue.input ?? null) === null
  if (is_missing && ['invalid_type', 'invalid_value'].includes(issue.code)) return 'is required'
  if (issue.code === 'invalid_type') {
    if (issue.expected === 'int') return 'must be a whole number'
    const must = `must be ${/^[ao]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    return issue.path.length === 0 ? `the body ${must}` : must
  }
  if (issue.code === 'invalid_value') return listValues(issue.values.map(String), issue.input)
  if (issue.code === 'too_small' && issue.message.startsWith('Too small'))
    return describeBound(issue.origin, 'at least', issue.minimum)
  if (issue.code === 'too_big' && issue.message.startsWith('Too big'))
    return describeBound(issue.origin, 'at most', issue.maximum)
  return issue.message
}

/** Lists the values. If they are many and one was probably meant, names only that one. */
function listValues(values: string[], input: unknown): string {
  const meant = values.length > 12 && typeof input === 'string' && nearestName(input, values)
  return meant ? `is not a known value. Did you mean ${meant}?` : `must be one of ${values.join(', ')}`
}

const describeBound = (origin: string, side: string, limit: number | bigint) =>
  origin === 'array' ? `must contain ${side} ${limit}` : `must be ${side} ${limit}`
