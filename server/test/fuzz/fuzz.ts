/**
 * Thousands of requests, right and wrong, against a service that lives meanwhile: its jobs run, its days are run, and
 * others change the same things at the same moment. No answer may be a 5xx, be undeclared or lie outside its schema,
 * and nobody may be shown what is somebody else's.
 *
 *   dice.ts     chance by a seed, and the values that nobody expects
 *   known-ids.ts    what there is, read from the database: ids, whose they are, and what belongs together
 *   actors.ts   who calls: keys and tokens of every kind, and those that are none
 *   values.ts   what an operation takes, by the OpenAPI document and by the names of fields
 *   faults.ts   what is wrong with it
 *   shots.ts    a request out of all that
 *   corpus.ts   requests that were answered wrongly once
 *   aim.ts      over the wire; and as a line of curl
 *   verdict.ts  what is wrong with an answer
 *
 * A seed makes the same choices anew; requests of one volley run at once, so that their order is the machine's.
 */
import { endpoints } from '../../modules.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Endpoint } from '../../platform/endpoint.ts'
import type { Story } from '../../sandbox/story.ts'
import { castOf, type Actor } from './actors.ts'
import { curlOf, marksman, type Reply } from './aim.ts'
import { corpusOf } from './corpus.ts'
import { diceOf, hostilesOf } from './dice.ts'
import { KnownIds } from './known-ids.ts'
import { nameThings, shotAt, type Shot } from './shots.ts'
import type { Json, Making } from './values.ts'
import { Judge } from './verdict.ts'

/** What is fired at. */
export type Target = {
  url: string
  story: Story
  /** of the same database */
  db: Db
  /** Works off the jobs that wait. */
  work(): Promise<void>
  /** Moves the clock on, and runs the days that have come. */
  pass(ms: number): Promise<void>
  /** The day by that clock. */
  today(): string
  /**
   * For how many milliseconds nobody else got a word in at the longest since it was asked last, where that is measured.
   */
  hold?(): Promise<number>
}

export type Fault = { operation: string; fault: string; times: number; curl: string }

export type Report = {
  seed: number
  requests: number
  /** how often each operation answered each status */
  answers: Map<string, Map<number, number>>
  /** operations that were never done */
  undone: string[]
  slowest: { ms: number; operation: string; curl: string }
  /** the longest hold of the event loop, and what was done meanwhile */
  longest_hold: { ms: number; during: string }
  faults: Fault[]
}

/** How often between volleys: jobs are worked off, what there is is looked at, and time passes. */
const rhythm = { jobs: 0.04, look: 0.03, time: 0.008 }
const volley = 8

/** Operations that take long when they succeed: each moves a whole organization on. */
const seldom: Record<string, number> = {
  operator_move_clock: 0.05,
  operator_create_organization: 0.2,
  create_organization: 0.2,
}

export async function fuzz(target: Target, { requests, seed }: { requests: number; seed: number }): Promise<Report> {
  const { url, story, db } = target
  const dice = diceOf(seed)
  const hostiles = hostilesOf(seed)
  const keys = { limited_key: await makeLimitedKey(target) }
  const known_ids = await KnownIds.open(db, dice)
  const judge = new Judge(await readDocuments(url), known_ids)
  const { fire, rest } = marksman(url)
  const report = openReport(seed)
  const issue = (key: string, bound_entity?: object) => issueToken(url, key, bound_entity)
  let cast = await castOf(story, keys, known_ids, dice, issue)
  const weights = endpoints.map(
    (endpoint) => [seldom[endpoint.operation] ?? (endpoint.method === 'GET' ? 0.6 : 1), endpoint] as const,
  )

  const makingFor = (endpoint: Endpoint): Making => {
    const actor = dice.weigh(cast.map(([weight, one]) => [isMeantFor(endpoint, one) ? weight : weight / 25, one]))
    return { dice, hostiles, known_ids, actor, today: target.today(), document: judge.documentOf(endpoint), named: [] }
  }
  const someShots = (): Shot[] => {
    const endpoint = dice.weigh(weights)
    const making = makingFor(endpoint)
    const named = nameThings(making, endpoint)
    const shots = [shotAt(making, endpoint, named)]
    // At once with what others do to the same thing: reading, changing, deleting it.
    const [last] = Object.keys(endpoint.params ?? {}).reverse()
    if (last && dice.chance(0.2)) {
      const beside = endpoints.filter(({ params, operation }) => params && last in params && !(operation in seldom))
      for (let more = dice.whole(1, 3); more > 0; more--) {
        const other = dice.pick(beside.filter(({ params }) => Object.keys(params!).every((name) => name in named.ids)))
        shots.push(shotAt(makingFor(other), other, named))
      }
    }
    return shots
  }
  const fireAll = async (shots: Shot[]) => {
    const replies = await Promise.all(shots.map(fire))
    shots.forEach((shot, at) => note(report, url, judge, shot, replies[at]!))
    const ms = (await target.hold?.()) ?? 0
    if (ms > report.longest_hold.ms) report.longest_hold = { ms, during: shots.map(operationOf).join(', ') }
  }
  const look = async () => {
    await known_ids.look()
    for (const { shot, fault } of await judge.leaks()) addFault(report, url, shot, fault)
  }

  try {
    for (const shot of corpusOf(
      cast.map(([, actor]) => actor),
      known_ids,
    ))
      await fireAll([shot])
    while (report.requests < requests) {
      const shots: Shot[] = []
      while (shots.length < volley) shots.push(...someShots())
      const working = dice.chance(rhythm.jobs) ? target.work() : undefined
      await fireAll(shots)
      await working
      if (dice.chance(rhythm.look)) await look()
      if (dice.chance(rhythm.time)) {
        await target.pass(dice.pick([60_000, 3600_000, 86_400_000]))
        cast = await castOf(story, keys, known_ids, dice, issue)
      }
    }
    await look()
  } finally {
    rest()
  }
  report.undone = endpoints.map(({ operation }) => operation).filter((operation) => !wasDone(report, operation))
  return report
}

