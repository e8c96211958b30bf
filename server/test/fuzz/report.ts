import { endpoints } from '../../modules.ts'
import { curlOf, type Reply } from './aim.ts'
import type { Shot } from './shots.ts'

type Fault = { operation: string; fault: string; times: number; curl: string }

type Slow = { ms: number; operation: string; curl: string }

/** What was answered, what was wrong with it, and where time went. */
export type Report = ReturnType<typeof openReport>

const operationOf = ({ endpoint, method }: Shot): string => endpoint?.operation ?? `no operation (${method})`

/** How many of the slowest are named. */
const most_named = 5

/** Opens the report of requests to an address. */
export function openReport(url: string) {
  const slowest = new Map<string, Slow>()
  const report = {
    requests: 0,
    /** how often each operation answered each status */
    answers: new Map<string, Map<number, number>>(),
    faults: [] as Fault[],
    /** the longest hold of the event loop, and what took longest meanwhile */
    longest_hold: { ms: 0, during: '' },
    /** milliseconds by what they were waited for; some at the same time */
    spent: new Map<string, number>(),

    note(shot: Shot, { status, ms }: Reply): void {
      const operation = operationOf(shot)
      report.requests++
      const statuses = report.answers.getOrInsertComputed(operation, () => new Map<number, number>())
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (ms > (slowest.get(operation)?.ms ?? 0)) slowest.set(operation, { ms, operation, curl: curlOf(url, shot) })
    },

    noteHold(ms: number, replies: Map<Shot, Reply>): void {
      if (ms <= report.longest_hold.ms) return
      const slow = [...replies].sort(([, a], [, b]) => b.ms - a.ms).slice(0, most_named)
      report.longest_hold = { ms, during: slow.map(([shot]) => operationOf(shot)).join(', ') }
    },

    addFault(shot: Shot, fault: string): void {
      const operation = operationOf(shot)
      const known = report.faults.find((one) => one.operation === operation && one.fault === fault)
      if (known) known.times++
      else report.faults.push({ operation, fault, times: 1, curl: curlOf(url, shot) })
    },

    async timed<T>(what: string, work: () => Promise<T>): Promise<T> {
      const begun = performance.now()
      try {
        return await work()
      } finally {
        report.spent.set(what, (report.spent.get(what) ?? 0) + performance.now() - begun)
      }
    },

    /** The operations that were answered most slowly. */
    slowest: (): Slow[] => [...slowest.values()].sort((a, b) => b.ms - a.ms).slice(0, most_named),
  }
  return report
}

type Answers = Report['answers']

/** Operations that were never done with success. */
export const undoneIn = (answers: Answers): string[] =>
  endpoints.map(({ operation }) => operation).filter((operation) => !wasDone(answers, operation))

const wasDone = (answers: Answers, operation: string): boolean =>
  [...(answers.get(operation)?.keys() ?? [])].some((status) => status >= 200 && status < 300)

/** Which operations answered what, as lines. */
export const tableOf = (answers: Answers): string[] =>
  [...answers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, statuses]) => {
      const told = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status} ×${times}`)
      return `  ${operation.padEnd(50)} ${told.join('  ')}`
    })
