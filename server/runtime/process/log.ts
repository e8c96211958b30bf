import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino'
import type { DatabaseError } from 'pg'
import { isDatabaseError } from '../../database/query/database.ts'
import { output } from './output.ts'

/**
 * The log of a process, by default on its standard output. PostgreSQL quotes refused values in the detail of an error
 * and sometimes in its message, and they may be personal data. So only the fields without values are logged, anywhere
 * in a chain of causes.
 */
export const openLog = (level: string, destination: DestinationStream = output): Logger =>
  pino({ level, serializers: { err: withoutValues } }, destination)

function withoutValues(error: Error): object {
  if (isDatabaseError(error)) return namesOnly(error)
  const { cause, errors } = error as Error & { errors?: unknown }
  const causes = [cause, ...(Array.isArray(errors) ? errors : [])].filter((item) => item instanceof Error)
  if (causes.length === 0) return stdSerializers.err(error)
  const { name: type, message, stack } = error
  return { type, message, stack, causes: causes.map(withoutValues) }
}

function namesOnly({ code, table, column, constraint, routine, stack = '' }: DatabaseError): object {
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
