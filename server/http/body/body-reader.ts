import type { FastifyReply, FastifyRequest } from 'fastify'
import { announcedBody, readBody, declaredLength } from './bodies.ts'
import type { Ahead, CheckingApart } from './validation-worker.ts'
import type { Endpoint } from '../endpoint.ts'
import { readingBodies } from './body-queue.ts'
import { parseBody, type Asked, type Shape } from './validate.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'

export type Intake = {
  /**
   * Reads the body of a request that may be made, and checks it. `whose`: the organization that it is for, or the
   * credential. Throws the 400, 413 or 415 that it deserves, or a 503 when too much of theirs is held or waits.
   */
  take: (
    endpoint: Endpoint,
    request: FastifyRequest,
    reply: FastifyReply,
    whose: string,
    asked?: Asked,
  ) => Promise<Shape>
  /**
   * Does the write with a body that was taken: of large ones a few at a time, since each stays in memory until it is
   * written. Throws a 503 when too many of theirs wait.
   */
  perform: <T>(endpoint: Endpoint, whose: string, write: () => Promise<T>) => Promise<T>
}

/** Bytes up to which many rows are checked right here. */
const few_rows = 8 * 1024

/** Bytes of bodies that are held until they are checked. */
const memory = 256 * 1024 * 1024
/**
 * Bodies with many rows that are read and checked at once: 4 of each of very many, since who sends slowly keeps his
 * own.
 */
const seats = { at_once: 256, at_once_of_one: 4, waiting_of_one: 100, patience_ms: 30_000 }

/** Large bodies that are written at once, and that wait to be. */
const large_writes = { at_once: 16, at_once_of_one: 1, waiting_of_one: 8, patience_ms: 30_000 }

/**
 * Takes in the bodies of requests. What is about one thing is small, and checked right here, in a millisecond or two
 * whatever it holds; many rows in a thread, the organizations in turn.
 */
export function openIntake(apart: CheckingApart): Intake {
  const readInTurn = readingBodies(memory)
  const seated = new FairQueue(seats)
  const writing = new FairQueue(large_writes)

  return {
    async take(endpoint, request, reply, whose, asked) {
      const media_type = endpoint.body && announcedBody(request.raw, endpoint)
      if (!media_type) return parseBody(endpoint, undefined, asked)
      const is_large = endpoint.rows !== undefined || endpoint.large === true
      const take = (ahead?: Ahead) =>
        readInTurn(whose, async (reading) => {
          const told = { ...reading, tell: ahead?.tell }
          const raw = { media_type, bytes: await readBody(request.raw, reply.raw, endpoint, told) }
          if (!is_large || raw.bytes.length <= few_rows) return parseBody(endpoint, raw, asked)
          return apart.check(whose, endpoint, raw, asked, ahead)
        })
      const takeAhead = () => {
        const length = media_type === 'application/json' ? declaredLength(request.raw) : 0
        const ahead = apart.readAhead(endpoint, length, asked)
        return take(ahead).finally(() => ahead?.end())
      }
      // A length that is not said may be any.
      if (!is_large || declaredLength(request.raw) <= few_rows) return take()
      apart.prepare()
      return seated.run(whose, takeAhead)
    },
    perform: (endpoint, whose, write) => (endpoint.large ? writing.run(whose, write) : write()),
  }
}
