import { ob, operator } from '../api.ts'
import { forgetDrafts } from '../parts/roster/draft-storage.ts'
import { base_url, getSession } from '../session.ts'

/** Signs out and opens the sign-in page. */
export async function signOut(): Promise<void> {
  const { session_id, organization_id } = await getSession()
  await (organization_id === null ? operator.sessions.revoke(session_id) : ob.sessions.revoke(session_id))
  forgetDrafts()
  location.assign(`${base_url}/sign-in`)
}
