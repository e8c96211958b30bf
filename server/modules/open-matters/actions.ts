import type { Ctx } from '../../platform/ctx.ts'
import { insertMatters, saveClosings, saveClosingsOf, type NewMatter } from './queries.ts'
import type { MatterKind } from './rules.ts'

/**
 * Opens matters for the operator, each once: one that is open already stays as it is, with what is known of it by now.
 * The organization is locked.
 */
export async function openMatters(ctx: Ctx, matters: NewMatter[]): Promise<void> {
  if (matters.length > 0) await insertMatters(ctx, matters)
}

/** Closes the open matters of a kind about resources, if there are any. The organization is locked. */
export async function closeMatters(
  ctx: Ctx,
  of: { organization_id: string; kind: MatterKind },
  resource_ids: string[],
): Promise<void> {
  if (resource_ids.length > 0) await saveClosings(ctx, of, resource_ids)
}

/** Closes the open matters of a kind about an employer, whatever they are about there. The organization is locked. */
export const closeMattersOf = (ctx: Ctx, of: { organization_id: string; employer_id: string; kind: MatterKind }) =>
  saveClosingsOf(ctx, of)
