import { generic, type RefusalKind } from '../../../kernel/refusal.ts'

/** Why a search finds nobody, whoever there is. */
export const unsearchable: RefusalKind = {
  ...generic.unprocessable,
  message: 'The search holds no letter or digit to search for.',
}

/** What a search looks for: letters and digits must be among it, else nothing could be found. */
export const isSearchable = (search: string): boolean => /[\p{L}\p{N}]/u.test(search)
