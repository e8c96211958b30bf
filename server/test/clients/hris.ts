import { expect } from 'vitest'
import type { HrisPerson } from '../../integrations/payroll/provider.ts'
import { aPerson, createEmployer } from '../fixtures.ts'
import type { ApiResponse } from '../response.ts'
import type { Api, CallOptions } from '../harness.ts'

/** A unique employee in the format of a payroll system. */
export const aWorker = (input: HrisPerson = {}): HrisPerson => ({ ...(aPerson() as HrisPerson), ...input })

export const noChange = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }

/** The operator's requests about HRIS connections. */
export function hrisOf(api: Api) {
  const operate = <M extends string, P extends string>(method: M, path: P, body?: object, options?: CallOptions) =>
    api.call(method, `/operator/v1${path}`, { key: api.operator_key, ...(body && { body }), ...options })

  const done = async <Data>(answer: Promise<ApiResponse<{ data: Data }>>) => {
    const { status, body, text } = await answer
    expect([200, 201, 202], text).toContain(status)
    return body.data
  }
  const of = (connection_id: string) => `/hris-connections/${connection_id}` as const

  return {
    operate,
    /** Connects an employer, by default a new one, and returns the connection. */
    connect: async (body: object, employer_id?: string) =>
      done(operate('POST', `/employers/${employer_id ?? (await createEmployer(api))}/hris-connections`, body)),
    read: (connection_id: string) => done(operate('GET', of(connection_id))),
    pause: (connection_id: string) => done(operate('POST', `${of(connection_id)}/pause`)),
    resume: (connection_id: string) => done(operate('POST', `${of(connection_id)}/resume`)),
    renew: (connection_id: string, access_token: string) =>
      done(operate('PUT', `${of(connection_id)}/access-token`, { access_token })),
    disconnect: (connection_id: string) => done(operate('POST', `${of(connection_id)}/disconnect`)),
    report: (connection_id: string, payroll: object) => done(operate('PUT', `${of(connection_id)}/payroll`, payroll)),
    runs: (connection_id: string) => done(operate('GET', `${of(connection_id)}/runs?limit=100`)),
    run: (run_id: string) => done(operate('GET', `/hris-runs/${run_id}`)),
    /** Syncs now, lets the worker run, and returns the run. */
    async sync(connection_id: string) {
      api.wait(1000)
      const { id } = await done(operate('POST', `${of(connection_id)}/sync`))
      await api.work()
      return done(operate('GET', `/hris-runs/${id}`))
    },
    /** The present and former employees of an employer, by reference. */
    async roster(employer_id: string) {
      const { body } = await api.get(`/v1/employers/${employer_id}/employees?limit=100`)
      return body.data
    },
    /** The connection as partners see it. */
    async shown(employer_id: string) {
      const { body } = await api.get(`/v1/employers/${employer_id}/hris`)
      return body.data.hris
    },
    /** Makes every retry due now. */
    dueNow: () => api.database.reads.rows('update graphile_worker._private_jobs set run_at = now()'),
    waiting: async () =>
      (await api.database.reads.row<{ count: number }>('select count(*) as count from graphile_worker.jobs'))!.count,
  }
}
