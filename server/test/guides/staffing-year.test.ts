import { expect, it } from 'vitest'
import { importCatalog } from '../fixtures.ts'
import { useApi } from '../harness.ts'
import { blocksIn, readDocument } from './code-blocks.ts'

/** Runs the requests of the chapter about a staffing firm, and compares the responses with those that it shows. */
const api = useApi()

const page = 'docs/integrating/staffing-year.md'

/** The ids that the page names in braces. */
async function namedIds(): Promise<Map<string, string>> {
  const { mec } = await importCatalog(api)
  return new Map([
    ['Essential Care', mec.benefit_id],
    ['organization', api.story.organization_id],
  ])
}

it('shows the responses of the service through the year', async () => {
  const ids = await namedIds()
  let data: unknown
  for (const { heading, language, code } of blocksIn(readDocument(page))) {
    if (language === 'json') {
      expect(data, heading).toMatchObject(JSON.parse(code))
      continue
    }
    const filled = code.replace(/\{([A-Za-z ]+)\}/g, (_, name: string) => ids.get(name) ?? name)
    const [first = '', ...lines] = filled.split('\n')
    const [method, path] = first.split(' ') as ['GET', '/v1/employers']
    const body = lines.join('\n').trim()
    const answer = await api.call(method, path, {
      ...(body && { body: JSON.parse(body) as object }),
      ...(path.startsWith('/operator') && { key: api.operator_key }),
    })
    expect(answer.status, `${first}: ${answer.text}`).toBeLessThan(300)
    ;({ data } = answer.body as { data: unknown })
    const made = data as { id?: string; first_name?: string }
    if (made.id) ids.set(made.first_name ?? (ids.has('firm') ? '' : 'firm'), made.id)
    await api.work()
  }
})
