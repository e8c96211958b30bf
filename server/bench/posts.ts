/**
 * The bare loop that webhooks are compared with: signed POSTs over kept connections, of bodies that are there already.
 */
import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'

export type Posts = {
  urls: string[]
  ids: string[]
  body: string
  secret: string
  at_once: number
  /** milliseconds from one to the next; 0: as fast as it goes */
  every: number
}
/** When each was about to be posted, by id and by the clock of the machine in milliseconds. */
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

process.on('message', async (posts: Posts) => {
  const begun: Record<string, number> = {}
  const started = now()
  if (posts.every > 0) {
    for (const [at, id] of posts.ids.entries()) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, started + at * posts.every - now())))
      begun[id] = now()
      await Promise.all(posts.urls.map((url) => post(url, posts, id)))
    }
  } else {
    await Promise.all(
      posts.urls.map(async (url) => {
        const left = [...posts.ids]
        const one = async () => {
          for (let id = left.pop(); id !== undefined; id = left.pop()) await post(url, posts, id)
        }
        await Promise.all(Array.from({ length: posts.at_once }, one))
      }),
    )
  }
  process.send!({ seconds: (now() - started) / 1000, begun } satisfies Posted)
})
process.on('disconnect', () => process.exit())
