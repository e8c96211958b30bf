import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiError, OpenBenefits } from 'openbenefits'
import { createApiKey } from '../../server/modules/access/api-keys/actions.ts'
import { createUser, grantMembership } from '../../server/modules/access/organizations/actions.ts'
import { useApi } from '../../server/test/harness.ts'
import { blocksIn, maskVariables, programIn, readDocument } from '../../server/test/guides/code-blocks.ts'
import { build } from '../tools/build.ts'
import { olderNode, tabbed, tourOf } from './runtimes.ts'

const api = useApi({ with_story: 'today' })
const folder = mkdtempSync(join(tmpdir(), 'openbenefits-tour-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the tour', () => {
  beforeAll(() => {
    build(join(folder, 'node_modules/openbenefits'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    mkdirSync(join(folder, '.data'))
    writeFileSync(join(folder, '.data/sandbox.json'), JSON.stringify({ base_url: api.url, ...api.story }))
  })

  /** The output and errors of a program while the worker runs. */
  const outputOf = async (code: string, node = process.execPath): Promise<[output: string, complaints: string]> => {
    writeFileSync(join(folder, 'program.js'), stripTypeScriptTypes(code))
    const { api_key, operator_key } = api.story
    const keys = { OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api_key, OPENBENEFITS_OPERATOR_KEY: operator_key }
    const child = spawn(node, ['program.js'], {
      cwd: folder,
      env: { ...process.env, ...keys },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const ended = once(child, 'exit')
    while (child.exitCode === null) {
      api.wait(10)
      await api.work()
    }
    await ended
    return output
  }

  it('is a program of at most 30 lines', () => {
    expect(tourOf('Blue Heron', '47-2915386').program.trim().split('\n').length).toBeLessThanOrEqual(30)
  })

  it.for([
    ['this Node', () => process.execPath, 'Blue Heron', '47-2915386'],
    ['the Node of the machine', olderNode, 'Grey Heron', '47-2915387'],
  ] as const)('works as shown in %s, with the published package', async ([_, nodeOf, name, ein], context) => {
    const { program, shown } = tourOf(name, ein)
    expect(await outputOf(program, nodeOf(context))).toEqual([shown, ''])
  })

  it.each(tabbed)('continues in the TypeScript tabs of %s with the same results as curl', async (path) => {
    const steps = programIn(path, 'TypeScript')
    const mark = '--- end of a step ---'
    const [output, complaints] = await outputOf(steps.map((step) => `${step}console.log('${mark}')\n`).join(''))
    expect(complaints).toBe('')
    const answers = output.split(`${mark}\n`).slice(0, -1)
    expect(answers.map(maskVariables)).toEqual(answersUnder(path).map(maskVariables))
  })
})

/** The expected output below the TypeScript tabs of a document. */
function answersUnder(path: string): string[] {
  const blocks = blocksIn(readDocument(path))
  return blocks.flatMap((block, at) => (block.more === ' tab="TypeScript"' ? [blocks[at + 1]!.code] : []))
}

describe('at the usual rate limit', () => {
  it('completes 400 creates of 40 workers, each once and without long waits', async () => {
    const { api_key } = await api.act(async (ctx) => {
      const { organization_id } = api.story
      const user_id = await createUser(ctx, { name: 'Many', email: null })
      await grantMembership(ctx, { organization_id, user_id, role: 'ADMIN' })
      return createApiKey(ctx, { user_id, organization_id, mode: 'test', rate_limited: true })
    })
    const began = api.runtime.clock()
    const asleep = new Set<{ until: number; wake: () => void }>()
    let under_way = 0
    let refused = 0
    // When all workers wait, the service's clock advances to the first one's wake-up time.
    const passTime = () => {
      if (under_way > 0 || asleep.size === 0) return
      const [first] = [...asleep].toSorted((a, b) => a.until - b.until)
      api.wait(Math.max(0, first!.until - api.runtime.clock()))
      asleep.delete(first!)
      first!.wake()
    }
    const ob = new OpenBenefits({
      apiKey: api_key,
      baseUrl: api.url,
      fetch: async (request) => {
        under_way++
        const response = await fetch(request)
        if (response.status === 429) refused++
        under_way--
        return response
      },
      sleep: (milliseconds) =>
        new Promise((wake) => {
          asleep.add({ until: api.runtime.clock() + Math.ceil(milliseconds), wake: () => wake() })
          setImmediate(passTime)
        }),
    })
    const numbers = Array.from({ length: 400 }, (_, at) => at)
    const lost: unknown[] = []
    const work = async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift())
        await ob.employers.create(employer(number)).catch((error: unknown) => lost.push(error))
      setImmediate(passTime)
    }
    await Promise.all(Array.from({ length: 40 }, work))
    expect(lost.map((error) => (error instanceof ApiError ? error.code : error))).toEqual([])
    expect(refused).toBeGreaterThan(40)
    const ids = new Set<string>()
    for await (const { id } of new OpenBenefits({ apiKey: api.story.api_key, baseUrl: api.url }).employers.list({
      search: 'Crowd',
    }))
      ids.add(id)
    expect(ids.size).toBe(400)
    // 300 requests above the burst, at 10 per second.
    expect(api.runtime.clock() - began).toBeGreaterThanOrEqual(29_000)
    expect(api.runtime.clock() - began).toBeLessThan(90_000)
  })
})

const employer = (number: number) => ({
  name: `Crowd ${number}`,
  legal_name: `Crowd ${number} LLC`,
  ein: `47-${String(1_000_000 + number)}`,
  email: `crowd${number}@example.com`,
  address: { address_line_1: '18 Harbor St', city: 'San Francisco', state: 'CA', zipcode: '94105' } as const,
})
