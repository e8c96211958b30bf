import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

export type Address = { address: string; family: number }

/** Timeout in milliseconds and attempts per name server. */
const timeout = { timeout: 2000, tries: 2 }

const withFamily = (address: string): Address => ({ address, family: isIP(address) })

/**
 * Resolves a host name with the name servers of this machine, or with `servers`. The system's lookup would occupy one
 * of four threads while it waits, so a few unresolvable names would block all others and file access. Therefore
 * /etc/hosts is ignored; `localhost` is this machine. Throws `ENOTFOUND` if there is no address.
 */
export async function resolveName(hostname: string, servers?: string[]): Promise<Address[]> {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return ['127.0.0.1', '::1'].map(withFamily)
  // A new resolver reads the current name servers.
  const resolver = new Resolver(timeout)
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (found.length === 0) throw Object.assign(new Error(`No address of ${hostname} was found.`), { code: 'ENOTFOUND' })
  return found.map(withFamily)
}
