import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OpenBenefits } from 'openbenefits'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { useApi } from '../../server/test/harness.ts'
import { bundled } from './runtimes.ts'

/** A partner's pages on its own server, which call the service with bound tokens. */
const api = useApi()
let browser: Browser
let url: string
let issued = 0
let employee_id: string

const script = () =>
  bundled(`
  import { ApiError, boundToken, OpenBenefits } from 'openbenefits'
  globalThis.open = (name, baseUrl) => {
    const { getToken } = boundToken({ from: '/benefits-token', name })
    return { getToken, ob: new OpenBenefits({ getToken, baseUrl }) }
  }
  globalThis.ApiError = ApiError`)

beforeAll(async () => {
  const page = await script()
  const route: { answer?: (request: object, response: object) => Promise<unknown> } = {}
  const server = createServer((request, response) => {
    if (request.url === '/benefits-token') return void route.answer!(request, response)
    response.setHeader('content-type', request.url === '/page.js' ? 'text/javascript' : 'text/html')
    response.end(request.url === '/page.js' ? page : '<!doctype html><script type="module" src="/page.js"></script>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  afterAll(() => void server.close())

  const ob = new OpenBenefits({ apiKey: api.story.api_key, baseUrl: api.url })
  const employer = await ob.employers.create({
    name: 'Pages Inc',
    legal_name: 'Pages Inc',
    ein: '47-2915386',
    email: 'pages@example.com',
    address: { address_line_1: '18 Harbor St', city: 'San Francisco', state: 'CA', zipcode: '94105' },
  })
  const employee = await ob.employees.create(employer.id, {
    first_name: 'Grace',
    last_name: 'Murray',
    email: 'grace@example.com',
    date_of_birth: '1988-12-09',
    start_date: '2026-01-05',
  })
  employee_id = employee.id
  const key = await ob.apiKeys.create({ name: 'Pages', allowed_origins: [url] })
  const issuing = new OpenBenefits({ apiKey: key.api_key, baseUrl: api.url, onRequest: () => void issued++ })
  route.answer = issuing.tokens.route({ entity: () => employee_id })
  browser = await openBrowser()
})
afterAll(() => browser?.close())

it('shares a token between two tabs, and renews it once for both', async () => {
  const context = await browser.newContext()
  const open = async () => {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction('globalThis.open')
    await page.evaluate(`globalThis.held = open(${JSON.stringify(employee_id)}, ${JSON.stringify(api.url)})`)
    return page
  }
  const [one, other] = [await open(), await open()]
  const read = `held.ob.employees.get(${JSON.stringify(employee_id)}).then(({ first_name }) => first_name)`
  expect(await one.evaluate(read)).toBe('Grace')
  expect(await other.evaluate(read)).toBe('Grace')
  expect(issued).toBe(1)

  const first = await one.evaluate('held.getToken()')
  const renewed = await Promise.all(
    [one, other].map((page) => page.evaluate(`held.getToken(${JSON.stringify(first)})`)),
  )
  expect(renewed[0]).not.toBe(first)
  expect(renewed[1]).toBe(renewed[0])
  expect(issued).toBe(2)
  expect(await other.evaluate(read)).toBe('Grace')

  const refused = `held.ob.employers.list().then(() => 'answered', (error) => error instanceof ApiError && error.code)`
  expect(await one.evaluate(refused)).toBe('forbidden')
})
