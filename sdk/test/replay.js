// Calls every method with what was recorded, and is answered what was recorded: wherever this runs, requests and values
// must be the same. Plain JavaScript for Node 20 and browsers.

/**
 * Everything that came out differently, as sentences; none when all is well.
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
      const told = got instanceof Response ? await got.text() : got
      if (code !== undefined || !same(told, value)) wrong.push(`${name} answered ${JSON.stringify(told)}`)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== code) wrong.push(`${name} threw ${error}`)
    }
    if (left.length > 0) wrong.push(`${name} sent too little`)
  }
  return wrong
}

/** What a request says, as far as it is the same each time. */
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
