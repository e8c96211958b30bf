import ipaddr from 'ipaddr.js'

/** The global unicast range of IPv6. Mapped, translated, local and multicast addresses are outside it. */
const global_unicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address must not be contacted on behalf of a user, by IANA's special-purpose registries: private,
 * loopback, link-local, shared (CGNAT), multicast, reserved and documentation addresses, and IPv6 forms that map or
 * tunnel to IPv4. Text that is not an address is forbidden too.
 */
export function isForbiddenAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() !== 'unicast'
  // A zone names an interface of this machine.
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return true
  const parsed = ipaddr.IPv6.parse(address)
  return !parsed.match(global_unicast) || parsed.range() !== 'unicast'
}

/** Whether a string is a loopback IP address: 127.0.0.0/8 or ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  (ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && !address.includes('%'))) &&
  ipaddr.parse(address).range() === 'loopback'

/**
 * The network that an address belongs to. For IPv4, including IPv4 mapped into IPv6, it is the address itself. For
 * IPv6, it is the first 64 bits, because each customer of a provider receives at least a /64. Parsed without a library,
 * because this runs for each request of a flood.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.slice(0, 50)
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = tail ? Array.from({ length: 8 - head.length - tail.length }, () => '0') : []
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16)).join(':')
}

/** Whether a string is an IP address or a range such as 10.0.0.0/8. */
export const isAddressOrRange = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) || ipaddr.isValidCIDR(text)

/**
 * Whether a port must not be contacted on behalf of a user. Below 1024 are services such as mail and remote shells, so
 * only 443 is allowed there, and 80 for http. An empty text is the default port.
 */
export function isForbiddenPort(protocol: string, port: string): boolean {
  const number = Number(port)
  return port !== '' && number < 1024 && number !== 443 && !(number === 80 && protocol === 'http:')
}
