import type { Job, WorkerEvents } from 'graphile-worker'

/** The flag of jobs that wait for all others. */
export const background = 'background'

/** The flags of a job about an organization, if it is: by them its organization takes turns with others. */
export const flagsOf = (payload: object, priority: number | null): string[] => [
  ...('organization_id' in payload && typeof payload.organization_id === 'string' ? [payload.organization_id] : []),
  ...(priority === null ? [] : [background]),
]

const organizationOf = ({ flags }: Job): string | undefined =>
  Object.keys(flags ?? {}).find((flag) => flag !== background)

/**
 * Has organizations take turns, though the library takes jobs first come, first served: tells it, each time that it asks for
 * a job, the flags of those to leave waiting. In a round each organization gets one job; when none is left of those whose turn it
 * is, the next round begins. And never do more jobs of one run at a time than `most_of_one`, since they wait for each
 * other's locks. Jobs of the background wait until a round has nobody else.
 */
export function takeTurns(events: WorkerEvents, most_of_one: number): () => Promise<string[]> {
  const running = new Map<string, number>()
  const had_turn = new Set<string>()
  let closing = false
  let asking = false
  const asked: (() => void)[] = []
  const answered = () => {
    const next = asked.shift()
    if (next) next()
    else asking = false
  }
  const count = (organization: string | undefined, by: 1 | -1) => {
    if (organization !== undefined) running.set(organization, (running.get(organization) ?? 0) + by)
    if (organization !== undefined && running.get(organization) === 0) running.delete(organization)
  }

  events.on('job:start', ({ job }) => {
    const organization = organizationOf(job)
    count(organization, 1)
    if (organization !== undefined && !(background in (job.flags ?? {}))) had_turn.add(organization)
    answered()
  })
  events.on('job:complete', ({ job }) => count(organizationOf(job), -1))
  events.on('worker:getJob:empty', ({ worker }) => {
    // Has it ask again at once, as if a job had come.
    if (had_turn.size > 0 && !closing) worker.nudge()
    had_turn.clear()
    answered()
  })
  events.on('pool:gracefulShutdown', () => void (closing = true))
  events.on('worker:getJob:error', answered)

  const waiting = () => {
    const full = [...running].filter(([, jobs]) => jobs >= most_of_one).map(([organization]) => organization)
    return [...new Set([...had_turn, ...full, ...(had_turn.size > 0 ? [background] : [])])]
  }
  // One asks at a time: else several would take jobs of one organization before any of them is counted.
  return () =>
    new Promise((resolve) => {
      const ask = () => resolve(waiting())
      if (asking) asked.push(ask)
      else ask()
      asking = true
    })
}
