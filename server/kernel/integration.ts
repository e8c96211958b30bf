import { z } from 'zod'

/** A system outside: the settings that say where it is, and how it is opened by them, once for each process. */
export type Integration<Opened = any, Shape extends z.ZodRawShape = any> = {
  settings: Shape
  /** The first of its settings that is missing beside the others, and when it is required. */
  missing?: (settings: z.output<z.ZodObject<Shape>>) => { setting: string; when: string } | undefined
  open: (settings: z.output<z.ZodObject<Shape>>) => Opened
}

/** What was opened; a test puts a fake in its place. */
export type Integrations = Map<Integration, unknown>

/** Declares an integration; the type of its settings follows from their schemas. */
export const integration = <Opened, Shape extends z.ZodRawShape>(
  declared: Integration<Opened, Shape>,
): Integration<Opened, Shape> => declared

/** Opens integrations by the settings of a process, which hold theirs. */
export const openIntegrations = (declared: Iterable<Integration>, settings: Record<string, unknown>): Integrations =>
  new Map([...declared].map((one) => [one, one.open(settings)]))

/** One of those that are open. */
export function integrationOf<Opened>(
  { integrations }: { integrations: Integrations },
  wanted: Integration<Opened>,
): Opened {
  if (!integrations.has(wanted)) throw new Error('An integration is used that no module lists in modules.ts.')
  return integrations.get(wanted) as Opened
}
