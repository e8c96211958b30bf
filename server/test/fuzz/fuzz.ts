/**
 * Thousands of requests, right and wrong, against a service that lives meanwhile: its jobs run, its days are run, and
 * others change the same things at the same moment. No answer may be a 5xx, be undeclared or lie outside its schema,
 * and nobody may be shown what is somebody else's.
 *
 *   dice.ts     chance by a seed, and the values that nobody expects
 *   known-ids.ts    what there is, read from the database: ids, whose they are, and what belongs together
 *   actors.ts   who calls: keys and tokens of every kind, and those that are none
 *   errands.ts  what must work beside: who calls gets keys and tokens
 *   values.ts   what an operation takes, by the OpenAPI document and by the names of fields
 *   faults.ts   what is wrong with it
 *   shots.ts    a request out of all that
 *   plays.ts    right requests that build on each other, for what chance alone hardly ever does
 *   corpus.ts   requests that were answered wrongly once
 *   aim.ts      over the wire; and as a line of curl
 *   verdict.ts  what is wrong with an answer
 *   report.ts   what was answered, and what was wrong
 *
 * A seed makes the same choices anew; requests of one round run at once, so that their order is the machine's.
 */
import { endpoints } from '../../modules.ts'
import type { Db } from '../../database/query/database.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Story } from '../../sandbox/story.ts'
import { castOf, type Actor, type Cast, type Casting } from './actors.ts'
import { marksman, type Reply } from './aim.ts'
import { corpusOf } from './corpus.ts'
import { diceOf, hostilesOf, type Dice } from './dice.ts'
import { ask, findPeople, issueToken, makeLimitedKey, signIn } from './errands.ts'
import { KnownIds } from './known-ids.ts'
import { playsOf, type Play } from './plays.ts'
import { openReport, type Report } from './report.ts'
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

type Options = { requests: number; seed: number; onRound?: (report: Report) => void }

/** How many requests make a round, and how many are under way at once. */
const round = 40
const at_once = 8

/** How often in a round: jobs are worked off, a play is given, and after it what there is is looked at, time passes. */
const rhythm = { jobs: 0.2, play: 0.25, look: 0.15, time: 0.04, cast: 0.05 }

/** Operations that take long when they succeed: each moves a whole organization on. */
const seldom: Record<string, number> = {
  operator_move_clock: 0.05,
  operator_create_organization: 0.2,
  create_organization: 0.2,
}

/** Has an organization for itself until all days on the way are run: nobody else is let wait for that. */
const isAlone = ({ endpoint }: Shot): boolean => endpoint?.operation === 'operator_move_clock'

export async function fuzz(target: Target, { requests, seed, onRound }: Options): Promise<Report> {
  const fuzzer = await Fuzzer.open(target, seed)
  try {
    for (const shot of fuzzer.corpus()) await fuzzer.fireAll([[shot]])
    while (fuzzer.report.requests < requests) {
      await fuzzer.fireRound()
      onRound?.(fuzzer.report)
    }
    await fuzzer.look()
  } finally {
    fuzzer.rest()
  }
  return fuzzer.report
}

const weights = endpoints.map(
  (endpoint) => [seldom[endpoint.operation] ?? (endpoint.method === 'GET' ? 0.6 : 1), endpoint] as const,
)

class Fuzzer {
  readonly report: Report
  readonly #target: Target
  readonly #dice: Dice
  readonly #hostiles: unknown[]
  readonly #casting: Casting
  readonly #judge: Judge
  readonly #marksman: ReturnType<typeof marksman>
  readonly #plays: Play[]
  #cast: Cast = []
  #working: Promise<void> = Promise.resolve()

  private constructor(target: Target, seed: number, casting: Casting, judge: Judge) {
    this.report = openReport(target.url)
    this.#target = target
    this.#dice = casting.dice
    this.#hostiles = hostilesOf(seed)
    this.#casting = casting
    this.#judge = judge
    this.#marksman = marksman(target.url)
    this.#plays = playsOf(this.#dice)
  }

  static async open(target: Target, seed: number): Promise<Fuzzer> {
    const { url, story, db } = target
    const dice = diceOf(seed)
    const limited_key = await makeLimitedKey(target)
    const known_ids = await KnownIds.open(db, dice)
    const fuzzer = new Fuzzer(
      target,
      seed,
      {
        story,
        limited_key,
        people: await findPeople(target),
        known_ids,
        dice,
        issue: (key, bound_entity) => issueToken(url, key, bound_entity),
        signIn: (user_id, as) => signIn(target, user_id, as),
      },
      new Judge(await readDocuments(url), known_ids),
    )
    await fuzzer.#castAnew()
    return fuzzer
  }

