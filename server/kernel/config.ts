import { resolve } from 'node:path'
import { z } from 'zod'
import { isOrigin } from './fields.ts'
import type { Integration } from './integration.ts'
import { isAddressOrRange } from './ip-addresses.ts'

const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true')
/** A setting that is a whole number. */
export const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
/** Whether a key is a placeholder, such as all zeros. */
const isOneByteRepeated = (key: Buffer) => new Set(key).size === 1
const not_random = 'must be random: it repeats one byte'
const bytesOf = (text: string) => text.split(',').map((key) => Buffer.from(key, 'base64'))
const base64Keys = z
  .string()
  .refine((text) => bytesOf(text).every(({ length }) => length >= 32), 'must be at least 32 bytes in base64')
  .refine((text) => !bytesOf(text).some(isOneByteRepeated), not_random)
const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL')
  .transform(withTls)
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

const Environment = z.object({
  PORT: count(0, 65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: z
    .string()
    .refine(
      (text) => /^https?:\/\/[^\s?#@]+$/.test(text) && URL.canParse(text),
      'must be a URL such as https://benefits.example.com',
    )
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(path)),
  DATABASE_URL: postgresUrl.optional(),
  MIGRATION_DATABASE_URL: postgresUrl.optional(),
  DIRECT_DATABASE_URL: postgresUrl.optional(),
  READ_DATABASE_URL: postgresUrl.optional(),
  POSTGRES_BIN: z.string().optional(),
  SANDBOX: flag.optional(),
  SANDBOX_DEMO: flag.default(true),
  ROLE: z.enum(['all', 'api', 'worker'], { error: 'must be all, api or worker' }).default('all'),
  HEALTH_PORT: count(0, 65_535).optional(),
  METRICS_PORT: count(0, 65_535).optional(),
  DRAIN_SECONDS: count(0, 300).optional(),
  ENCRYPTION_KEYS: z
    .string()
    .regex(/^\w+:[A-Za-z0-9+/]{43}=(,\w+:[A-Za-z0-9+/]{43}=)*$/, {
      error: 'must be id:key pairs, each key 32 bytes in base64, comma separated',
      abort: true,
    })
    .refine(
      (text) => text.split(',').every((pair) => !isOneByteRepeated(Buffer.from(pair.split(':')[1]!, 'base64'))),
      not_random,
    )
    .optional(),
  HASH_KEY: base64Keys.optional(),
  TOKEN_KEY: base64Keys.optional(),
  OPERATOR_KEY: z
    .string()
    .regex(/^obop_\S{27,}$/, 'must be obop_ followed by at least 27 random characters')
    .refine((text) => !isOneByteRepeated(Buffer.from(text.slice(5))), not_random)
    .optional(),
  CORS_ORIGINS: list
    .pipe(z.array(z.string().refine(isOrigin, 'must be origins such as https://app.example.com, without wildcards')))
    .default([]),
  TRUSTED_PROXIES: list
    .pipe(z.array(z.string().refine(isAddressOrRange, 'must be addresses or ranges such as 10.0.0.0/8')))
    .default([]),
  RATE_LIMIT_PER_MINUTE: count(1, 1_000_000).default(600),
  RATE_LIMIT_BURST: count(1, 1_000_000).default(100),
  PREPARED_STATEMENTS: flag.default(true),
  WORKER_CONCURRENCY: count(1, 100).default(4),
  ALLOW_PRIVATE_WEBHOOKS: flag.default(false),
  AUDIT_RETENTION_YEARS: count(1, 100).default(8),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
})

export type Config = z.output<typeof Environment> & { DRAIN_SECONDS: number }

/** The address for sessions that keep their state. It bypasses the pooler if `DATABASE_URL` points to one. */
export const directUrlOf = ({ DIRECT_DATABASE_URL, DATABASE_URL }: Config): string | undefined =>
  DIRECT_DATABASE_URL ?? DATABASE_URL

export const settingNames = (integrations: Iterable<Integration>): string[] => [
  ...Object.keys(Environment.shape),
  ...[...integrations].flatMap(({ settings }) => Object.keys(settings)),
]

/**
 * Adds `sslmode=verify-full` to a database address on another machine, unless the address sets `sslmode` or `ssl`. The
 * driver refuses text that is not an address.
 */
export function withTls(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const host = url.searchParams.get('host') ?? url.hostname
  const is_local = host === '' || host.startsWith('/') || /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host)
  if (is_local || url.searchParams.has('sslmode') || url.searchParams.has('ssl')) return address
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** An invalid setting. The operator sees its message. */
export class ConfigError extends Error {}

export const secret_settings = ['ENCRYPTION_KEYS', 'HASH_KEY', 'TOKEN_KEY', 'OPERATOR_KEY'] as const

/**
 * Reads the settings, including those of integrations. An empty variable counts as missing. Throws a ConfigError with
 * one sentence.
 */
export function readConfig(env: NodeJS.ProcessEnv, integrations: Iterable<Integration> = []): Config {
  const all = Environment.extend(Object.assign({}, ...[...integrations].map(({ settings }) => settings)))
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = all.safeParse(given)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw new ConfigError(`The setting ${String(path[0])} ${message}.`)
  }
  const config = parsed.data as z.output<typeof Environment>
  const require = (names: readonly (keyof Config)[], when: string) => {
    const missing = names.find((name) => config[name] === undefined)
    if (missing) throw new ConfigError(`The setting ${missing} is required ${when}.`)
  }
  if (config.DATABASE_URL) require(secret_settings, 'when DATABASE_URL is set')
  for (const name of ['MIGRATION_DATABASE_URL', 'DIRECT_DATABASE_URL', 'READ_DATABASE_URL'] as const)
    if (config[name]) require(['DATABASE_URL'], `when ${name} is set`)
  for (const { missing } of integrations) {
    const found = missing?.(config)
    if (found) throw new ConfigError(`The setting ${found.setting} is required ${found.when}.`)
  }
  if (config.ROLE !== 'all' && !config.DATABASE_URL) {
    throw new ConfigError(
      'The setting ROLE must be all with the embedded database, which only one process may use; set ' +
        `DATABASE_URL to run ${config.ROLE} alone.`,
    )
  }
  return { ...config, DRAIN_SECONDS: config.DRAIN_SECONDS ?? (config.DATABASE_URL ? 5 : 0) }
}
