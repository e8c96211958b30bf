import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { configOf, within, type Database, type Db } from '../query/database.ts'
import { isDatabaseError } from '../query/pipeline.ts'
import { openReading, type ReadConnections } from '../query/reads.ts'
import { no_organization } from '../query/rows-of.ts'
import { findPositions, saveBeat, savePositions } from './write-positions.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Why a read went to the primary: the replica had not come so far, can't do it, or is not there. */
type Fall = 'behind' | 'refused' | 'gone'

export type ReplicaStanding = {
  /** seconds since when the replica is known to have had all there was; infinite before it is known */
  late_seconds: number
  /** why nothing is read from it now; undefined: it is read from */
  why_not: string | undefined
  /** reads that it answered, and those that were to go to it and went to the primary, by the reason */
  answered: number
  fallen: Readonly<Record<Fall, number>>
}

/** A replica that follows our database, from which requests read (decision 148). */
export type Replica = {
  /** Notes that they have written, by ids of organizations and credentials, before they are told that it is done. */
  note(whose: string[]): Promise<void>
  /** For a request of somebody who must see all that these have written: reads of the replica, or of the primary. */
  readsFor(whose: string[]): Promise<Database['readsOf']>
  /** Looks whether it follows us, from now on twice a second. */
  watch(): void
  look(): Promise<void>
  standing(): ReplicaStanding
  close(): Promise<void>
}

export type ReplicaOptions = {
  url: string
  /** the primary */
  database: Database
  log: FastifyBaseLogger
  prepared_statements?: boolean
  /** milliseconds that only go forward */
  now?: () => number
  /** milliseconds after which a replica that says nothing is taken to be gone */
  patience_ms?: number
}

/** Nothing older is read. It is as long as a key that was revoked may still be good. */
const most_late_ms = 4000
const look_every_ms = 500

/** Whoever reads for more than so many reads from the primary. */
const most_asked = 50

/** Milliseconds for which nothing is read from the replica after it could not be noted who has written. */
const unnoted_for_ms = 10_000

/**
 * Opens the connections to a replica: lazily, so that this never fails. Nothing is read from it until it is watched.
 */
export function openReplica(options: ReplicaOptions): Replica {
  const { url, database, log, prepared_statements: prepared = true, now = () => performance.now() } = options
  const { patience_ms = 2000 } = options
  const config = { ...configOf({ url }, prepared), connectionTimeoutMillis: patience_ms }
  const reading = openReading({ config, prepared, quick_connections: 4, slow_connections: 3, is_replica: true })
  const own = database.reads(no_organization)
  const ask = together((whose) => findPositions(own, whose))
  const fitness = openFitness({ own, log, config, now, drop: () => reading.drop() })
  const { readsAt, counts } = openReads({ reading, fitness, database, prepared })
  let unnoted_until = -Infinity
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  let closed = false
  const keepLooking = () => {
    looking = fitness.look().finally(() => {
      if (!closed) timer = setTimeout(keepLooking, look_every_ms).unref()
    })
  }
  return {
    async note(whose) {
      if (whose.length === 0) return
      const save = () => savePositions(own, whose)
      try {
        await save().catch(save)
      } catch (error) {
        log.warn({ err: error as Error }, 'it could not be noted who has written')
        unnoted_until = now() + unnoted_for_ms
      }
    },
    async readsFor(whose) {
      if (!fitness.isFit() || whose.length > most_asked || now() < unnoted_until) return database.readsOf
      const positionOf = await ask(whose).catch(() => undefined)
      return positionOf ? readsAt(Math.max(0, ...whose.map(positionOf))) : database.readsOf
    },
    watch: keepLooking,
    look: fitness.look,
    standing: () => ({ ...fitness.standing(), ...counts() }),
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
      await Promise.all([fitness.close(), reading.close()])
    },
  }
}

type ReadsOptions = {
  reading: ReadConnections
  fitness: Fitness
  database: Database
  prepared: boolean
}

/** Reads of the replica, each of which goes to the primary when the replica does not answer it. */
function openReads({ reading, fitness, database, prepared }: ReadsOptions) {
  const fallen = { behind: 0, refused: 0, gone: 0 }
  const refused = new Set<string>()
  let answered = 0
  const noteFall = (error: Error, text: string): void => {
    const code = isDatabaseError(error) ? error.code! : ''
    const reason = code === 'OB002' ? 'behind' : cannot.test(code) ? 'refused' : 'gone'
    fallen[reason]++
    if (reason === 'refused') refused.add(text)
    if (reason === 'gone' && !conflicts.test(code)) fitness.leave(error.message)
  }
  /** Reads of one request. One that was answered by the primary is answered by it to the end: it goes not back. */
  const readsAt = (position: number): Database['readsOf'] => {
    let has_fallen = false
    return (turn, rows_of) => {
      const primary = database.readsOf(turn, rows_of)
      const replica = within(rows_of, prepared, (query, name) => reading.run(turn, name, { ...query, position }))
      const either = async <T>(text: string, read: (db: Db) => Promise<T>): Promise<T> => {
        has_fallen ||= !fitness.isFit() || refused.has(text)
        if (has_fallen) return read(primary)
        try {
          const found = await read(replica)
          answered++
          return found
        } catch (error) {
          if (isOurs(error)) throw error
          noteFall(error as Error, text)
          has_fallen = true
          return read(primary)
        }
      }
      return {
        divided: false,
        rows: <Row extends object>(text: string, values?: unknown[]) =>
          either(text, (db) => db.rows<Row>(text, values)),
        row: <Row extends object>(text: string, values?: unknown[]) => either(text, (db) => db.row<Row>(text, values)),
        json: (text, values) => either(text, (db) => db.json(text, values)),
      }
    }
  }
  return { readsAt, counts: () => ({ answered, fallen }) }
}

