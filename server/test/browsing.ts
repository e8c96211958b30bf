import type { Api } from './harness.ts'
import { Visitor } from './visitor.ts'

/** What browsers do to sign in at a sandbox, and what a page of our own gets for their cookie. */
export const browsing = (api: Api) => ({
  /** A browser that signs in as one of the people of the sandbox. */
  async signInAs(name: string, visitor = new Visitor()) {
    const choice = await visitor.visit(`${api.url}/sign-in`)
    return { visitor, choice, seen: await visitor.press(choice, name) }
  },
  /** What a page of our own gets for the cookie; as another page would when another origin is said. */
  async tokenOf(visitor: Visitor, as?: string, origin = api.url) {
    const query = as === undefined ? '' : `?as=${as}`
    const headers = { origin, accept: '*/*' }
    const { status, text } = await visitor.visit(`${api.url}/sign-in/access-token${query}`, { method: 'POST', headers })
    return { status, body: JSON.parse(text) }
  },
})
