import { pino, stdSerializers, type Logger } from 'pino'
import { isDatabaseError } from './db.ts'

/**
 * The log of a process. PostgreSQL quotes the values it refuses, in the detail of an error and sometimes in
 * its message; they may be personal data, so of its errors only what names no value is written.
 */
export const openLog = (level: string): Logger => pino({ level, serializers: { err: withoutValues } })

function withoutValues(error: Error): object {
  if (!isDatabaseError(error)) return stdSerializers.err(error)
  const { code, table, column, constraint, routine, stack = '' } = error
  return {
    type: 'DatabaseError',
    code,
    table,
    column,
    constraint,
    routine,
    stack: stack.slice(stack.indexOf('\n    at')),
  }
}
