import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { generic, Refusal } from '../../kernel/refusal.ts'

/** What there is to a path: its methods, those that are answered elsewhere, and what is asked before any is refused. */
type KnownPath = { allowed: string[]; answered: string[]; admit: Admit | undefined }
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Paths by their segments: those that are written out, `:` for any one, and `*` for all that follow. */
type Branch = { next: Map<string, Branch>; known?: KnownPath }

const books = new WeakMap<FastifyInstance, Branch>()

/**
 * Has a path answer every method but those that it has with 405, and with their names. By a book that is looked into
 * when no route was found: a route for each other method at each path would be thousands, a tenth of a start.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  allowed: string[],
  { answered = [], admit }: { answered?: string[]; admit?: Admit } = {},
): void {
  const book: Branch = books.get(app) ?? { next: new Map() }
  books.set(app, book)
  let branch = book
  for (const segment of url.split('/')) {
    const name = segment.startsWith(':') ? ':' : segment
    const next = branch.next.get(name) ?? { next: new Map() }
    branch.next.set(name, next)
    branch = next
  }
  branch.known = { allowed, answered, admit }
}

/**
 * Refuses requests for which no route was found, where their path has other methods or `admit` refuses who asks: before
 * a body is read, so that it costs no more than that. Returns the same for a route that has nothing to answer with.
 */
export function refuseUnknownAt(app: FastifyInstance, admit: Admit): Admit {
  const refuse: Admit = async (request, reply) => {
    await refuseIfOther(app, request, reply)
    await admit(request, reply)
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply)
  })
  return refuse
}

/** Throws the 405 of a request without a route, where its path has other methods and who asks is admitted. */
async function refuseIfOther(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [known] = readingsOf(books.get(app), pathOf(request).split('/'), 0)
  if (!known || known.allowed.includes(request.method) || known.answered.includes(request.method)) return
  await known.admit?.(request, reply)
  throw otherMethod(known)
}

/**
 * The same for a path that the router would read as another one, whose methods it has not: `/keys/report` as
 * `/keys/{key_id}`.
 */
export function refuseReadings(app: FastifyInstance, url: string): void {
  const [known, ...others] = readingsOf(books.get(app), url.split('/'), 0)
  const method = [...new Set(others.flatMap(({ allowed }) => allowed))].filter((name) => !known!.allowed.includes(name))
  if (method.length === 0) return
  app.route({
    method,
    url,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      await known!.admit?.(request, reply)
      throw otherMethod(known!)
    },
  })
}

const otherMethod = ({ allowed }: KnownPath) =>
  new Refusal(generic.method_not_allowed, [], { allow: allowed.join(', ') })

/** What a path may be read as, the nearest first: a segment that is written out comes before any other. */
function* readingsOf(branch: Branch | undefined, segments: string[], at: number): Generator<KnownPath> {
  if (!branch) return
  if (at === segments.length) {
    if (branch.known) yield branch.known
    return
  }
  yield* readingsOf(branch.next.get(segments[at]!), segments, at + 1)
  yield* readingsOf(branch.next.get(':'), segments, at + 1)
  yield* readingsOf(branch.next.get('*'), segments, segments.length)
}

/** The path as the router reads it: without a scheme and host, and with what is spelled by escapes. */
export function pathOf({ url }: FastifyRequest): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
