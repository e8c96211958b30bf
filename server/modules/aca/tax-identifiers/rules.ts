/** The tax identifier in nine digits, with or without hyphens. Undefined if the string has another form. */
export const digitsOf = (text: string): string | undefined => {
  const found = /^(\d{3})(-?)(\d{2})\2(\d{4})$/.exec(text)
  return found ? `${found[1]}${found[3]}${found[4]}` : undefined
}

/** Whether a number is within one of some ranges, both ends included. */
const isWithin = (number: number, ranges: readonly (readonly [number, number])[]): boolean =>
  ranges.some(([first, last]) => first <= number && number <= last)

/** The fourth and fifth digits of individual taxpayer identification numbers. */
const itin_groups = [
  [50, 65],
  [70, 88],
  [90, 92],
  [94, 99],
] as const

/**
 * Whether nine digits can be a Social Security number or an individual taxpayer identification number. The Social
 * Security Administration assigns no number with the area 000 or 666, the group 00 or the serial number 0000. Numbers
 * that begin with 9 are taxpayer identification numbers, which have certain groups only.
 */
export function isAssignable(digits: string): boolean {
  const [area, group] = [digits.slice(0, 3), Number(digits.slice(3, 5))]
  if (area.startsWith('9')) return isWithin(group, itin_groups)
  return area !== '000' && area !== '666' && group > 0 && digits.slice(5) !== '0000'
}

/** The purpose of the key that encrypts the tax identifier of a person. Each person has a key of their own. */
export const purposeOf = (person_id: string): string => `tax identifier of ${person_id}`
