// Calls every method with recorded arguments and recorded responses. In every runtime, requests and results must be the
// same. Plain JavaScript for Node 20 and browsers.

/**
 * Returns the differences as sentences.
 *
 * @param {{ OpenBenefits: any, OpenBenefitsOperator: any, ApiError: any }} sdk
 * @param {{ name: string, given: unknown[], exchanges: { request: object, status: number, text: string }[],
 *   value?: unknown, code?: string }[]} recorded
 */
export async function replay({ OpenBenefits, OpenBenefitsOperator, ApiError }, recorded) {
  const wrong = []
  for (const { name, given, exchanges, value, code } of recorded) {
    const left = [...exchanges]
    const options = {
      apiKey: 'k',
      baseUrl: 'http://service.example',
      maxRetries: 0,
      sleep: async () => undefined,
      fetch: async (request) => {
        const { request: expected, status, text } = left.shift() ?? {}
        const got = await requestOf(request)
        if (!same(got, expected)) wrong.push(`${name} sent ${JSON.stringify(got)}`)
        return new Response(text, { status })
      },
    }
    const is_operators = name.startsWith('operator.')
    const client = is_operators ? new OpenBenefitsOperator(options) : new OpenBenefits(options)
    const [group, method] = name.replace('operator.', '').split('.')
    try {
      const got = await client[group][method](...given)
      const recorded = got instanceof Response ? await got.text() : got
      if (code !== undefined || !same(recorded, value)) wrong.push(`${name} returned ${JSON.stringify(recorded)}`)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== code) wrong.push(`${name} threw ${error}`)
    }
    if (left.length > 0) wrong.push(`${name} sent too few requests`)
  }
  return wrong
}

/** The parts of a request that are the same each time. */
export async function requestOf(request) {
  const url = new URL(request.url)
  return {
    method: request.method,
    path: url.pathname + url.search,
    type: request.headers.get('content-type'),
    keyed: request.headers.has('idempotency-key'),
    body: await request.text(),
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other)
