import { createHash, randomBytes } from 'node:crypto'
import type { Profile } from '../profiles.ts'

/** A planned change: its tool, its input, and the data it is based on. */
export type Plan = { tool: string; input: unknown; basis: unknown }

type KeptPlan = Plan & { credential: string; expires_at: number }

/** The lifetime of a plan in milliseconds: long enough to review it, too short to forget it. */
export const plan_lifetime = 10 * 60_000

/**
 * The maximum number of plans per credential and in total, because each may contain a census. The oldest is evicted.
 */
const max_per_key = 20
const max_plans = 200

/** The plans of a server, kept only in memory. */
export type Plans = {
  /** Stores a plan for its credential. Returns its id and expiry. */
  keep(plan: Plan, credential: string): { plan_id: string; expires_at: string }
  /** Returns and removes a plan. Undefined if it was used, has expired, or belongs to another credential. */
  take(plan_id: string, credential: string): Plan | undefined
}

export function openPlans(now: () => number = Date.now): Plans {
  const kept = new Map<string, KeptPlan>()
  const forgetOld = () => {
    for (const [id, { expires_at }] of kept) if (expires_at <= now()) kept.delete(id)
  }
  const evictOldest = (credential: string) => {
    const own = [...kept].filter(([, plan]) => plan.credential === credential)
    if (own.length >= max_per_key) kept.delete(own[0]![0])
    else if (kept.size >= max_plans) kept.delete(kept.keys().next().value!)
  }
  return {
    keep(plan, credential) {
      forgetOld()
      evictOldest(credential)
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

/** Identifies the credential: a hash of key, service and organization. The key itself is not stored. */
export const credentialOf = ({ url, api_key, organization = '' }: Profile): string =>
  createHash('sha256')
    .update(JSON.stringify([url, api_key, organization]))
    .digest('hex')

/** A changed field. */
export type Difference = { field: string; before: unknown; after: unknown }

/** The fields that differ between two values. Nested fields have paths such as `address.city`. */
export function differences(before: unknown, after: unknown, field = ''): Difference[] {
  if (!isRecord(before) || !isRecord(after))
    return JSON.stringify(before ?? null) === JSON.stringify(after ?? null)
      ? []
      : [{ field, before: before ?? null, after: after ?? null }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => differences(before[name], after[name], field ? `${field}.${name}` : name))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
