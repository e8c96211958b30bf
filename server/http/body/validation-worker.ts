import { once } from 'node:events'
import { MessageChannel, MessagePort, Worker } from 'node:worker_threads'
import type { RawBody } from './bodies.ts'
import { limits_of_thread } from '../../kernel/background-thread.ts'
import type { Endpoint, SentBody } from '../endpoint.ts'
import { busy, FairQueue } from '../../kernel/fair-queue.ts'
import { invalid, Refusal, type Detail } from '../../kernel/refusal.ts'
import { unhurried } from '../../kernel/slices.ts'
import { readStaged, stageRows, type StagedRows } from '../../kernel/staged-rows.ts'
import { ReadingAhead, type StagedBody } from './read-ahead.ts'
import { parseBody, type Asked, type Shape } from './validate.ts'

/** What the thread is asked: a body and the operation that takes it. `ahead`: the number by which it may know it. */
type Question = { operation: string; raw: RawBody; asked: Asked | undefined; ahead: number | undefined }

/** What comes next of a body that the thread reads while it comes; nothing where that has an end. */
type PartOfBody = {
  part_of: number
  operation: string
  asked: Asked | undefined
  bytes: Uint8Array<ArrayBuffer> | undefined
}

/** What was found: a shape, its rows apart and in words when it has many; or what is wrong. */
type Finding = { shape: Shape; rows?: StagedRows } | { details: Detail[] } | { error: Error }

/** How many are read at a time: that holds up all else. */
const rows_at_once = 500

/** What the thread says first, once it has loaded all that it needs. */
const ready = 'ready'

/**
 * Milliseconds: far beyond the worst body. A thread that takes longer is ended, or it would hold up all others. One
 * that is still loading then, on a machine that has other things to do, goes on for the next.
 */
const patience_ms = 60_000

/** Who waits for the thread, beside those who have their body checked: bounded by the seats of an intake. */
const waiting_of_one = 4

/** Bytes of a body that go to the thread at once, while it comes; those that come in one such piece need no more. */
const part_size = 128 * 1024

/** Milliseconds after which a body that is still coming gives way to another. */
const given_way_ms = 500

/** A body that the thread reads while it comes. */
export type Ahead = {
  id: number
  port: MessagePort
  /** Tells what has come of it so far. */
  tell: (so_far: Uint8Array, is_whole?: boolean) => void
  /** Nothing more comes of it. */
  end: () => void
}

export type CheckingApart = {
  /**
   * Checks a body as `parseBody` does here. `whose`: the organization that it is for, or the credential. `ahead`: it
   * was read while it came.
   */
  check: (whose: string, endpoint: Endpoint, raw: RawBody, asked: Asked | undefined, ahead?: Ahead) => Promise<Shape>
  /** Has the thread load what it needs while a body comes. */
  prepare: () => void
  /**
   * Has the thread read a body of JSON whose rows wait, while it comes: one at a time, beside those that are whole, as
   * its processor is idle else. Undefined where another is read so, or it would not be worth it.
   */
  readAhead: (endpoint: Endpoint, bytes: number, asked: Asked | undefined) => Ahead | undefined
}

/** Milliseconds after which a thread ends that is asked for nothing: the next is there before a body has come. */
export const rest_ms = 60_000

/**
 * Checks bodies in a thread, started when the first of them is to come. It has one at a time, of the organizations in
 * turn; when it ends, only that one fails, and the next gets a new thread. Who would wait too long is told to come
 * again (503). An idle thread keeps no process alive, and ends after a rest.
 *
 * We talk over a channel of our own, since a thread is told things by Node too. A body in shared memory is not copied:
 * it must stay as it is until it is answered.
 */
export function checkIn(file: URL): CheckingApart {
  const turns = new FairQueue({ at_once: 1, at_once_of_one: 1, waiting_of_one, patience_ms: 30_000 })
  let thread: Thread | undefined
  let is_asked = false
  const readAhead = oneAhead()
  let resting: NodeJS.Timeout | undefined

  const end = () => {
    void thread?.worker.terminate()
    thread = undefined
  }
  const rest = () => {
    clearTimeout(resting)
    resting = setTimeout(end, rest_ms).unref()
  }
  const start = () => {
    const started = startThread(file)
    const forget = () => {
      if (thread === started) thread = undefined
    }
    started.worker.on('error', forget).on('exit', forget)
    return started
  }
  const check = async (
    { operation, rows }: Endpoint,
    raw: RawBody,
    asked: Asked | undefined,
    known?: Ahead,
  ): Promise<Shape> => {
    clearTimeout(resting)
    is_asked = true
    const asking = (thread ??= start())
    asking.worker.ref()
    try {
      await heardFrom(asking, asking.loaded, false)
      const is_known = known?.port === asking.port
      if (is_known) known.tell(raw.bytes, true)
      const found = await answerOf(asking, { operation, raw, asked, ahead: is_known ? known.id : undefined })
      return await shapeOf(found, rows)
    } finally {
      asking.worker.unref()
      is_asked = false
      rest()
    }
  }
  return {
    check: (whose, endpoint, raw, asked, known) => turns.run(whose, () => check(endpoint, raw, asked, known)),
    prepare() {
      if (is_asked) return
      thread ??= start()
      rest()
    },
    readAhead: (endpoint, bytes, asked) => (thread ? readAhead(thread.port, endpoint, bytes, asked) : undefined),
  }
}

