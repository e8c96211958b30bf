import { Agent, request } from 'node:http'
import type { Shot } from './shots.ts'

/** What came back, and after how many milliseconds; status 0 when nothing did, and why as the text. */
export type Reply = { status: number; headers: Record<string, string>; text: string; ms: number }

const patience_ms = 60_000

/** Sends shots as they are, with what no well-behaved client would send. */
export function marksman(url: string): { fire(shot: Shot): Promise<Reply>; rest(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const { hostname, port } = new URL(url)
  const fire = (shot: Shot) =>
    new Promise<Reply>((resolve) => {
      const begun = performance.now()
      const end = (reply: Omit<Reply, 'ms'>) => resolve({ ...reply, ms: performance.now() - begun })
      const lost = (error: Error) => end({ status: 0, headers: {}, text: error.message })
      const body = shot.body === undefined ? undefined : Buffer.from(shot.body)
      const headers = [['host', `${hostname}:${port}`], ...shot.headers]
      if (body) headers.push(['content-length', String(body.length)])
      const options = {
        agent,
        hostname,
        port,
        method: shot.method,
        path: shot.path,
        headers: headers.flat(),
        timeout: patience_ms,
      }
      const sent = request(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', lost)
        response.on('end', () => {
          const told = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const)
          end({
            status: response.statusCode!,
            headers: Object.fromEntries(told),
            text: Buffer.concat(chunks).toString(),
          })
        })
      })
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${patience_ms} ms`)))
      sent.on('error', lost)
      sent.end(body)
    })
  return { fire, rest: () => agent.destroy() }
}

/** The shot as a line of curl, to be tried by hand. */
export function curlOf(url: string, { method, path, headers, body }: Shot): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const told = headers.map(([name, value]) => ` -H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`).join('')
  const data = body === undefined ? '' : ` --data-binary ${quote(body.toString())}`
  return `curl -si --path-as-is -X ${method} ${quote(url + path)}${told}${data}`
}
