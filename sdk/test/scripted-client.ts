import { OpenBenefits, type ClientOptions } from 'openbenefits'

/** A scripted response: a status with body and headers, or no response. */
export type Scripted = { status?: number; body?: unknown; headers?: Record<string, string> } | Error

export type Sent = { method: string; path: string; headers: Headers; body: unknown }

/** The body of a refusal, as the service sends it. */
export const refusal = (code: string, details: { field: string; message: string }[] = []) => ({
  error: {
    code,
    message: details[0] ? `${details[0].field}: ${details[0].message}` : `Refused: ${code}.`,
    details,
    doc_url: `http://x/docs/errors/${code}`,
  },
  app_error_code: code,
  message: code,
  timestamp: '2026-03-10T14:05:09.123Z',
  trace_id: 'trace-1',
})

/**
 * A client with scripted responses. The last response repeats. Records the sent requests and the waits between
 * attempts, without waiting.
 */
export function scriptedClient(script: Scripted[], options: ClientOptions = {}) {
  const sent: Sent[] = []
  const pauses: number[] = []
  const ob = new OpenBenefits({
    apiKey: 'obk_test_x',
    baseUrl: 'http://service.example',
    fetch: async (request) => {
      const text = await request.text()
      const path = request.url.replace('http://service.example', '')
      const is_json = request.headers.get('content-type') === 'application/json'
      sent.push({ method: request.method, path, headers: request.headers, body: is_json ? JSON.parse(text) : text })
      const scripted = script[Math.min(sent.length, script.length) - 1]!
      if (scripted instanceof Error) throw scripted
      const { status = 200, body = { data: {} }, headers } = scripted
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers: headers ?? {} })
    },
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    ...options,
  })
  return { ob, sent, pauses }
}
