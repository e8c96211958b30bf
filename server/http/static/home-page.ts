import type { FastifyInstance } from 'fastify'
import { basePathOf } from './built-files.ts'
import { console_path } from './console.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { api_version } from '../errors.ts'

/** Entry points, for a program that knows only the base address. */
const entryPoints = (base: string) => ({
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

/** True if a browser sends the request. Programs accept anything or JSON. */
const isBrowser = (accept = ''): boolean => /\btext\/html\b/.test(accept)

/**
 * Serves `/`: programs get a list of addresses. Browsers are redirected to the console, in a sandbox to the page where
 * visitors choose a person.
 */
export function serveHome(app: FastifyInstance, settings: Runtime['settings']): void {
  app.get('/', (request, reply) => {
    const { public_url, sandbox } = settings
    reply.header('vary', 'accept')
    if (!isBrowser(request.headers.accept)) return reply.send(entryPoints(public_url ?? ''))
    return reply.redirect(`${basePathOf(public_url)}${sandbox ? '/sign-in' : console_path}`, 302)
  })
}
