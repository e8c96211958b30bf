import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { generic, Refusal } from '../../kernel/refusal.ts'

/** What else there is to a path: methods that are answered elsewhere, and what is asked before any is refused. */
type Besides = { answered?: string[]; onRequest?: onRequestAsyncHookHandler }

/** Has a path answer every method but those that it has with 405, and with their names. */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: string[], besides: Besides = {}): void {
  const { answered = [], onRequest } = besides
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method) && !answered.includes(method)),
    url,
    ...(onRequest && { onRequest }),
    handler: async () => {
      throw new Refusal(generic.method_not_allowed, [], { allow: allowed.join(', ') })
    },
  })
}
