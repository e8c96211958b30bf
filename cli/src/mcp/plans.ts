import { createHash, randomBytes } from 'node:crypto'
import type { Profile } from '../profiles.ts'

/** A change that was planned: by which tool, with what, and what was there when it was. */
export type Plan = { tool: string; input: unknown; basis: unknown }

type KeptPlan = Plan & { credential: string; expires_at: number }

/** For how long a plan is good, in milliseconds: long enough to read it, too short to be forgotten. */
export const plan_lifetime = 10 * 60_000

/** How many plans are kept, of one credential and of all: each may hold a census. The oldest makes room. */
const most_of_one = 20
const most_plans = 200

/** The plans of a server, in its memory alone: they end with it. */
export type Plans = {
  /** Keeps a plan for the credential that made it; answers its id, and until when it is good. */
  keep(plan: Plan, credential: string): { plan_id: string; expires_at: string }
  /** The plan, once; undefined when it was taken, is over, or is somebody else's, whose it stays. */
  take(plan_id: string, credential: string): Plan | undefined
}

export function openPlans(now: () => number = Date.now): Plans {
  const kept = new Map<string, KeptPlan>()
  const forgetOld = () => {
    for (const [id, { expires_at }] of kept) if (expires_at <= now()) kept.delete(id)
  }
  const makeRoom = (credential: string) => {
    const own = [...kept].filter(([, plan]) => plan.credential === credential)
    if (own.length >= most_of_one) kept.delete(own[0]![0])
    else if (kept.size >= most_plans) kept.delete(kept.keys().next().value!)
  }
  return {
    keep(plan, credential) {
      forgetOld()
      makeRoom(credential)
      const plan_id = `plan_${randomBytes(16).toString('base64url')}`
      const expires_at = now() + plan_lifetime
      kept.set(plan_id, { ...plan, credential, expires_at })
      return { plan_id, expires_at: new Date(expires_at).toISOString() }
    },
    take(plan_id, credential) {
      forgetOld()
      const plan = kept.get(plan_id)
      if (plan?.credential !== credential) return undefined
      kept.delete(plan_id)
      return { tool: plan.tool, input: plan.input, basis: plan.basis }
    },
  }
}

/** By what one who plans is known: the key, where it is good, for which organization. The key itself is not kept. */
export const credentialOf = ({ url, api_key, organization = '' }: Profile): string =>
  createHash('sha256')
    .update(JSON.stringify([url, api_key, organization]))
    .digest('hex')

/** A field that is not what it was, or will not be. */
export type Difference = { field: string; before: unknown; after: unknown }

/** In which fields a thing is another than before, parts of parts by their path: `address.city`. */
export function differences(before: unknown, after: unknown, field = ''): Difference[] {
  if (!isThing(before) || !isThing(after))
    return JSON.stringify(before ?? null) === JSON.stringify(after ?? null)
      ? []
      : [{ field, before: before ?? null, after: after ?? null }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => differences(before[name], after[name], field ? `${field}.${name}` : name))
}

const isThing = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
