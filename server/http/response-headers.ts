import type { FastifyRequest } from 'fastify'
import { api_version } from './errors.ts'

/** Answers contain pay and health benefits: no cache keeps them, and no browser guesses another content type. */
export const uncached = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** For a year, a browser that came over https, perhaps to a trusted proxy, uses nothing else. */
const https_only = { 'strict-transport-security': 'max-age=31536000' }

/** The headers of every answer. */
export const answerHeaders = ({ id, protocol }: FastifyRequest) => ({
  'x-request-id': id,
  'x-api-version': api_version,
  ...uncached,
  ...(protocol === 'https' && https_only),
})
