/** IPv4 addresses that must never be dialed for callers: the first, the last and one inside each reserved range. */
const v4 = `
  0.0.0.0 0.0.0.1 0.255.255.255
  10.0.0.0 10.0.0.1 10.20.30.40 10.255.255.255
  100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255
  127.0.0.0 127.0.0.1 127.0.0.53 127.1.2.3 127.255.255.255
  169.254.0.0 169.254.0.1 169.254.169.254 169.254.170.2 169.254.255.255
  172.16.0.0 172.16.0.1 172.17.0.1 172.20.10.5 172.31.255.255
  192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.9 192.0.0.10 192.0.0.170 192.0.0.171 192.0.0.192 192.0.0.255
  192.0.2.0 192.0.2.1 192.0.2.255
  192.31.196.0 192.31.196.1 192.31.196.255
  192.52.193.0 192.52.193.1 192.52.193.255
  192.88.99.0 192.88.99.1 192.88.99.255
  192.168.0.0 192.168.0.1 192.168.1.1 192.168.178.1 192.168.255.255
  192.175.48.0 192.175.48.1 192.175.48.255
  198.18.0.0 198.18.0.1 198.19.255.255
  198.51.100.0 198.51.100.1 198.51.100.255
  203.0.113.0 203.0.113.1 203.0.113.255
  224.0.0.0 224.0.0.1 224.0.0.251 233.252.0.1 239.255.255.250 239.255.255.255
  240.0.0.0 240.0.0.1 250.1.2.3 255.255.255.254 255.255.255.255`

/** The same ranges in the IPv6 forms that lead to IPv4: mapped, compatible, translated, NAT64, 6to4, Teredo. */
const tunnelled = `
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:a00:1 ::ffff:192.168.1.1 ::ffff:c0a8:101 ::ffff:169.254.169.254
  ::ffff:a9fe:a9fe ::ffff:172.16.0.1 ::ffff:100.64.0.1 ::ffff:0.0.0.0 ::ffff:8.8.8.8 0:0:0:0:0:ffff:7f00:0001
  ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::192.168.0.1 ::169.254.169.254 ::8.8.8.8
  ::ffff:0:127.0.0.1 ::ffff:0:7f00:1 ::ffff:0:10.0.0.1 ::ffff:0:192.168.0.1
  64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::192.168.0.1 64:ff9b::169.254.169.254 64:ff9b::8.8.8.8
  64:ff9b:1::127.0.0.1 64:ff9b:1::7f00:1 64:ff9b:1::a00:1 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
  2002:7f00:1:: 2002:7f00:1::1 2002:a00:1:: 2002:c0a8:101::1 2002:a9fe:a9fe:: 2002:ac10:1:: 2002:808:808::1
  2001:: 2001:0:7f00:1:: 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:0:ffff:ffff:ffff:ffff:ffff:ffff`

/** IPv6 ranges: loopback, link-local, multicast, reserved, or unassigned. */
const v6 = `
  :: ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::2 ::ffff
  fe80:: fe80::1 fe80::a9fe:a9fe febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fec0:: fec0::1 feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fc00:: fc00::1 fd00::1 fd00:ec2::254 fd12:3456:789a::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  ff00:: ff01::1 ff02::1 ff02::fb ff05::1:3 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  100:: 100::1 100::ffff:ffff:ffff:ffff 100:0:0:1::1
  2001:1::1 2001:1::2 2001:2:: 2001:2::1 2001:2:0:ffff:ffff:ffff:ffff:ffff 2001:3::1 2001:4:112::1
  2001:10:: 2001:1f:ffff:ffff:ffff:ffff:ffff:ffff 2001:20:: 2001:2f:ffff:ffff:ffff:ffff:ffff:ffff 2001:30::1
  2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:db8:: 2001:db8::1 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2620:4f:8000::1
  3fff:: 3fff::1 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  4000::1 5f00:: 5f00::1 6000::1 8000::1 a000::1 c000::1 e000::1 f000::1 200::1 400::1 800::1 1000::1`

const words = (text: string) => text.trim().split(/\s+/)

/** Every kind of address that we must never dial for callers, from IANA's registries of special-purpose addresses. */
export const forbidden_addresses = [...words(v4), ...words(tunnelled), ...words(v6)]

/** Public addresses, including those next to the reserved ranges. */
export const open_addresses = words(`
  1.0.0.0 1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
  192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
  223.255.255.255 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2400:cb00::1 2600:1f18::1 2606:4700::1111
  2620:0:2d0:200::7 2a00:1450:4001:80b::200e 2a03:2880:f12f:83:face:b00c::25de 3ffe::1`)
