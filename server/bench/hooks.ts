/**
 * What the benchmarks of webhooks share: receivers with their subscriptions, and events written as the service writes
 * them.
 */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { serviceCaller } from '../runtime/caller.ts'
import { openDatabase, type Database } from '../database/query/database.ts'
import { recordEvents } from '../runtime/events.ts'
import { queueIn } from '../jobs/enqueue.ts'
import { identity_provider, ownIdentityProvider } from '../integrations/identity/provider.ts'
import { newId } from '../kernel/ids.ts'
import { contextOf, type Runtime } from '../runtime/runtime.ts'
import { call } from './partner.ts'
import type { Manner, Question, Receipt } from './receivers.ts'
import { answerOf, later, startHelper, type Service } from './stage.ts'

export type Receivers = {
  urls: string[]
  subscription_ids: string[]
  ask: (question: Question) => Promise<Receipt[][]>
}

/** Starts receivers of these manners, each subscribed to what happens to employees. */
export async function startReceivers(service: Service, manners: Manner[]): Promise<Receivers> {
  const helper: ChildProcess = startHelper('receivers.ts', { MANNERS: JSON.stringify(manners) })
  const ports = await answerOf<number[]>(helper)
  const urls = ports.map((port) => `http://127.0.0.1:${port}/`)
  const subscription_ids: string[] = []
  for (const url of urls) {
    const body = { url, event_names: ['employee.updated'] }
    subscription_ids.push((await call<{ id: string }>(service, 'POST', '/v1/webhook-subscriptions', body)).id)
  }
  const ask = (question: Question) => {
    helper.send(question)
    return answerOf<Receipt[][]>(helper)
  }
  return { urls, subscription_ids, ask }
}

export type Writer = {
  /** Writes events of an employee like no other, in one transaction; returns when that was committed. */
  write: (count: number) => Promise<number>
  query: (text: string, values?: unknown[]) => Promise<pg.QueryResult>
}

/** Writes events beside the service, as it does within its own transactions. */
export function openWriter({ database_url, sandbox }: Service): Writer {
  const database: Database = openDatabase({ url: database_url, read_connections: 1, write_connections: 2 })
  later(() => database.close())
  const runtime = {
    database,
    clock: Date.now,
    queueIn,
    integrations: new Map([[identity_provider, ownIdentityProvider]]),
  } as Runtime
  const caller = serviceCaller(sandbox.organization_id)
  return {
    write: async (count) => {
      const fact = {
        event_name: 'employee.updated',
        organization_id: sandbox.organization_id,
        resource_id: newId('empl'),
      } as const
      await database.transaction([sandbox.organization_id], (db) =>
        recordEvents(
          contextOf(runtime, caller, db),
          Array.from({ length: count }, () => fact),
        ),
      )
      return performance.timeOrigin + performance.now()
    },
    query: (text, values) => database.pool.query(text, values),
  }
}

/** Asks the receivers until what they tell is enough; throws when that takes longer than so many seconds. */
export async function until(
  { ask }: Receivers,
  holds: (receipts: Receipt[][]) => boolean | Promise<boolean>,
  seconds: number,
  every_ms: number,
): Promise<Receipt[][]> {
  const last = Date.now() + seconds * 1000
  for (;;) {
    const receipts = await ask('receipts')
    if (await holds(receipts)) return receipts
    if (Date.now() > last)
      throw new Error(`After ${seconds} s there are ${receipts.map((got) => got.length)} receipts.`)
    await sleep(every_ms)
  }
}

/** The value below which this share of them lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
