import { expect, it } from 'vitest'
import { ConfigError } from '../kernel/config.ts'
import { integrations } from '../modules.ts'
import { readSettings, unknownSettings } from './settings.ts'

it.each([
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['DATABASE_URI_FILE', 'DATABASE_URL_FILE'],
  ['ENCRYPTION_KEY', 'ENCRYPTION_KEYS'],
  ['RATE_LIMIT_PER_MINUT', 'RATE_LIMIT_PER_MINUTE'],
  ['SMTP_FORM', 'SMTP_FROM'],
  ['PORTS', 'PORT'],
])('refuses the misspelled setting %s', (given, meant) => {
  const sentence = `The setting ${given} is unknown. Set ${meant} instead, or unset ${given}.`
  expect(() => readSettings({ [given]: 'x' }, integrations)).toThrow(new ConfigError(sentence))
  expect(() => readSettings({ [given]: '' }, integrations)).not.toThrow()
})

it('ignores variables of other programs', () => {
  const others = ['HOME', 'HOSTNAME', 'PGHOST', 'PGPORT', 'LOGNAME', 'SMTP_USER', 'STRIPE_SECRET_KEY', 'POSTGRES_DB']
  expect(readSettings(Object.fromEntries(others.map((name) => [name, 'x'])), integrations).PORT).toBe(8080)
  expect(readSettings({ PORT: '80', PORTS: '80,443', LOG_LEVEL: 'warn', LOGLEVEL: 'x' }, integrations).PORT).toBe(80)
})

it('reports unknown variables with the prefix of an integration', () => {
  const names = [
    'SMTP_HOST',
    'SMTP_URL',
    'SMTP_URL_FILE',
    'STRIPE_SECRET_KEY',
    'OIDC_CLIENT',
    'PGHOST',
    'DATABASE',
    'HOME',
  ]
  const env = { ...Object.fromEntries(names.map((name) => [name, 'x'])), KEYCLOAK_ADMIN: '' }
  expect(unknownSettings(env, integrations)).toEqual(['SMTP_HOST', 'STRIPE_SECRET_KEY', 'OIDC_CLIENT'])
})
