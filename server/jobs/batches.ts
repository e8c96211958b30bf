import { z } from 'zod'
import type { Employers, Runtime } from '../runtime/runtime.ts'
import type { KeyedJob } from './enqueue.ts'
import { task } from './worker.ts'

/** Employees in one transaction of a job: for so long others of their employers wait. */
export const employees_in_chunk = 1000

/** How many employers one job takes at most: their rows are locked together. */
const most_employers = 50

type Sized = { employer_id: string; employee_count: number }

/**
 * The jobs that do something for each of some employers of an organization. Small ones are done together, as many as
 * have a chunk of employees, since each transaction and each statement costs as much for one as for many.
 */
export function jobsTogether(what: string, organization_id: string, employers: Sized[]): KeyedJob[] {
  const packs: Sized[][] = []
  let room = 0
  for (const employer of employers) {
    const pack = packs.at(-1)
    if (pack && employer.employee_count <= room && pack.length < most_employers) pack.push(employer)
    else packs.push([employer])
    room = (packs.at(-1) === pack ? room : employees_in_chunk) - employer.employee_count
  }
  return packs.map((pack) => {
    const employer_ids = pack.map(({ employer_id }) => employer_id)
    // A job for one takes the place of no job for several.
    const through = pack.length > 1 ? `:${employer_ids.at(-1)}` : ''
    return { payload: { organization_id, employer_ids }, key: `${what}:${employer_ids[0]}${through}` }
  })
}

/** Jobs of the version before are of one employer. */
const Payload = z
  .object({ organization_id: z.string(), employer_ids: z.string().array().min(1) })
  .or(
    z
      .object({ organization_id: z.string(), employer_id: z.string() })
      .transform(({ organization_id, employer_id }) => ({ organization_id, employer_ids: [employer_id] })),
  )

/** A task that works for some employers of an organization, as `jobsTogether` names them. */
export const onEmployers = (work: (runtime: Runtime, employers: Employers) => Promise<void>) =>
  task(Payload, (runtime, employers) => work(runtime, employers))
