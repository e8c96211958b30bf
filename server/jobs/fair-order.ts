import type { Job, WorkerEvents } from 'graphile-worker'

/** The flag of jobs that let others go first. */
const background = 'background'

/** The flag of all others, by which they are left waiting when it is the background's turn. */
const foreground = 'foreground'

/** So many jobs go before one of the background. */
const before_background = 3

/**
 * The flags of a job: its organization, if it is about one, by which that takes turns with others; and where it
 * belongs.
 */
export const flagsOf = (payload: object, priority: number | null): string[] => [
  ...('organization_id' in payload && typeof payload.organization_id === 'string' ? [payload.organization_id] : []),
  priority === null ? foreground : background,
]

const isBackground = ({ flags }: Job): boolean => background in (flags ?? {})

const organizationOf = ({ flags }: Job): string | undefined =>
  Object.keys(flags ?? {}).find((flag) => flag !== background && flag !== foreground)

/**
 * Has organizations take turns, though the library takes jobs first come, first served: tells it, each time that it
 * asks for a job, the flags of those to leave waiting. In a round each organization gets one job; when none is left of
 * those whose turn it is, the next round begins. And never do more jobs of one run at a time than `most_of_one`, since
 * they wait for each other's locks. Jobs of the background wait until a round has nobody else, or until some others
 * have gone before them: so they go on beside organizations that always have jobs.
 */
export function takeTurns(events: WorkerEvents, most_of_one: number): () => Promise<string[]> {
  const running = new Map<string, number>()
  const had_turn = new Set<string>()
  /** Jobs since the background had its turn. */
  let since_background = 0
  /** What is asked for now is a job of the background. */
  let for_background = false
  /** The background may have nothing but jobs of organizations that had no place left. */
  let background_was_full = false
  let closing = false
  let asking = false
  const asked: (() => void)[] = []
  const answered = () => {
    const next = asked.shift()
    if (next) next()
    else asking = false
  }
  const full = () => [...running].filter(([, jobs]) => jobs >= most_of_one).map(([organization]) => organization)
  const count = (organization: string, by: 1 | -1) => {
    running.set(organization, (running.get(organization) ?? 0) + by)
    if (running.get(organization) === 0) running.delete(organization)
  }

  events.on('job:start', ({ job }) => {
    const organization = organizationOf(job)
    if (organization !== undefined) count(organization, 1)
    if (organization !== undefined && !isBackground(job)) had_turn.add(organization)
    since_background = for_background || isBackground(job) ? 0 : since_background + 1
    answered()
  })
  events.on('job:complete', ({ job }) => {
    const organization = organizationOf(job)
    if (organization === undefined) return
    // The place that is free now would be taken by its next job before the background is asked about again.
    if (background_was_full && full().includes(organization)) since_background = before_background
    count(organization, -1)
  })
  events.on('worker:getJob:empty', ({ worker }) => {
    // Has it ask again at once, as if a job had come.
    if ((for_background || had_turn.size > 0) && !closing) worker.nudge()
    if (for_background) {
      since_background = 0
      background_was_full = full().length > 0
    } else had_turn.clear()
    answered()
  })
  events.on('pool:gracefulShutdown', () => void (closing = true))
  events.on('worker:getJob:error', answered)

  const waiting = () => {
    for_background = since_background >= before_background
    if (for_background) return [foreground, ...full()]
    return [...new Set([...had_turn, ...full(), ...(had_turn.size > 0 ? [background] : [])])]
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
