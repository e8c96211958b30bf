import type { FastifyRequest } from 'fastify'
import { api_version } from './errors.ts'

/**
 * Responses contain pay and health benefits: caches must not store them, and browsers must not guess the content type.
 */
export const uncached = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** A browser that used https, possibly through a trusted proxy, uses only https for a year. */
const https_only = { 'strict-transport-security': 'max-age=31536000' }

/** The headers of every response. */
export const answerHeaders = ({ id, protocol }: FastifyRequest) => ({
  'x-request-id': id,
  'x-api-version': api_version,
  ...uncached,
  ...(protocol === 'https' && https_only),
})
