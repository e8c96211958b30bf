/**
 * Sends thousands of valid and invalid requests to a running service, while its jobs and daily runs proceed and other
 * requests change the same resources. No response may be a 5xx, undeclared, or outside its schema, and no caller may
 * see the data of others.
 *
 *   random.ts: seeded random numbers, and hostile values
 *   known-ids.ts: the existing resources, read from the database, with their owners and references
 *   actors.ts: callers with keys and tokens of every kind, valid and invalid
 *   credentials.ts: keys and tokens for the callers
 *   values.ts: valid input by the OpenAPI document and by the names of fields
 *   mutations.ts: faults in the input
 *   requests.ts: complete requests
 *   scenarios.ts: valid requests that build on each other, which random requests rarely do
 *   corpus.ts: requests that once had a wrong response
 *   send.ts: sending, and the equivalent curl command
 *   response-checks.ts: faults in responses
 *
 * The same seed makes the same choices. Requests of one round run concurrently, so their order may differ.
 */
import { endpoints } from '../../modules.ts'
import type { Db } from '../../database/query/database.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Story } from '../../sandbox/story.ts'
import { openActors, type Actor, type Actors, type ActorOptions } from './actors.ts'
import { openSender, type Reply, curlOf } from './send.ts'
import { corpusOf } from './corpus.ts'
import { seededRandom, hostileValues, type Random } from './random.ts'
import { send, findPeople, issueToken, makeLimitedKey, signIn } from './credentials.ts'
import { KnownIds } from './known-ids.ts'
import { shuffledScenarios, type Scenario } from './scenarios.ts'
import { nameThings, requestFor, type FuzzRequest } from './requests.ts'
import type { Json, ValueContext } from './values.ts'
import { ResponseChecker } from './response-checks.ts'

/** The service under test. */
export type Target = {
  url: string
  story: Story
  /** The database of the service. */
  db: Db
  /** Runs the waiting jobs. */
  work(): Promise<void>
  /** Advances the clock and runs due days. */
  pass(ms: number): Promise<void>
  /** The current day of that clock. */
  today(): string
}

type Options = { requests: number; seed: number }

/** The number of requests in a round, and the number of concurrent ones. */
const round = 40
const max_running = 8

/**
 * The probability per round of each accompanying action: running jobs, running a scenario, reading the existing
 * resources again, advancing the clock, and renewing the actors.
 */
const rhythm = { jobs: 0.2, play: 0.25, check: 0.15, time: 0.04, actors: 0.05 }

/** The weights of slow operations, which move the clock of a whole organization. */
const seldom: Record<string, number> = {
  operator_move_clock: 0.05,
  operator_create_organization: 0.2,
  create_organization: 0.2,
}

/** Whether a request runs alone, because it locks the organization until all days are run. */
const isAlone = ({ endpoint }: FuzzRequest): boolean => endpoint?.operation === 'operator_move_clock'

export async function fuzz(target: Target, { requests, seed }: Options): Promise<Report> {
  const fuzzer = await Fuzzer.open(target, seed)
  try {
    for (const fuzz_request of fuzzer.corpus()) await fuzzer.fireAll([[fuzz_request]])
    while (fuzzer.report.requests < requests) await fuzzer.fireRound()
    await fuzzer.check()
  } finally {
    fuzzer.close()
  }
  return fuzzer.report
}

const weights = endpoints.map(
  (endpoint) => [seldom[endpoint.operation] ?? (endpoint.method === 'GET' ? 0.6 : 1), endpoint] as const,
)

class Fuzzer {
  readonly report: Report
  readonly #target: Target
  readonly #random: Random
  readonly #hostiles: unknown[]
  readonly #options: ActorOptions
  readonly #judge: ResponseChecker
  readonly #sender: ReturnType<typeof openSender>
  readonly #scenarios: Scenario[]
  #actors: Actors = []
  #working: Promise<void> = Promise.resolve()

