import { z } from 'zod'

export const Gender = z
  .enum(['Male', 'Female', 'Transgender', 'Non-binary', 'Prefer not to respond'])
  .meta({ id: 'Gender' })
