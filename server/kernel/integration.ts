import { z } from 'zod'

/** An outside system: its settings, and a function that opens it once per process. */
export type Integration<Opened = any, Shape extends z.ZodRawShape = any> = {
  settings: Shape
  /** Returns the first missing setting that other settings require, and when it is required. */
  missing?: (
    settings: z.output<z.ZodObject<Shape>> & { PUBLIC_URL?: string | undefined },
  ) => { setting: string; when: string } | undefined
  open: (settings: z.output<z.ZodObject<Shape>>) => Opened
}

/** The opened integrations. Tests replace them with fakes. */
export type Integrations = Map<Integration, unknown>

/** Declares an integration. The type of its settings follows from their schemas. */
export const integration = <Opened, Shape extends z.ZodRawShape>(
  declared: Integration<Opened, Shape>,
): Integration<Opened, Shape> => declared

/** Opens integrations with the settings of the process, which include theirs. */
export const openIntegrations = (declared: Iterable<Integration>, settings: Record<string, unknown>): Integrations =>
  new Map([...declared].map((integration) => [integration, integration.open(settings)]))

/** Returns an opened integration. */
export function integrationOf<Opened>(
  { integrations }: { integrations: Integrations },
  wanted: Integration<Opened>,
): Opened {
  if (!integrations.has(wanted)) throw new Error('No module in modules.ts lists this integration.')
  return integrations.get(wanted) as Opened
}
