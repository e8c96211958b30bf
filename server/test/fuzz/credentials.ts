import type { Story } from '../../sandbox/story.ts'
import type { Target } from './fuzz.ts'

/** Sends a request that must succeed. Retries, because a busy machine may not accept a connection in time. */
export async function send(url: string, init?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(url, init)
    } catch (error) {
      if (attempt === 5) throw error
    }
  }
}

type Answer = { access_token: string; data: { id: string; api_key: string } }

/** Sends a POST request that must succeed, and returns the response. */
async function post(url: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const answer = await send(url, {
    method: 'POST',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Issues an access token with a key, optionally bound. */
export async function issueToken(url: string, key: string, bound_entity?: object): Promise<string> {
  const body = { grant_type: 'client_credentials', bound_entity }
  return (await post(`${url}/v1/auth/access-tokens`, bearer(key), body)).access_token
}

/** A key of Harbor with a rate limit, unlike the other keys. */
export async function makeLimitedKey({ url, story: { organization_id, operator_key } }: Target): Promise<string> {
  const make = async (path: string, body: object) =>
    (await post(`${url}/operator/v1/${path}`, bearer(operator_key), body)).data
  const { id: user_id } = await make('users', { name: 'Lin' })
  await make(`organizations/${organization_id}/members`, { user_id, role: 'ADMIN' })
  return (await make('api-keys', { user_id, organization_id, mode: 'test' })).api_key
}

/** Signs a user in like a browser, and returns a token to act in an organization or as an `operator`. */
export async function signIn({ url }: Target, user_id: string, as: string): Promise<string> {
  const headers = { origin: url }
  const chosen = `${url}/sign-in/people/${user_id}`
  const welcome = await send(chosen, { method: 'POST', headers, redirect: 'manual' })
  const [cookie] = welcome.headers.getSetCookie()
  if (cookie === undefined) throw new Error(`${chosen} answered ${welcome.status}: ${await welcome.text()}`)
  const body = { ...headers, cookie: cookie.split(';')[0]! }
  return (await post(`${url}/sign-in/access-token?as=${as}`, body)).access_token
}

/** The signed-in users: a member of Harbor, and an owner of the installation. */
export type People = { member: string; operator: string }

export async function findPeople({ db, story }: { db: Target['db']; story: Story }): Promise<People> {
  const found = await db.row<People>(
    `select (select user_id from api_keys where organization_id = $1 order by id limit 1) as member,
            (select user_id from operators where role = 'owner' order by user_id limit 1) as operator`,
    [story.organization_id],
  )
  return found!
}
