import { z } from 'zod'
import { addDays } from '../../kernel/days.ts'
import { HrisError, type FakePayroll, type HrisCall, type HrisPerson, type HrisProvider } from './provider.ts'

const page_size = 100

const Page = z.object({
  people: z.array(z.record(z.string(), z.string().nullable())),
  total: z.int(),
})

type FakeResponse = { status: number; text: string }

/**
 * A simulated payroll system for sandboxes. It responds page by page like one over HTTP, and misbehaves as the settings
 * of the connection require. It has no state of its own.
 */
export const sandboxPayroll: HrisProvider = {
  async fetch(call) {
    const people: HrisPerson[] = []
    for (;;) {
      const page = await readPage(respond(call, people.length))
      people.push(...page.people)
      if (page.people.length < page_size || people.length >= page.total) {
        if (people.length >= page.total) return people
        const why = `The payroll system reported ${page.total} people but sent ${people.length}. Nothing was applied.`
        throw new HrisError('incomplete', why)
      }
    }
  },
}

async function readPage(response: Promise<FakeResponse>) {
  const { status, text } = await response
  if (status === 401)
    throw new HrisError('access_lost', 'The payroll system rejected our credentials. Resume the connection to retry.')
  if (status === 429)
    throw new HrisError('rate_limited', 'The payroll system limits the rate of requests. The sync will be retried.')
  if (status >= 500) throw new HrisError('unavailable', 'The payroll system returned an error.')
  const parsed = Page.safeParse(jsonIn(text))
  if (!parsed.success) throw new HrisError('unreadable', 'The response of the payroll system is not a list of people.')
  return parsed.data
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The response to a request for the people starting at `offset`. */
async function respond(call: HrisCall, offset: number): Promise<FakeResponse> {
  const { people = [], fault = null, times = null } = call.settings.payroll ?? {}
  const misbehaves = times === null || call.attempt <= times ? fault : null
  if (misbehaves === 'late') throw new HrisError('unavailable', 'The payroll system did not respond in time.')
  if (misbehaves === 'access_lost') return { status: 401, text: '' }
  if (misbehaves === 'rate_limited') return { status: 429, text: '' }
  if (misbehaves === 'server_errors') return { status: 500, text: 'Internal Server Error' }
  if (misbehaves === 'garbage') return { status: 200, text: '<html>We are down for maintenance</html>' }
  const shown = withMisbehaviour(people, misbehaves, call)
  const length = misbehaves === 'half_page' ? Math.floor(shown.length / 2) : shown.length
  const page = shown.slice(0, length).slice(offset, offset + page_size)
  return { status: 200, text: JSON.stringify({ people: page, total: shown.length }) }
}

/** Changes the data of the first person if the misbehavior is about a person. */
function withMisbehaviour(people: HrisPerson[], misbehaves: FakePayroll['fault'], { today }: HrisCall): HrisPerson[] {
  const [first, ...others] = people
  if (!first) return people
  if (misbehaves === 'duplicate') return [...people, first]
  if (misbehaves === 'rehire') return [{ ...first, start_date: today, termination_date: null }, ...others]
  if (misbehaves === 'future_termination') return [{ ...first, termination_date: addDays(today, 30) }, ...others]
  if (misbehaves === 'changed_email') return [{ ...first, email: `changed.${first.email}` }, ...others]
  return people
}