const isMeantFor = ({ path, allows }: Endpoint, { name, bound }: Actor): boolean => {
  const isOperators = path.startsWith('/operator/')
  if (isOperators || name === 'the operator') return isOperators === (name === 'the operator')
  return !bound || allows.includes(bound.kind === 'employee_id' ? 'employee_token' : 'employer_token')
}

async function readDocuments(url: string): Promise<Record<'partner' | 'operator', Json>> {
  const read = async (path: string) => (await (await fetch(url + path)).json()) as Json
  return { partner: await read('/v1/openapi.json'), operator: await read('/operator/v1/openapi.json') }
}

type Answer = { access_token: string; data: { id: string; api_key: string } }

/** Does something that must work, and tells what was answered. */
async function post(url: string, key: string, body: object): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

const issueToken = async (url: string, key: string, bound_entity?: object): Promise<string> =>
  (await post(`${url}/v1/auth/access-tokens`, key, { grant_type: 'client_credentials', bound_entity })).access_token

/** A key of Harbor whose requests are limited, as those of the story are not. */
async function makeLimitedKey({ url, story: { organization_id, operator_key } }: Target): Promise<string> {
  const make = async (path: string, body: object) => (await post(`${url}/operator/v1/${path}`, operator_key, body)).data
  const { id: user_id } = await make('users', { name: 'Lin' })
  await make(`organizations/${organization_id}/members`, { user_id, role: 'ADMIN' })
  return (await make('api-keys', { user_id, organization_id, mode: 'test' })).api_key
}

const openReport = (seed: number): Report => ({
  seed,
  requests: 0,
  answers: new Map(),
  undone: [],
  slowest: { ms: 0, operation: '', curl: '' },
  longest_hold: { ms: 0, during: '' },
  faults: [],
})

const operationOf = ({ endpoint, method }: Shot): string => endpoint?.operation ?? `no operation (${method})`

const wasDone = ({ answers }: Report, operation: string): boolean =>
  [...(answers.get(operation)?.keys() ?? [])].some((status) => status >= 200 && status < 300)

function note(report: Report, url: string, judge: Judge, shot: Shot, reply: Reply): void {
  const operation = operationOf(shot)
  report.requests++
  const statuses = report.answers.getOrInsertComputed(operation, () => new Map<number, number>())
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
  if (reply.ms > report.slowest.ms) report.slowest = { ms: reply.ms, operation, curl: curlOf(url, shot) }
  const fault = judge.fault(shot, reply, marksBeside(shot.actor))
  if (fault) addFault(report, url, shot, fault)
}

/** The words in the names of an organization that an actor may not be shown. */
const marksBeside = ({ sees, mark }: Actor): string[] =>
  sees === null ? [] : ['Quillon', 'Vantor'].filter((word) => word !== mark)

function addFault({ faults }: Report, url: string, shot: Shot, fault: string): void {
  const operation = operationOf(shot)
  const known = faults.find((one) => one.operation === operation && one.fault === fault)
  if (known) known.times++
  else faults.push({ operation, fault, times: 1, curl: curlOf(url, shot) })
}

/** Which operations answered what, as lines. */
export const tableOf = ({ answers }: Report): string[] =>
  [...answers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, statuses]) => {
      const told = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status} ×${times}`)
      return `  ${operation.padEnd(50)} ${told.join('  ')}`
    })
