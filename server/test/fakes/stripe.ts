import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Fields = Record<string, unknown>
type Customer = { id: string; created: number; metadata: Record<string, string>; name: string }
type Line = { id: string; amount: number; description: string; metadata: Record<string, string> }
type Transitions = { finalized_at: number | null; paid_at: number | null; voided_at: number | null }
export type FakeInvoice = {
  id: string
  object: 'invoice'
  customer: string
  number: string
  status: 'draft' | 'open' | 'paid' | 'void'
  due_date: number | null
  metadata: Record<string, string>
  lines: Line[]
  paid_out_of_band: boolean
  status_transitions: Transitions
}

/**
 * The trouble of a request. `busy`: refused with 429; `failing`: refused with 500; `failing late`: processed, but the
 * response is 500; `forgetful`: processed, but the connection breaks before the response; `dropping`: the connection
 * breaks before processing; `silent`: no response; `at work`: refused with 409, because a request with the same key is
 * in progress.
 */
export type Trouble = 'busy' | 'failing' | 'failing late' | 'forgetful' | 'dropping' | 'silent' | 'at work'

export type FakeStripe = {
  /** The fake's clock. */
  seconds: () => number
  url: string
  customers: Customer[]
  invoices: FakeInvoice[]
  /** The requests so far, such as `POST /v1/invoices`. */
  requests: string[]
  /** The trouble of every request while set. */
  behavior: Trouble | undefined
  /** Faults, each for one request: the next one whose request line starts with `at`. */
  troubles: { at: string; trouble: Trouble }[]
  /** Forgets all idempotency keys, as after 24 hours. */
  forgetKeys(): void
  stop(): Promise<void>
}

type Answer = { status: number; body: string; headers?: Record<string, string> }
type Kept = { fingerprint: string; answer: Answer }
type State = Omit<FakeStripe, 'url' | 'forgetKeys' | 'stop'> & { kept: Map<string, Kept>; ids: number }

export const stripe_secret_key = 'sk_test_of_the_fake'
export const stripe_webhook_secret = 'whsec_of_the_fake'

/**
 * The part of Stripe that the service uses, over HTTP on loopback: customers, and the life cycle of invoices.
 * Idempotency keys work as at Stripe: the first response is stored once processing has begun, including failures, and
 * another body with the same key is an error. Uses the real clock by default.
 */
export async function fakeStripe(clock: () => number = Date.now): Promise<FakeStripe> {
  const state: State = {
    seconds: () => Math.floor(clock() / 1000),
    customers: [],
    invoices: [],
    requests: [],
    behavior: undefined,
    troubles: [],
    kept: new Map(),
    ids: 0,
  }
  const server = createServer((request, response) => void serve(state, request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    forgetKeys: () => state.kept.clear(),
    async stop() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  })
}

/** The total of an invoice in the fake, in cents. */
export const totalOf = ({ lines }: FakeInvoice): number => lines.reduce((sum, { amount }) => sum + amount, 0)

/** The body of a webhook about an invoice, and its header `stripe-signature` for an instant in milliseconds. */
export function webhookOf(
  type: string,
  invoice: FakeInvoice,
  { secret = stripe_webhook_secret, at }: { secret?: string; at: number },
): { body: string; signature: string } {
  const event = { id: `evt_${crypto.randomUUID()}`, object: 'event', type, data: { object: shown(invoice) } }
  const body = JSON.stringify(event, null, 2)
  const t = Math.floor(at / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  return { body, signature: `t=${t},v1=${v1},v0=${'0'.repeat(64)}` }
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url!, 'http://stripe')
  const line = `${request.method} ${pathname}`
  state.requests.push(line)
  const body = await text(request)
  const index = state.troubles.findIndex(({ at }) => line.startsWith(at))
  const trouble = index >= 0 ? state.troubles.splice(index, 1)[0]!.trouble : state.behavior
  if (trouble === 'silent') return
  if (trouble === 'dropping') return void request.socket.destroy()
  const answer = answerTo(state, request, body, trouble)
  if (trouble === 'forgetful') return void request.socket.destroy()
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'request-id': `req_${state.requests.length}`,
    ...answer.headers,
  })
  response.end(answer.body)
}