/** What was found, with rows as they are handed on; throws what is wrong. */
async function shapeOf(found: Finding, rows: Endpoint['rows']): Promise<Shape> {
  if ('error' in found) throw found.error
  if ('details' in found) throw invalid(...found.details)
  if (!rows || !found.rows) return found.shape
  const list = await unhurried(readStaged(found.rows))
  return { ...found.shape, body: { ...(found.shape.body as object), [rows.field]: list } }
}

let latest_id = 0

/** Begins to read a body ahead, unless another is read so: one that is still coming after a while gives way. */
function oneAhead() {
  let ahead: { id: number; since: number } | undefined
  return (port: MessagePort, { operation, rows }: Endpoint, bytes: number, asked: Asked | undefined) => {
    const now = performance.now()
    if (!rows?.staged || !(bytes > part_size) || (ahead && now - ahead.since < given_way_ms)) return undefined
    const id = ++latest_id
    ahead = { id, since: now }
    const isEnded = () => {
      if (ahead?.id !== id) return false
      ahead = undefined
      return true
    }
    return partsOf(port, { part_of: id, operation, asked }, isEnded)
  }
}

/**
 * Hands on a body in parts as it comes, where what has come since the last time is enough or the rest. `isEnded` ends
 * it, if it was not ended before.
 */
function partsOf(port: MessagePort, body: Omit<PartOfBody, 'bytes'>, isEnded: () => boolean): Ahead {
  let told = 0
  const post = (bytes: PartOfBody['bytes']) =>
    port.postMessage({ ...body, bytes } satisfies PartOfBody, bytes ? [bytes.buffer] : [])
  return {
    id: body.part_of,
    port,
    tell(so_far, is_whole = false) {
      if (so_far.length === told || (so_far.length - told < part_size && !is_whole)) return
      post(new Uint8Array(so_far.subarray(told)))
      told = so_far.length
    },
    end: () => void (isEnded() && post(undefined)),
  }
}

function startThread(file: URL): Thread {
  const { port1: port, port2 } = new MessageChannel()
  // Not with the flags of the process, such as those of a program given in words, which a file refuses.
  const options = { execArgv: [], resourceLimits: limits_of_thread, workerData: port2, transferList: [port2] }
  const worker = new Worker(file, options)
  const loaded = once(port, 'message')
  worker.unref()
  return { worker, port, loaded }
}

/** `loaded`: it has said that it is ready. */
type Thread = { worker: Worker; port: MessagePort; loaded: Promise<unknown> }

async function answerOf(thread: Thread, question: Question): Promise<Finding> {
  const answer = once(thread.port, 'message') as Promise<[Finding]>
  thread.port.postMessage(question)
  const [said] = await heardFrom(thread, answer, true)
  return said
}

/**
 * What a thread says. Throws when it ends before that, and a 503 when it takes too long: one that is `ended_when_late`
 * only once it has ended, so that the next starts another.
 */
async function heardFrom<Said>({ worker }: Thread, saying: Promise<Said>, ended_when_late: boolean): Promise<Said> {
  const over = new AbortController()
  const { promise: patience, reject } = Promise.withResolvers<never>()
  let is_late = false
  const timer = setTimeout(() => {
    is_late = true
    if (ended_when_late) void worker.terminate()
    else reject(busy())
  }, patience_ms)
  const ended = once(worker, 'exit', { signal: over.signal }).then(() => {
    throw is_late ? busy() : new Error('The thread that checks bodies ended.')
  })
  try {
    return await Promise.race([saying, ended, patience])
  } finally {
    clearTimeout(timer)
    over.abort()
    for (const one of [ended, saying]) one.catch(() => undefined)
  }
}

/** What runs in the thread: it checks bodies, by their operations, and hands rows over without copying them. */
export function checkHere(port: MessagePort, bodies: Record<string, SentBody>): void {
  let ahead: { id: number; reading: ReadingAhead } | undefined
  const answer = ({ operation, raw, asked, ahead: id }: Question) => {
    const reading = ahead && ahead.id === id ? ahead.reading : undefined
    const finding = find(bodies[operation]!, raw, asked, reading)
    const staged = 'shape' in finding ? (finding.rows ?? finding.shape.staged) : undefined
    port.postMessage(finding, staged ? staged.pieces.map(({ buffer }) => buffer) : [])
  }
  const take = ({ part_of: id, operation, asked, bytes }: PartOfBody) => {
    // Those of a body that has given way to another come late.
    if (ahead && id < ahead.id) return
    if (!bytes) ahead = undefined
    else {
      if (ahead?.id !== id) ahead = { id, reading: new ReadingAhead(bodies[operation] as StagedBody, asked) }
      ahead.reading.take(bytes)
    }
  }
  port.on('message', (said: Question | PartOfBody) => ('part_of' in said ? take(said) : answer(said)))
  port.postMessage(ready)
}

function find(taken: SentBody, raw: RawBody, asked: Asked | undefined, ahead: ReadingAhead | undefined): Finding {
  try {
    const shape = ahead?.finish(raw) ?? parseBody(taken, raw, asked)
    if (!taken.rows || shape.staged) return { shape }
    const { [taken.rows.field]: list, ...body } = shape.body as Record<string, unknown>
    return Array.isArray(list) ? { shape: { ...shape, body }, rows: stageRows(list, rows_at_once) } : { shape }
  } catch (error) {
    return error instanceof Refusal ? { details: error.details } : { error: error as Error }
  }
}
