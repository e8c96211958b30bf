import { z } from 'zod'
import type { Employers, Runtime } from '../runtime/runtime.ts'
import type { KeyedJob } from './enqueue.ts'
import { task } from './worker.ts'

/** The number of employees in one transaction of a job. Other requests for their employers wait for that long. */
export const employees_in_chunk = 1000

/** The maximum number of employers in one job, whose rows are locked together. */
const max_employers = 50

type Sized = { employer_id: string; employee_count: number }

/**
 * The jobs that process some employers of an organization. Small employers share a job with up to one chunk of
 * employees, because a transaction and its statements cost as much for one employer as for many.
 */
export function jobsForEmployers(noun: string, organization_id: string, employers: Sized[]): KeyedJob[] {
  const packs: Sized[][] = []
  let room = 0
  for (const employer of employers) {
    const pack = packs.at(-1)
    if (pack && employer.employee_count <= room && pack.length < max_employers) pack.push(employer)
    else packs.push([employer])
    room = (packs.at(-1) === pack ? room : employees_in_chunk) - employer.employee_count
  }
  return packs.map((pack) => {
    const employer_ids = pack.map(({ employer_id }) => employer_id)
    // A job for one employer must not replace a job for several.
    const through = pack.length > 1 ? `:${employer_ids.at(-1)}` : ''
    return { payload: { organization_id, employer_ids }, key: `${noun}:${employer_ids[0]}${through}` }
  })
}

const Payload = z.object({ organization_id: z.string(), employer_ids: z.string().array().min(1) })

/** A task that processes employers, from the payload of `jobsForEmployers`. */
export const onEmployers = (work: (runtime: Runtime, employers: Employers) => Promise<void>) =>
  task(Payload, (runtime, employers) => work(runtime, employers))