function answerTo(state: State, request: IncomingMessage, body: string, trouble: Trouble | undefined): Answer {
  if (request.headers.authorization !== `Bearer ${stripe_secret_key}`)
    return refused(401, { message: 'Invalid API Key' })
  if (trouble === 'busy') return { ...refused(429, { code: 'rate_limit' }), headers: { 'retry-after': '7' } }
  if (trouble === 'at work') return refused(409, { code: 'idempotency_key_in_use' })
  const key = request.headers['idempotency-key'] as string | undefined
  const fingerprint = `${request.method} ${request.url} ${body}`
  const kept = key === undefined ? undefined : state.kept.get(key)
  if (kept && kept.fingerprint !== fingerprint) return refused(400, { type: 'idempotency_error' })
  if (kept) return { ...kept.answer, headers: { 'idempotent-replayed': 'true' } }
  const done = trouble === 'failing' ? undefined : work(state, request, fieldsOf(body))
  const failed = trouble === 'failing' || trouble === 'failing late'
  const answer = failed ? refused(500, { type: 'api_error', message: 'Sorry.' }) : done!
  if (key !== undefined && request.method === 'POST') state.kept.set(key, { fingerprint, answer })
  return answer
}

const ok = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) })
const refused = (status: number, error: object): Answer => ({
  status,
  body: JSON.stringify({ error: { type: 'invalid_request_error', message: 'Refused by the fake.', ...error } }),
})
const missing = (param: string) => refused(404, { code: 'resource_missing', param })

/** Parses `a[b][0]=c` as `{ a: { b: { 0: 'c' } } }`. */
function fieldsOf(form: string): Fields {
  const fields: Fields = {}
  for (const [name, value] of new URLSearchParams(form)) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const last = path.pop()!
    const at = path.reduce((inner, part) => (inner[part] ??= {}) as Fields, fields)
    at[last] = value
  }
  return fields
}

function work(state: State, request: IncomingMessage, fields: Fields): Answer {
  const { pathname, searchParams } = new URL(request.url!, 'http://stripe')
  const [, , kind, id, action] = pathname.split('/')
  const reads = request.method === 'GET'
  if (kind === 'customers' && !id) return reads ? listCustomers(state, searchParams) : createCustomer(state, fields)
  if (kind !== 'invoices') return refused(404, { message: 'Unrecognized request URL' })
  if (!id) return reads ? listInvoices(state, searchParams) : createInvoice(state, fields)
  const invoice = state.invoices.find((candidate) => candidate.id === id)
  if (!invoice) return missing('invoice')
  if (reads && action === 'lines') return ok(pageOf(invoice.lines, searchParams))
  if (reads) return ok(shown(invoice))
  if (request.method === 'DELETE') return deleteDraft(state, invoice)
  return change(state, invoice, action, fields)
}

function createCustomer(state: State, { name, metadata }: Fields): Answer {
  const customer = { id: `cus_${++state.ids}`, created: state.seconds(), name, metadata } as Customer
  state.customers.push(customer)
  return ok({ object: 'customer', ...customer })
}

const listCustomers = ({ customers }: State, query: URLSearchParams): Answer =>
  ok(
    pageOf(
      customers.filter(({ created }) => created >= Number(query.get('created[gte]') ?? 0)),
      query,
    ),
  )

function listInvoices({ customers, invoices }: State, query: URLSearchParams): Answer {
  const of = query.get('customer')
  if (!customers.some(({ id }) => id === of)) return missing('customer')
  const theirs = invoices.filter(({ customer }) => customer === of)
  return ok(
    pageOf(
      theirs.map((invoice) => shown(invoice)),
      query,
    ),
  )
}

