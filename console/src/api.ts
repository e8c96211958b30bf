import type * as Answers from '../../server/test/contract-types.ts'
import { base_url, getToken } from './session.ts'

/** A refusal in the service's own words: `details` name the fields. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly details: { field: string; message: string }[]
  readonly trace_id: string

  constructor(status: number, body: Answers.ApiError) {
    super(body.message)
    this.status = status
    this.code = body.error.code
    this.details = body.error.details
    this.trace_id = body.trace_id
  }
}

type Query = Record<string, string | number | boolean | readonly string[] | undefined>

const queryOf = (query: Query): string => {
  const said = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) said.append(name, each)
    else if (value !== undefined && value !== '') said.set(name, String(value))
  }
  return said.size > 0 ? `?${said}` : ''
}

type Init = { query?: Query; body?: unknown; content_type?: string; signal?: AbortSignal | undefined }

async function call<T>(
  method: string,
  path: string,
  { query = {}, body, content_type, signal }: Init = {},
): Promise<T> {
  const headers: Record<string, string> = { authorization: `Bearer ${await getToken()}` }
  if (body !== undefined) headers['content-type'] = content_type ?? 'application/json'
  // Said again after a lost answer, a deed is done once.
  if (method === 'POST') headers['idempotency-key'] = crypto.randomUUID()
  const answer = await fetch(`${base_url}${path}${queryOf(query)}`, {
    method,
    headers,
    signal: signal ?? null,
    ...(body !== undefined && { body: content_type ? (body as string) : JSON.stringify(body) }),
  })
  const read = answer.status === 204 ? undefined : await answer.json()
  if (!answer.ok) throw new Refused(answer.status, read)
  return read as T
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  call<T>('GET', path, { ...(query && { query }), signal })
export const send = <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, init?: Init): Promise<T> =>
  call<T>(method, path, init)
