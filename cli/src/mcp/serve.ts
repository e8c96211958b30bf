import { once } from 'node:events'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Io } from '../io.ts'
import type { Profile } from '../profiles.ts'
import { serveHttp } from './http.ts'
import { openPlans } from './plans.ts'
import { buildServer, openShared } from './server.ts'

/** The maximum message size: the API's limit for a census. */
const largest_message = 16 * 1024 * 1024

/** Serves MCP over stdio until the input ends. */
export async function overStdio(profile: Profile, io: Io): Promise<void> {
  const shared = openShared(openPlans())
  const transport = new StdioServerTransport(io.stdin, io.stdout, { maxBufferSize: largest_message })
  const onerror = ({ message }: Error) => void io.stderr.write(`${message}\n`)
  const { close } = serveStdio(() => buildServer(profile, shared), { transport, onerror })
  const ended = Promise.race([once(io.stdin, 'close'), once(io.stdin, 'end')])
  if (!io.signal.aborted) await Promise.race([ended, once(io.signal, 'abort')])
  await close()
}

/** Serves MCP over HTTP on the loopback interface until the signal aborts. */
export async function overHttp(service: string, port: number, io: Io): Promise<void> {
  const { url, close } = await serveHttp(service, openShared(openPlans()), port)
  io.stderr.write(`MCP for ${service} at ${url}\n`)
  if (!io.signal.aborted) await once(io.signal, 'abort')
  await close()
}