  private constructor(target: Target, seed: number, options: ActorOptions, judge: ResponseChecker) {
    this.report = openReport(target.url)
    this.#target = target
    this.#random = options.random
    this.#hostiles = hostileValues(seed)
    this.#options = options
    this.#judge = judge
    this.#sender = openSender(target.url)
    this.#scenarios = shuffledScenarios(this.#random)
  }

  static async open(target: Target, seed: number): Promise<Fuzzer> {
    const { url, story, db } = target
    const random = seededRandom(seed)
    const limited_key = await makeLimitedKey(target)
    const known_ids = await KnownIds.open(db, random)
    const fuzzer = new Fuzzer(
      target,
      seed,
      {
        story,
        limited_key,
        people: await findPeople(target),
        known_ids,
        random,
        issue: (key, bound_entity) => issueToken(url, key, bound_entity),
        signIn: (user_id, as) => signIn(target, user_id, as),
      },
      new ResponseChecker(await readDocuments(url), known_ids),
    )
    await fuzzer.#reopenActors()
    return fuzzer
  }

  /** Requests that once had a wrong response. */
  corpus(): FuzzRequest[] {
    const actors = this.#actors.map(([, actor]) => actor)
    return corpusOf(actors, this.#options.known_ids)
  }

  close(): void {
    this.#sender.close()
  }

  /** Sends a round of requests and waits for the actions that run alongside it. */
  async fireRound(): Promise<void> {
    const random = this.#random
    const groups: FuzzRequest[][] = []
    for (let count = 0; count < round; count += groups.at(-1)!.length) groups.push(this.#chooseGroup())
    await Promise.all([
      random.chance(rhythm.play) && this.#playScenario(random.whole(0, 2 ** 31)),
      random.chance(rhythm.jobs) && this.#work(),
      this.fireAll(groups.filter((group) => !group.some(isAlone))),
    ])
    for (const group of groups.filter((some) => some.some(isAlone))) await this.fireAll([group])
    if (random.chance(rhythm.check)) await this.check()
    if (random.chance(rhythm.time)) await this.#pass(random.pick([60_000, 3600_000, 86_400_000]))
    else if (random.chance(rhythm.actors)) await this.#reopenActors()
  }

  /** Sends groups of requests, some concurrently, and checks all responses in order. */
  async fireAll(groups: FuzzRequest[][]): Promise<void> {
    const replies = new Map<FuzzRequest, Reply>()
    const left = groups.values()
    const fireSome = async () => {
      for (const group of left)
        await Promise.all(
          group.map(async (fuzz_request) => void replies.set(fuzz_request, await this.#send(fuzz_request))),
        )
    }
    await Promise.all(Array.from({ length: max_running }, fireSome))
    for (const fuzz_request of groups.flat()) this.#note(fuzz_request, replies.get(fuzz_request)!)
  }

  /** Reads the existing resources again, and looks up the owners of the ids in responses. */
  async check(): Promise<void> {
    await this.#options.known_ids.check()
    for (const { fuzz_request, fault } of await this.#judge.leaks()) this.report.addFault(fuzz_request, fault)
  }

  async #send(fuzz_request: FuzzRequest): Promise<Reply> {
    this.#judge.noteSent(fuzz_request)
    return this.#sender.send(fuzz_request)
  }

  #note(fuzz_request: FuzzRequest, reply: Reply): void {
    this.report.requests++
    const fault = this.#judge.fault(fuzz_request, reply, marksBeside(fuzz_request.actor))
    if (fault) this.report.addFault(fuzz_request, fault)
    const made_key = reply.status === 201 && /"api_key":"(obk_\w+)"/.exec(reply.text)?.[1]
    if (made_key) this.#options.known_ids.keepKey(made_key)
  }

  /** Runs jobs, but not twice at a time. */
  #work(): Promise<void> {
    this.#working = this.#working.then(() => this.#target.work())
    return this.#working
  }

  async #pass(ms: number): Promise<void> {
    await this.#target.pass(ms)
    await this.#reopenActors()
  }

  async #reopenActors(): Promise<void> {
    this.#actors = await openActors(this.#options)
  }

