/** SQL: whether a row is in force on a day, which is from its `effective_on` to before its `until`. */
export const inForce = (row: string, $day: string): string =>
  `${row}.effective_on <= ${$day} and ${$day} < ${row}.until`
