import type { Api } from '../harness.ts'
import { Visitor } from './visitor.ts'

/** The requests of browsers that sign in to a sandbox, and of a partner's page that uses their cookie. */
export const signInClient = (api: Api) => ({
  /** Signs in as one of the people in the sandbox and returns the browser. */
  async signInAs(name: string, visitor = new Visitor()) {
    const choice = await visitor.visit(`${api.url}/sign-in`)
    return { visitor, choice, seen: await visitor.press(choice, name) }
  },
  /** The access token that a page gets for the cookie. `origin` simulates another page. */
  async accessTokenOf(visitor: Visitor, as?: string, origin = api.url) {
    const query = as === undefined ? '' : `?as=${as}`
    const headers = { origin, accept: '*/*' }
    const { status, text } = await visitor.visit(`${api.url}/sign-in/access-token${query}`, { method: 'POST', headers })
    return { status, body: JSON.parse(text) }
  },
})