/** What a replica can't do by its nature, such as reading an unlogged table. */
const cannot = /^(0A000|25006)$/

/** Such as a row that the log took away while the replica was reading it: the next read may go to it. */
const conflicts = /^40/

/** What would be no different at the primary: too much at once, out of time, a value that can't be. */
const isOurs = (error: unknown): boolean =>
  error instanceof Refusal || (isDatabaseError(error) && /^(57014$|22|23)/.test(error.code ?? ''))

/** Has those who ask while an answer is on its way wait for the next one, which is all of theirs. */
function together<Answer>(ask: (ids: string[]) => Promise<Answer>): (ids: string[]) => Promise<Answer> {
  let gathered: { ids: Set<string>; answer: Promise<Answer> } | undefined
  let under_way: Promise<unknown> = Promise.resolve()
  const gather = () => {
    const ids = new Set<string>()
    const answer = under_way.then(() => {
      gathered = undefined
      return ask([...ids])
    })
    under_way = answer.catch(() => undefined)
    return { ids, answer }
  }
  return (ids) => {
    gathered ??= gather()
    for (const id of ids) gathered.ids.add(id)
    return gathered.answer
  }
}

type Fitness = {
  isFit(): boolean
  /** Nothing is read from it until it was looked at again. */
  leave(reason: string): void
  /** Looks at the primary and the replica. */
  look(): Promise<void>
  standing(): Pick<ReplicaStanding, 'late_seconds' | 'why_not'>
  close(): Promise<void>
}

type FitnessOptions = {
  /** the primary */
  own: Db
  log: FastifyBaseLogger
  config: pg.ClientConfig
  now: () => number
  /** hangs up on those that wait for the replica */
  drop: () => void
}

/**
 * Whether a server follows our database, and not long behind: it has a beat that we have seen there a moment ago, which
 * nobody could know who does not. So neither a replica that was promoted, nor one that follows another server than we
 * write to, nor one of somebody else's database is read from.
 */
function openFitness({ own, log, config, now, drop }: FitnessOptions): Fitness {
  const seen_at = new Map<string, number>()
  let had_all_at = -Infinity
  let why_not: string | undefined = 'it was not looked at yet'
  const { askThere, hangUp } = openProbe(config)

  const isFit = () => why_not === undefined && now() - had_all_at < most_late_ms
  const leave = (reason: string) => {
    if (why_not === undefined) log.warn({ reason }, 'nothing is read from the replica')
    why_not = reason
  }
  const lookHere = async (): Promise<string | undefined> => {
    const asked_at = now()
    const { beat, silent_processes } = await saveBeat(own)
    if (beat !== null && !seen_at.has(beat)) seen_at.set(beat, asked_at)
    for (const old of [...seen_at.keys()].slice(0, -20)) seen_at.delete(old)
    return silent_processes > 0 ? `${silent_processes} processes do not have READ_DATABASE_URL` : undefined
  }
  const lookThere = async (): Promise<string | undefined> => {
    const { is_replica, beat } = await askThere().catch((error: Error) => {
      drop()
      throw error
    })
    if (!is_replica) return 'it is no replica'
    had_all_at = Math.max(had_all_at, seen_at.get(beat ?? '') ?? -Infinity)
    return now() - had_all_at < most_late_ms ? undefined : 'it is too far behind, or follows another server'
  }
  return {
    isFit,
    leave,
    async look() {
      try {
        const reason = (await lookHere()) ?? (await lookThere())
        if (reason !== undefined) return leave(reason)
        if (why_not !== undefined) log.info('the replica is read from')
        why_not = undefined
      } catch (error) {
        leave((error as Error).message)
      }
    },
    standing: () => ({ late_seconds: (now() - had_all_at) / 1000, why_not: isFit() ? undefined : (why_not ?? 'late') }),
    close: async () => hangUp(),
  }
}

/** Asks a replica what it says of itself, over a session of its own that is replaced when it breaks. */
function openProbe(config: pg.ClientConfig) {
  let client: pg.Client | undefined
  const connect = async (): Promise<pg.Client> => {
    const query_timeout = config.connectionTimeoutMillis!
    const opened = new pg.Client({ ...config, query_timeout, application_name: 'openbenefits replica' })
    opened.on('error', () => undefined)
    await opened.connect()
    return opened
  }
  const hangUp = () => {
    client?.end().catch(() => undefined)
    client = undefined
  }
  return {
    async askThere(): Promise<{ is_replica: boolean; beat: string | null }> {
      try {
        client ??= await connect()
        const { rows } = await client.query(
          'select pg_is_in_recovery() as is_replica, (select beat from replica_beats) as beat',
        )
        return rows[0]
      } catch (error) {
        hangUp()
        throw error
      }
    },
    hangUp,
  }
}
