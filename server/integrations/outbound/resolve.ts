import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

export type Address = { address: string; family: number }

/** For how long a name server is waited for, and how often each is asked. */
const patience = { timeout: 2000, tries: 2 }

const withFamily = (address: string): Address => ({ address, family: isIP(address) })

/**
 * Finds the addresses of a name at the name servers of this machine, or at others. Not by the system's own lookup: that
 * takes one of four threads for as long as it waits, and a few names that nobody answers for would hold up all others,
 * and the files. So what /etc/hosts says counts for nothing; `localhost` is this machine.
 */
export async function resolveName(hostname: string, servers?: string[]): Promise<Address[]> {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'].map(withFamily)
  // A new one each time knows the name servers as they are now.
  const resolver = new Resolver(patience)
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length === 0) throw Object.assign(new Error(`No address of ${hostname} was found.`), { code: 'ENOTFOUND' })
  return found.map(withFamily)
}
