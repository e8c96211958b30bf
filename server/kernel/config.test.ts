import { expect, it } from 'vitest'
import { ConfigError, readConfig, withTls } from './config.ts'

const strict = 'sslmode=verify-full'

it.each([
  // other machines, unless sslmode or ssl is set
  ['postgresql://u:p@db.example.com/benefits', `postgresql://u:p@db.example.com/benefits?${strict}`],
  ['postgresql://u:p@10.0.0.7:5433/benefits', `postgresql://u:p@10.0.0.7:5433/benefits?${strict}`],
  [
    'postgresql://u:p@db.example.com/benefits?sslrootcert=/etc/ca.pem',
    `postgresql://u:p@db.example.com/benefits?sslrootcert=%2Fetc%2Fca.pem&${strict}`,
  ],
  ['postgresql://u:p@localhost.example.com/benefits', `postgresql://u:p@localhost.example.com/benefits?${strict}`],
  ['postgresql://u:p@localhost/benefits?host=db.example.com', undefined],
  ['postgresql://u:p@db.example.com/benefits?sslmode=disable', null],
  ['postgresql://u:p@db.example.com/benefits?sslmode=require', null],
  ['postgresql://u:p@db.example.com/benefits?ssl=true', null],
  // this machine
  ['postgresql://u:p@localhost/benefits', null],
  ['postgresql://u:p@127.0.0.1:5432/benefits', null],
  ['postgresql://u:p@127.8.0.1/benefits', null],
  ['postgresql://u:p@[::1]/benefits', null],
  ['postgresql://u:p@localhost/benefits?host=/var/run/postgresql', null],
  ['postgresql:///benefits', null],
])('%s requires TLS if it is on another machine', (address, expected) => {
  if (expected === undefined) expect(withTls(address)).toContain(strict)
  else expect(withTls(address)).toBe(expected ?? address)
})

it.each([
  [{ PORT: 'x' }, 'The setting PORT must be a whole number from 0 to 65535.'],
  [{ ROLE: 'both' }, 'The setting ROLE must be all, api or worker.'],
  [{ LOG_LEVEL: 'verbose' }, 'The setting LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.'],
  [
    { ENCRYPTION_KEYS: 'x' },
    'The setting ENCRYPTION_KEYS must be id:key pairs, each key 32 bytes in base64, comma separated.',
  ],
  [{ DATABASE_URL: 'mysql://x' }, 'The setting DATABASE_URL must be a postgresql:// URL.'],
  [{ DATABASE_URL: 'postgresql://localhost/x' }, 'The setting ENCRYPTION_KEYS is required when DATABASE_URL is set.'],
])('refuses %j with one sentence', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(new ConfigError(sentence))
})

it.each([
  [{}, 8],
  [{ AUDIT_RETENTION_YEARS: '' }, 8],
  [{ AUDIT_RETENTION_YEARS: '3' }, 3],
])('with %j keeps the audit log for %i years', (env, years) => {
  expect(readConfig(env).AUDIT_RETENTION_YEARS).toBe(years)
})
