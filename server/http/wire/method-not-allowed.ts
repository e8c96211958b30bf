import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { generic, Refusal } from '../../kernel/refusal.ts'

/** A path's allowed methods, methods handled elsewhere, and the check before a refusal. */
type KnownPath = { allowed: string[]; answered: string[]; admit: Admit | undefined }
type Admit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A tree of paths by segment: a literal, `:` for any one segment, or `*` for the rest. */
type Branch = { next: Map<string, Branch>; known?: KnownPath }

const trees = new WeakMap<FastifyInstance, Branch>()

/**
 * Makes a path respond with 405 and an Allow header to all other methods. It searches a tree of paths if no route
 * matches. A route for each other method and path would add thousands of routes and 10% to the startup time.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  allowed: string[],
  { answered = [], admit }: { answered?: string[]; admit?: Admit } = {},
): void {
  const tree: Branch = trees.get(app) ?? { next: new Map() }
  trees.set(app, tree)
  let branch = tree
  for (const segment of url.split('/')) {
    const name = segment.startsWith(':') ? ':' : segment
    const next = branch.next.get(name) ?? { next: new Map() }
    branch.next.set(name, next)
    branch = next
  }
  branch.known = { allowed, answered, admit }
}

/**
 * Refuses requests without a matching route before their body is read: with 405 if the path has other methods, or if
 * `admit` refuses the caller. Returns the same check for handlers that find nothing to return.
 */
export function refuseUnknownAt(app: FastifyInstance, admit: Admit): Admit {
  const refuse: Admit = async (request, reply) => {
    await refuseOtherMethod(app, request, reply)
    await admit(request, reply)
  }
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply)
  })
  return refuse
}

/** Throws the 405 of a request whose path has other methods, if `admit` accepts the caller. */
async function refuseOtherMethod(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [known] = matchesOf(trees.get(app), pathOf(request).split('/'), 0)
  if (!known || known.allowed.includes(request.method) || known.answered.includes(request.method)) return
  await known.admit?.(request, reply)
  throw otherMethod(known)
}

/**
 * Adds 405 routes for a literal path such as `/keys/report`. Without them, other methods would match a path with a
 * parameter, such as `/keys/{key_id}`.
 */
export function refuseOverlappingPaths(app: FastifyInstance, url: string): void {
  const [known, ...others] = matchesOf(trees.get(app), url.split('/'), 0)
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

function otherMethod({ allowed }: KnownPath): Refusal {
  const allow = allowed.join(', ')
  return new Refusal({ ...generic.method_not_allowed, message: `This path supports only ${allow}.` }, [], { allow })
}

/** The known paths that match, the most specific first: literal segments come before parameters. */
function* matchesOf(branch: Branch | undefined, segments: string[], at: number): Generator<KnownPath> {
  if (!branch) return
  if (at === segments.length) {
    if (branch.known) yield branch.known
    return
  }
  yield* matchesOf(branch.next.get(segments[at]!), segments, at + 1)
  if (segments[at] !== '') yield* matchesOf(branch.next.get(':'), segments, at + 1)
  yield* matchesOf(branch.next.get('*'), segments, segments.length)
}

/** The path as the router reads it: without scheme and host, and with escapes decoded. */
export function pathOf({ url }: FastifyRequest): string {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
