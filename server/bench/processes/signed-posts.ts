/** The baseline of the webhooks benchmark: a bare loop of signed POSTs of one body over keep-alive connections. */
import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'

/** `every`: milliseconds from one POST to the next; 0 sends ten at a time as fast as possible. */
export type Posts = { urls: string[]; ids: string[]; body: string; secret: string; every: number }

/** When each POST began, by id and by the clock of the machine in milliseconds. */
export type Posted = { seconds: number; begun: Record<string, number> }

const dispatcher = new Agent({ connections: 20 })
const now = () => performance.timeOrigin + performance.now()

async function post(url: string, { body, secret }: Posts, id: string): Promise<void> {
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  const answer = await request(url, { method: 'POST', headers, body, dispatcher })
  await answer.body.dump()
}

async function postSteadily(posts: Posts, begun: Record<string, number>): Promise<void> {
  const started = now()
  for (const [at, id] of posts.ids.entries()) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, started + at * posts.every - now())))
    begun[id] = now()
    await Promise.all(posts.urls.map((url) => post(url, posts, id)))
  }
}

async function postAtOnce(posts: Posts): Promise<void> {
  const toOne = async (url: string) => {
    const left = [...posts.ids]
    const client = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await post(url, posts, id)
    }
    await Promise.all(Array.from({ length: 10 }, client))
  }
  await Promise.all(posts.urls.map(toOne))
}

process.on('message', async (posts: Posts) => {
  const begun: Record<string, number> = {}
  const started = now()
  await (posts.every > 0 ? postSteadily(posts, begun) : postAtOnce(posts))
  process.send!({ seconds: (now() - started) / 1000, begun } satisfies Posted)
})
process.on('disconnect', () => process.exit())
