import type { FuzzRequest } from './requests.ts'
import { curlOf } from './send.ts'

type Fault = { operation: string; fault: string; times: number; curl: string }

/** The number of sent requests, and the faults of their responses. */
export type Report = { requests: number; faults: Fault[]; addFault(sent: FuzzRequest, fault: string): void }

/** Opens a report of requests to an address. Repeated faults are counted. */
export function openReport(url: string): Report {
  const faults: Fault[] = []
  return {
    requests: 0,
    faults,
    addFault(sent, fault) {
      const operation = sent.endpoint?.operation ?? `no operation (${sent.method})`
      const known = faults.find((one) => one.operation === operation && one.fault === fault)
      if (known) known.times++
      else faults.push({ operation, fault, times: 1, curl: curlOf(url, sent) })
    },
  }
}
