/** The baseline of the webhooks benchmark: a bare loop of signed POSTs of one body over keep-alive connections. */
import { Webhook } from 'standardwebhooks'
import { Agent, request } from 'undici'
import { newId } from '../../kernel/ids.ts'

/** `count`: the posts to each URL. */
export type Posts = { urls: string[]; count: number; body: string; secret: string }

const connections_each = 10
const dispatcher = new Agent({ connections: 20 })

async function post(url: string, { body, secret }: Posts): Promise<void> {
  const at = new Date()
  const id = newId('wevt')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
  const response = await request(url, { method: 'POST', headers, body, dispatcher })
  await response.body.dump()
}

async function postTo(url: string, posts: Posts): Promise<void> {
  let left = posts.count
  const client = async () => {
    while (left-- > 0) await post(url, posts)
  }
  await Promise.all(Array.from({ length: connections_each }, client))
}

process.on('message', async (posts: Posts) => {
  const started = performance.now()
  await Promise.all(posts.urls.map((url) => postTo(url, posts)))
  process.send!((performance.now() - started) / 1000)
})
process.on('disconnect', () => process.exit())
