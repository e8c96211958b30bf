import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests.ts'

/** The response and its time in milliseconds. Status 0 means no response, with the reason as text. */
export type Reply = { status: number; headers: Record<string, string>; text: string; ms: number }

const timeout_ms = 60_000

/** Sends requests unchanged, even if no well-behaved client would send them. */
export function openSender(url: string): { send(fuzz_request: FuzzRequest): Promise<Reply>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const { hostname, port } = new URL(url)
  const send = (fuzz_request: FuzzRequest) =>
    new Promise<Reply>((resolve) => {
      const begun = performance.now()
      const end = (reply: Omit<Reply, 'ms'>) => resolve({ ...reply, ms: performance.now() - begun })
      const lost = (error: Error) => end({ status: 0, headers: {}, text: error.message })
      const body = fuzz_request.body === undefined ? undefined : Buffer.from(fuzz_request.body)
      const headers = [['host', `${hostname}:${port}`], ...fuzz_request.headers]
      if (body) headers.push(['content-length', String(body.length)])
      const options = {
        agent,
        hostname,
        port,
        method: fuzz_request.method,
        path: fuzz_request.path,
        headers: headers.flat(),
        timeout: timeout_ms,
      }
      const sent = request(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', lost)
        response.on('end', () => {
          const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
          end({
            status: response.statusCode!,
            headers: Object.fromEntries(received),
            text: Buffer.concat(chunks).toString(),
          })
        })
      })
      sent.on('timeout', () => sent.destroy(new Error(`no response within ${timeout_ms} ms`)))
      sent.on('error', lost)
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/** The equivalent curl command of a request, for reproducing it by hand. */
export function curlOf(url: string, { method, path, headers, body }: FuzzRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const header_options = headers
    .map(([name, value]) => ` -H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`)
    .join('')
  const data = body === undefined ? '' : ` --data-binary ${quote(body.toString())}`
  return `curl -si --path-as-is -X ${method} ${quote(url + path)}${header_options}${data}`
}
