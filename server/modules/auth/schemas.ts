import { z } from 'zod'

const BoundEntityType = z.enum(['employee', 'employer']).meta({ id: 'BoundEntityType' })

export const BoundEntity = z
  .object({ type: BoundEntityType, id: z.string() })
  .refine(({ type, id }) => id.startsWith(type === 'employer' ? 'empr_' : 'empl_'), {
    path: ['id'],
    message: 'must be the id of an entity of this type: empr_… for an employer, empl_… for an employee',
  })
  .meta({ id: 'BoundEntity', description: 'The one employer or employee that a token is bound to.' })

export type BoundEntity = z.output<typeof BoundEntity>

export const AccessTokenRequest = z
  .object({
    grant_type: z.literal('client_credentials'),
    bound_entity: BoundEntity.nullish().transform((value) => value ?? null),
  })
  .meta({ id: 'AccessTokenRequest' })

export type AccessTokenRequest = z.output<typeof AccessTokenRequest>

export const AccessToken = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds.' }),
    bound_entity: z.object({ type: BoundEntityType, id: z.string() }).nullable(),
  })
  .meta({ id: 'AccessToken' })
