import { describe, expect, it } from 'vitest'
import { forbidden_addresses, open_addresses } from '../test/fakes/ip-addresses.ts'
import { isForbiddenAddress, isForbiddenPort, isLoopbackAddress } from './ip-addresses.ts'

describe('an address that we connect to for users', () => {
  it('is not one of over 150 addresses outside the public internet', () => {
    expect(forbidden_addresses.length).toBeGreaterThan(150)
    expect(new Set(forbidden_addresses).size).toBe(forbidden_addresses.length)
    expect(forbidden_addresses.filter((address) => !isForbiddenAddress(address))).toEqual([])
  })

  it('may be any address of the public internet, including the edges of its ranges', () => {
    expect(open_addresses.filter(isForbiddenAddress)).toEqual([])
  })

  it.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '8.8.8.8:80', '1.2.3', 'fe80::1%eth0'])(
    'is not %j, which is not an address',
    (text) => expect(isForbiddenAddress(text)).toBe(true),
  )

  it.each([
    ['127.0.0.1', true],
    ['127.255.255.254', true],
    ['::1', true],
    ['::ffff:127.0.0.1', false],
    ['10.0.0.1', false],
    ['localhost', false],
    ['8.8.8.8', false],
  ])('is recognized as loopback: %s, %s', (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected)
  })
})

describe('a port that we connect to for users', () => {
  it.each([
    ['https:', '', true],
    ['https:', '443', true],
    ['https:', '1024', true],
    ['https:', '8443', true],
    ['https:', '65535', true],
    ['https:', '0', false],
    ['https:', '1', false],
    ['https:', '22', false],
    ['https:', '25', false],
    ['https:', '80', false],
    ['https:', '442', false],
    ['https:', '444', false],
    ['https:', '993', false],
    ['https:', '1023', false],
    ['http:', '', true],
    ['http:', '80', true],
    ['http:', '443', true],
    ['http:', '3000', true],
    ['http:', '22', false],
    ['http:', '81', false],
  ])('may be with %s %j: %s', (protocol, port, expected) => {
    expect(isForbiddenPort(protocol, port)).toBe(!expected)
  })
})
