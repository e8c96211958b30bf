import { generic, type RefusalKind } from '../../../kernel/refusal.ts'

/** The refusal of a search that cannot match anything. */
export const unsearchable: RefusalKind = {
  ...generic.unprocessable,
  message: 'The search contains no letter or digit.',
}

/** Whether a search contains a letter or digit. Otherwise it cannot match anything. */
export const isSearchable = (search: string): boolean => /[\p{L}\p{N}]/u.test(search)