  #makingFor(endpoint: Endpoint): ValueContext {
    const { known_ids } = this.#options
    const actor = this.#random.weigh(
      this.#actors.map(([weight, one]) => [isMeantFor(endpoint, one) ? weight : weight / 25, one]),
    )
    return {
      random: this.#random,
      hostiles: this.#hostiles,
      known_ids,
      actor,
      today: this.#target.today(),
      document: this.#judge.documentOf(endpoint),
      named: [],
    }
  }

  /** A request, possibly with concurrent requests of others that read, change or delete the same resource. */
  #chooseGroup(): FuzzRequest[] {
    const random = this.#random
    const endpoint = random.weigh(weights)
    const context = this.#makingFor(endpoint)
    const named = nameThings(context, endpoint)
    const fuzz_requests = [requestFor(context, endpoint, named)]
    const [last] = Object.keys(endpoint.params ?? {}).reverse()
    if (last && !(endpoint.operation in seldom) && random.chance(0.2)) {
      const others = endpoints.filter(({ params, operation }) => params && last in params && !(operation in seldom))
      for (let more = random.whole(1, 3); more > 0; more--) {
        const other = random.pick(
          others.filter(({ params }) => Object.keys(params!).every((name) => name in named.ids)),
        )
        fuzz_requests.push(requestFor(this.#makingFor(other), other, named))
      }
    }
    return fuzz_requests
  }

  /** Runs the next scenario alongside a round. Has its own seed, so that the round keeps its choices. */
  async #playScenario(seed: number): Promise<void> {
    const play = this.#scenarios.shift()!
    this.#scenarios.push(play)
    const { story, known_ids } = this.#options
    await play({
      story,
      db: this.#target.db,
      random: seededRandom(seed),
      today: this.#target.today(),
      known_ids,
      work: () => this.#work(),
      actorOf: (name) => this.#actors.find(([, actor]) => actor.name === name)![1],
      send: async (fuzz_request) => {
        const reply = await this.#send(fuzz_request)
        this.#note(fuzz_request, reply)
        return reply
      },
    })
  }
}

const isMeantFor = ({ path, allows }: Endpoint, { bound, operates }: Actor): boolean => {
  const isOperators = path.startsWith('/operator/')
  if (isOperators || operates) return isOperators === operates
  return !bound || allows.includes(bound.kind === 'employee_id' ? 'employee_token' : 'employer_token')
}

/** The marks in names of other organizations, which an actor must not see. */
const marksBeside = ({ sees, mark }: Actor): string[] =>
  sees === null ? [] : ['Quillon', 'Vantor'].filter((word) => word !== mark)

async function readDocuments(url: string): Promise<Record<'partner' | 'operator', Json>> {
  const read = async (path: string) => (await (await send(url + path)).json()) as Json
  return { partner: await read('/v1/openapi.json'), operator: await read('/operator/v1/openapi.json') }
}

type Fault = { operation: string; fault: string; times: number; curl: string }

/** The number of sent requests, and the faults of their responses. */
type Report = { requests: number; faults: Fault[]; addFault(sent: FuzzRequest, fault: string): void }

/** Opens a report of requests to an address. Repeated faults are counted. */
function openReport(url: string): Report {
  const faults: Fault[] = []
  return {
    requests: 0,
    faults,
    addFault(sent, fault) {
      const operation = sent.endpoint?.operation ?? `no operation (${sent.method})`
      const known = faults.find((one) => one.operation === operation && one.fault === fault)
      if (known) known.times++
      else faults.push({ operation, fault, times: 1, curl: curlOf(url, sent) })
    },
  }
}
