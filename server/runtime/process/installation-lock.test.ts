import { beforeEach, describe, expect, inject, it } from 'vitest'
import { lockInstallation, kindOf } from './installation-lock.ts'
import { readConfig } from '../../kernel/config.ts'
import { no_organization } from '../../database/query/rows-of.ts'
import { namesOf, saveLeaving, saveProcess } from './processes.ts'
import { openKnownSecrets, retireKey } from '../../security/secret-keys.ts'
import { newSecretKeys, openSecrets, ringOf, type SecretKeys } from '../../security/secrets.ts'
import { useApi } from '../../test/harness.ts'

describe('a start', () => {
  const live = 'This database is live'
  const sandbox = 'This database is a sandbox'

  it.each([
    // known kind, SANDBOX, embedded, and the outcome or refusal
    [undefined, undefined, true, 'sandbox'],
    [undefined, undefined, false, 'live'],
    [undefined, true, false, 'sandbox'],
    [undefined, false, true, 'live'],
    ['sandbox', undefined, true, 'sandbox'],
    ['sandbox', true, false, 'sandbox'],
    ['sandbox', false, true, sandbox],
    // A separate database means production.
    ['sandbox', undefined, false, sandbox],
    ['live', undefined, true, 'live'],
    ['live', undefined, false, 'live'],
    ['live', false, true, 'live'],
    ['live', true, true, live],
    ['live', true, false, live],
  ] as const)('on a database that is %s with SANDBOX=%s, embedded: %s, is: %s', (known, input, embedded, outcome) => {
    const start = () => kindOf(known, input, embedded)
    if (outcome === 'sandbox' || outcome === 'live') expect(start()).toBe(outcome)
    else expect(start).toThrow(outcome)
  })
})

describe('a database', () => {
  const api = useApi()
  const keys = () => inject('secret_keys')
  const lock = (given: SecretKeys = keys(), env: Record<string, string> = {}) =>
    lockInstallation(api.runtime.database, given, readConfig(env))
  const forget = () => api.act((ctx) => ctx.db.rows('delete from installation'))
  const second = `k2:${newSecretKeys().encryption_keys.slice(3)}`
  const wrong_hash_key = () => ({ ...keys(), hash_key: newSecretKeys().hash_key })
  const wrong_encryption_key = () => ({ ...keys(), encryption_keys: newSecretKeys().encryption_keys })

  beforeEach(async () => {
    await forget()
    await api.act((ctx) => ctx.db.rows('delete from secret_keys'))
  })

  it('starts only with its own keys, and still does after a refused start', async () => {
    await lock()
    await expect(lock(wrong_hash_key())).rejects.toThrow('The hash key differs')
    await expect(lock(wrong_encryption_key())).rejects.toThrow('The encryption key k1 is missing, or differs')
    await expect(lock({ ...keys(), encryption_keys: second })).rejects.toThrow('The encryption key k1 is missing')
    expect(await lock()).toBe('sandbox')
  })

  it('accepts a new encryption key in two steps: after the old one everywhere, then before it', async () => {
    await lock()
    const [first] = [keys().encryption_keys]
    const behind = { ...keys(), encryption_keys: `${first},${second}` }
    const before = { ...keys(), encryption_keys: `${second},${first}` }
    await lock(behind)
    // A process that does not have the new key yet may still restart.
    await lock()
    await lock(before)
    await lock(behind)
    await expect(lock()).rejects.toThrow('The encryption key k2 is missing')
  })

  const third = newSecretKeys().hash_key
  const hashKeys = (hash_key: string) => ({ ...keys(), hash_key })
  const reads = () => api.runtime.database.reads(no_organization)
  /** Whether a hash key protects the audit log on a day, counted from now. */
  const protects = async (hash_key: string, given: SecretKeys, days: number) => {
    const day = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    return (await openKnownSecrets(reads(), given)).auditKey(day).equals(openSecrets(hashKeys(hash_key)).auditKey(day))
  }

  it('keeps the previous hash key of the audit log until a day that all processes know', async () => {
    await lock()
    const { hash_key: old } = keys()
    const both = hashKeys(`${third},${old}`)
    await lock(both)
    expect(await Promise.all([-2000, 0, 1].map((days) => protects(old, both, days)))).toEqual([true, true, true])
    expect(await Promise.all([2, 400].map((days) => protects(third, both, days)))).toEqual([true, true])
    // A process with the new key in second position uses the same days.
    expect(await protects(third, hashKeys(`${old},${third}`), 2)).toBe(true)

    const secrets = await openKnownSecrets(reads(), both)
    await api.act(({ db }) => retireKey(db, secrets, 'HASH_KEY', ringOf('HASH_KEY', keys())[0]!))
    const alone = hashKeys(third)
    expect(await lock(alone)).toBe('sandbox')
    expect(await Promise.all([-2000, 0, 1].map((days) => protects(old, alone, days)))).toEqual([true, true, true])
    expect(await protects(third, alone, 2)).toBe(true)
    await expect(lock(keys())).rejects.toThrow('The hash key differs')
  })

  it('is not written with a key that another process does not know yet', async () => {
    await lock()
    const many = { ...readConfig({}), SANDBOX: true, DATABASE_URL: 'postgresql://elsewhere' }
    const begin = (given: SecretKeys, id: string) => lockInstallation(api.runtime.database, given, many, id)
    const both = hashKeys(`${third},${keys().hash_key}`)
    await api.act(({ db }) =>
      saveProcess({ db }, { id: 'other', role: 'api', records_writes: false, ...namesOf(keys()) }),
    )
    await expect(begin(both, 'own')).rejects.toThrow('which 1 other running processes')
    expect(await begin(both, 'other')).toBe('sandbox')
    await api.act(({ db }) => saveLeaving({ db }, { id: 'other' }))
  })

  it('has one kind, even if several processes start it at the same time', async () => {
    const starts = Array.from({ length: 8 }, () => lock())
    expect(new Set(await Promise.all(starts))).toEqual(new Set(['sandbox']))
  })
})

describe('keys of one repeated byte', () => {
  const zeros = Buffer.alloc(32).toString('base64')
  const { encryption_keys } = newSecretKeys()

  it.each([
    ['HASH_KEY', zeros],
    ['HASH_KEY', Buffer.alloc(64, 'a').toString('base64')],
    ['TOKEN_KEY', zeros],
    ['TOKEN_KEY', `${newSecretKeys().token_key},${zeros}`],
    ['ENCRYPTION_KEYS', `k1:${zeros}`],
    ['ENCRYPTION_KEYS', `${encryption_keys},k0:${zeros}`],
    ['OPERATOR_KEY', `obop_${'x'.repeat(40)}`],
  ])('are refused: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`The setting ${name} must be random: it repeats one byte.`)
  })
})
