import type { FastifyInstance } from 'fastify'
import { baseOf } from '../../docs-site/site.ts'
import { console_path } from './console.ts'
import { api_version } from '../errors.ts'

/** What there is, for a program that knows nothing but the address. */
const indexAt = (base: string) => ({
  name: 'OpenBenefits',
  api_version,
  console: `${base}${console_path}`,
  docs: `${base}/docs`,
  llms: `${base}/llms.txt`,
  openapi: `${base}/v1/openapi.json`,
  operator_openapi: `${base}/operator/v1/openapi.json`,
  sign_in: `${base}/sign-in`,
  health: `${base}/health/ready`,
})

/** Whether it is a browser that asks: programs take anything, or say JSON. */
const isBrowser = (accept = ''): boolean => /\btext\/html\b/.test(accept)

/** Adds what the bare address answers: to a browser the console, to a program a list of what there is. */
export function serveHome(app: FastifyInstance, public_url: () => string | null): void {
  app.get('/', (request, reply) => {
    reply.header('vary', 'accept')
    if (isBrowser(request.headers.accept)) return reply.redirect(`${baseOf(public_url())}${console_path}`, 302)
    return reply.send(indexAt(public_url() ?? ''))
  })
}
