import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEmployer } from '../fixtures.ts'
import { useApi } from '../harness.ts'
import { only } from '../pick.ts'
import { freePort } from '../service/service-process.ts'

/** Runs the programs of the pages about errors and webhooks as an integrator does: with Node, in a separate folder. */
const api = useApi({ outbound: { allow_loopback: true } })
const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'openbenefits-samples-'))
afterAll(() => rmSync(folder, { recursive: true }))

const samplesIn = (page: string): string[] =>
  [...readFileSync(join(root, `docs/integrating/${page}.md`), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code!,
  )

const write = (name: string, code: string) => writeFileSync(join(folder, name), code)
const environment = () => ({ ...process.env, OPENBENEFITS_URL: api.url, OPENBENEFITS_API_KEY: api.story.api_key })

beforeAll(() => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const [call] = samplesIn('errors')
  const [receive, catch_up] = samplesIn('webhooks')
  write('call.ts', call!)
  write('receive.ts', receive!)
  write('catch-up.ts', catch_up!)
  // Receivers compare the age of a webhook with the real clock.
  api.wait(Date.now() - api.runtime.clock())
})

/** Evaluates an expression with the exports of catch-up.ts. */
async function evaluate(expression: string): Promise<unknown> {
  const code = `import * as sample from './catch-up.ts'; console.log(JSON.stringify(await ${expression}))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    env: environment(),
  })
  return JSON.parse(stdout)
}

it('runs all samples', () => {
  expect(samplesIn('webhooks')).toHaveLength(2)
})

it('receives webhooks, refuses forged ones, recognizes repeats, and catches up', async () => {
  const port = await freePort()
  const made = await api.post('/v1/webhook-subscriptions', {
    url: `http://127.0.0.1:${port}/hooks`,
    event_names: ['employer.created', 'employer.updated'],
  })
  const { id, secret } = made.body.data
  const env = { ...environment(), PORT: port, OPENBENEFITS_WEBHOOK_SECRET: secret }
  const receiver = spawn(process.execPath, ['receive.ts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines: string[] = []
    createInterface({ input: receiver.stdout }).on('line', (line) => lines.push(line))
    const url = `http://127.0.0.1:${port}/`
    const isListening = () =>
      fetch(url).then(
        () => true,
        () => false,
      )
    await expect.poll(isListening).toBe(true)
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400)

    const first = await createEmployer(api)
    await api.deliver()
    const event = only((await api.get(`/v1/webhook-events?resource_id=${first}`)).body.data)
    const delivery = only((await api.get(`/v1/webhook-events/${event.id}/deliveries`)).body.data)
    expect(delivery).toMatchObject({ status: 'Delivered', response_status: 204 })
    await api.post(`/v1/webhook-deliveries/${delivery.id}/redeliver`)
    await api.deliver()

    await api.patch(`/v1/webhook-subscriptions/${id}`, { enabled: false })
    api.wait(1000)
    const since = new Date(api.runtime.clock()).toISOString()
    const second = await createEmployer(api)
    await api.put(`/v1/employers/${second}`, { reference_id: 'R-1' })
    await evaluate(`sample.catchUp('${id}', '${since}')`)
    await api.work()
    await api.deliver()
    // The two events of the changed employer may arrive in any order, and the later one is enough.
    await expect.poll(() => lines.at(-1)).toBe(`employer.updated ${second}`)
    expect(lines.filter((line) => line.endsWith(first))).toEqual([`employer.created ${first}`])

    const events = (await evaluate(`sample.eventsAfter('${event.id}')`)) as { event_name: string }[]
    expect(events.map((each) => each.event_name)).toEqual(['employer.created', 'employer.updated'])
  } finally {
    receiver.kill()
  }
})