  /** What was answered wrongly once. */
  corpus(): Shot[] {
    const actors = this.#cast.map(([, actor]) => actor)
    return corpusOf(actors, this.#casting.known_ids)
  }

  rest(): void {
    this.#marksman.rest()
  }

  /** Fires a round, and lets what goes on beside it end. */
  async fireRound(): Promise<void> {
    const dice = this.#dice
    const groups: Shot[][] = []
    for (let count = 0; count < round; count += groups.at(-1)!.length) groups.push(this.#chooseGroup())
    await Promise.all([
      dice.chance(rhythm.play) && this.#givePlay(dice.whole(0, 2 ** 31)),
      dice.chance(rhythm.jobs) && this.#work(),
      this.fireAll(groups.filter((group) => !group.some(isAlone))),
    ])
    for (const group of groups.filter((some) => some.some(isAlone))) await this.fireAll([group])
    if (dice.chance(rhythm.look)) await this.look()
    if (dice.chance(rhythm.time)) await this.#pass(dice.pick([60_000, 3600_000, 86_400_000]))
    else if (dice.chance(rhythm.cast)) await this.#castAnew()
  }

  /** Fires groups of shots, some groups at once, and judges all in their order. */
  async fireAll(groups: Shot[][]): Promise<void> {
    const replies = new Map<Shot, Reply>()
    const left = groups.values()
    const fireSome = async () => {
      for (const group of left)
        await Promise.all(group.map(async (shot) => void replies.set(shot, await this.#fire(shot))))
    }
    await this.report.timed('requests', () => Promise.all(Array.from({ length: at_once }, fireSome)))
    for (const shot of groups.flat()) this.#note(shot, replies.get(shot)!)
    const ms = (await this.#target.hold?.()) ?? 0
    this.report.noteHold(ms, replies)
  }

  /** Looks at what there is by now, and whose the ids were that were shown. */
  async look(): Promise<void> {
    await this.report.timed('looking', async () => {
      await this.#casting.known_ids.look()
      for (const { shot, fault } of await this.#judge.leaks()) this.report.addFault(shot, fault)
    })
  }

  async #fire(shot: Shot): Promise<Reply> {
    this.#judge.noteSent(shot)
    return this.#marksman.fire(shot)
  }

  #note(shot: Shot, reply: Reply): void {
    this.report.note(shot, reply)
    const fault = this.#judge.fault(shot, reply, marksBeside(shot.actor))
    if (fault) this.report.addFault(shot, fault)
    const made_key = reply.status === 201 && /"api_key":"(obk_\w+)"/.exec(reply.text)?.[1]
    if (made_key) this.#casting.known_ids.keepKey(made_key)
  }

  /** What is worked off once is not worked off twice at a time. */
  #work(): Promise<void> {
    this.#working = this.#working.then(() => this.report.timed('jobs', () => this.#target.work()))
    return this.#working
  }

  async #pass(ms: number): Promise<void> {
    await this.report.timed('days', () => this.#target.pass(ms))
    await this.#castAnew()
  }

  async #castAnew(): Promise<void> {
    this.#cast = await this.report.timed('tokens', () => castOf(this.#casting))
  }

  #makingFor(endpoint: Endpoint): Making {
    const { known_ids } = this.#casting
    const actor = this.#dice.weigh(
      this.#cast.map(([weight, one]) => [isMeantFor(endpoint, one) ? weight : weight / 25, one]),
    )
    return {
      dice: this.#dice,
      hostiles: this.#hostiles,
      known_ids,
      actor,
      today: this.#target.today(),
      document: this.#judge.documentOf(endpoint),
      named: [],
    }
  }

  /** A request, and perhaps at once with it what others do to the same thing: reading, changing, deleting it. */
  #chooseGroup(): Shot[] {
    const dice = this.#dice
    const endpoint = dice.weigh(weights)
    const making = this.#makingFor(endpoint)
    const named = nameThings(making, endpoint)
    const shots = [shotAt(making, endpoint, named)]
    const [last] = Object.keys(endpoint.params ?? {}).reverse()
    if (last && !(endpoint.operation in seldom) && dice.chance(0.2)) {
      const beside = endpoints.filter(({ params, operation }) => params && last in params && !(operation in seldom))
      for (let more = dice.whole(1, 3); more > 0; more--) {
        const other = dice.pick(beside.filter(({ params }) => Object.keys(params!).every((name) => name in named.ids)))
        shots.push(shotAt(this.#makingFor(other), other, named))
      }
    }
    return shots
  }

  /** Gives the next play, beside a round: by chance of its own, so that the choices of the round stay the seed's. */
  async #givePlay(seed: number): Promise<void> {
    const play = this.#plays.shift()!
    this.#plays.push(play)
    const { story, known_ids } = this.#casting
    await play({
      story,
      db: this.#target.db,
      dice: diceOf(seed),
      today: this.#target.today(),
      known_ids,
      work: () => this.#work(),
      actorOf: (name) => this.#cast.find(([, actor]) => actor.name === name)![1],
      fire: async (shot) => {
        const reply = await this.#fire(shot)
        this.#note(shot, reply)
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

/** The words in the names of an organization that an actor may not be shown. */
const marksBeside = ({ sees, mark }: Actor): string[] =>
  sees === null ? [] : ['Quillon', 'Vantor'].filter((word) => word !== mark)

async function readDocuments(url: string): Promise<Record<'partner' | 'operator', Json>> {
  const read = async (path: string) => (await (await ask(url + path)).json()) as Json
  return { partner: await read('/v1/openapi.json'), operator: await read('/operator/v1/openapi.json') }
}