/** Newest first, at most 100, after the given one. Lines are in their own order. */
function pageOf(items: { id: string }[], query: URLSearchParams): object {
  const ordered = items[0]?.id.startsWith('il_') ? items : items.toReversed()
  const start = ordered.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const limit = Number(query.get('limit') ?? 10)
  return {
    object: 'list',
    data: ordered.slice(start, start + limit),
    has_more: ordered.length > start + limit,
    url: '/',
  }
}

function createInvoice(state: State, fields: Fields): Answer {
  const { customer, number, collection_method, due_date, days_until_due, metadata } = fields as Record<string, string> &
    Fields
  if (!state.customers.some(({ id }) => id === customer)) return missing('customer')
  if (state.invoices.some((invoice) => invoice.number === number)) return refused(400, { param: 'number' })
  if (collection_method === 'send_invoice' && !due_date && !days_until_due) return refused(400, { param: 'due_date' })
  if (due_date && Number(due_date) < state.seconds()) return refused(400, { param: 'due_date' })
  const invoice = {
    id: `in_${++state.ids}`,
    object: 'invoice',
    customer,
    number,
    status: 'draft',
    due_date: due_date ? Number(due_date) : null,
    metadata,
    lines: [],
    paid_out_of_band: false,
    status_transitions: { finalized_at: null, paid_at: null, voided_at: null },
  } as unknown as FakeInvoice
  state.invoices.push(invoice)
  return ok(shown(invoice))
}

function deleteDraft(state: State, invoice: FakeInvoice): Answer {
  if (invoice.status !== 'draft') return refused(400, { message: 'Only drafts can be deleted.' })
  state.invoices = state.invoices.filter((other) => other !== invoice)
  return ok({ id: invoice.id, object: 'invoice', deleted: true })
}

function change(state: State, invoice: FakeInvoice, action: string | undefined, fields: Fields): Answer {
  const needed = action === 'pay' || action === 'void' ? 'open' : 'draft'
  if (invoice.status !== needed) return refused(400, { message: `This invoice is ${invoice.status}.` })
  if (action === undefined) invoice.due_date = Number(fields.due_date)
  if (action === 'add_lines') return addLines(state, invoice, fields)
  if (action === 'finalize') {
    invoice.status = totalOf(invoice) > 0 ? 'open' : 'paid'
    invoice.status_transitions.finalized_at = state.seconds()
  }
  if (action === 'pay') {
    invoice.status = 'paid'
    invoice.paid_out_of_band = fields.paid_out_of_band === 'true'
  }
  if (action === 'void') invoice.status = 'void'
  if (invoice.status === 'paid') invoice.status_transitions.paid_at = state.seconds()
  if (invoice.status === 'void') invoice.status_transitions.voided_at = state.seconds()
  return ok(shown(invoice))
}

function addLines(state: State, invoice: FakeInvoice, fields: Fields): Answer {
  const added = Object.values(fields.lines as Record<string, Record<string, unknown>>).map(
    ({ amount, description, metadata }) =>
      ({ id: `il_${++state.ids}`, amount: Number(amount), description, metadata }) as Line,
  )
  if (invoice.lines.length + added.length > 250) return refused(400, { message: 'Too many lines.' })
  if (added.some(({ amount }) => Math.abs(amount) > 99_999_999)) return refused(400, { code: 'amount_too_large' })
  invoice.lines.push(...added)
  return ok(shown(invoice))
}

/** The invoice as Stripe returns it: with its first ten lines. */
const shown = (invoice: FakeInvoice): FakeInvoice & { total: number } => ({
  ...invoice,
  lines: pageOf(invoice.lines, new URLSearchParams()) as never,
  total: totalOf(invoice),
  ...(invoice.status !== 'draft' && {
    invoice_pdf: `https://pay.stripe.example/invoice/${invoice.id}/pdf`,
    hosted_invoice_url: `https://pay.stripe.example/invoice/${invoice.id}`,
  }),
})
