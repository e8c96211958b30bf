import ipaddr from 'ipaddr.js'

/**
 * All of IPv6 that is in use between strangers. Outside of it are the mapped, translated, local and multicast forms.
 */
const global_unicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whether an IP address, as text, is none that we would dial for somebody else: private, loopback, link-local, shared
 * (CGNAT), multicast, reserved, for documentation, or a form that leads to an IPv4 address through a mapping or tunnel,
 * whatever that address is. What is no address at all is forbidden too. By IANA's registries of special purposes.
 */
export function isForbiddenAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address).range() !== 'unicast'
  // A zone names an interface of this machine.
  if (address.includes('%') || !ipaddr.IPv6.isValid(address)) return true
  const parsed = ipaddr.IPv6.parse(address)
  return !parsed.match(global_unicast) || parsed.range() !== 'unicast'
}

/** Whether an IP address, as text, is this machine's own: 127.0.0.0/8 or ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  (ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && !address.includes('%'))) &&
  ipaddr.parse(address).range() === 'loopback'

/**
 * Whom an address stands for: an IPv4 address itself, also one that is mapped into IPv6; of IPv6 its network of 64
 * bits, since one customer has all of that at least. By hand, since in a flood it is asked for each request.
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

/** Whether a text is an IP address, or a range of them such as 10.0.0.0/8. */
export const isAddressOrRange = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) || ipaddr.isValidCIDR(text)

/**
 * Whether a port, as an address tells it or the empty text for the usual one, is none that we dial for somebody else:
 * below 1024 are the services of machines, such as mail or remote shells, where only 443 is for us; and 80 where http
 * is.
 */
export function isForbiddenPort(protocol: string, port: string): boolean {
  const number = Number(port)
  return port !== '' && number < 1024 && number !== 443 && !(number === 80 && protocol === 'http:')
}
