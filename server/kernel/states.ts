/** The states, territories and military regions of the census enumeration, each with its full names. */
const names = {
  AL: ['Alabama'],
  AK: ['Alaska'],
  AZ: ['Arizona'],
  AR: ['Arkansas'],
  CA: ['California'],
  CO: ['Colorado'],
  CT: ['Connecticut'],
  DC: ['District of Columbia', 'Washington DC'],
  DE: ['Delaware'],
  FL: ['Florida'],
  GA: ['Georgia'],
  HI: ['Hawaii'],
  ID: ['Idaho'],
  IL: ['Illinois'],
  IN: ['Indiana'],
  IA: ['Iowa'],
  KS: ['Kansas'],
  KY: ['Kentucky'],
  LA: ['Louisiana'],
  ME: ['Maine'],
  MD: ['Maryland'],
  MA: ['Massachusetts'],
  MI: ['Michigan'],
  MN: ['Minnesota'],
  MS: ['Mississippi'],
  MO: ['Missouri'],
  MT: ['Montana'],
  NE: ['Nebraska'],
  NV: ['Nevada'],
  NH: ['New Hampshire'],
  NJ: ['New Jersey'],
  NM: ['New Mexico'],
  NY: ['New York'],
  NC: ['North Carolina'],
  ND: ['North Dakota'],
  OH: ['Ohio'],
  OK: ['Oklahoma'],
  OR: ['Oregon'],
  PA: ['Pennsylvania'],
  RI: ['Rhode Island'],
  SC: ['South Carolina'],
  SD: ['South Dakota'],
  TN: ['Tennessee'],
  TX: ['Texas'],
  UT: ['Utah'],
  VT: ['Vermont'],
  VA: ['Virginia'],
  WA: ['Washington'],
  WI: ['Wisconsin'],
  WV: ['West Virginia'],
  WY: ['Wyoming'],
  PR: ['Puerto Rico'],
  GU: ['Guam'],
  AS: ['American Samoa'],
  VI: ['Virgin Islands', 'US Virgin Islands', 'United States Virgin Islands'],
  MP: ['Northern Mariana Islands', 'Commonwealth of the Northern Mariana Islands'],
  MH: ['Marshall Islands', 'Republic of the Marshall Islands'],
  PW: ['Palau', 'Republic of Palau'],
  FM: ['Micronesia', 'Federated States of Micronesia'],
  AE: [
    'Armed Forces Europe',
    'Armed Forces Europe, the Middle East, and Canada',
    'Armed Forces Africa',
    'Armed Forces Canada',
    'Armed Forces Middle East',
  ],
  AA: ['Armed Forces Americas', 'Armed Forces Americas (except Canada)'],
  AP: ['Armed Forces Pacific'],
} as const satisfies Record<string, readonly string[]>

type StateCode = keyof typeof names

/** The 62 codes, in the order of the census enumeration. */
export const states = Object.keys(names) as StateCode[]

/** A name in capitals without punctuation, so that `Washington, D.C.` is found. */
const keyOf = (name: string): string =>
  name
    .toUpperCase()
    .replace(/[.,()]/g, '')
    .replace(/[ \u00a0]+/g, ' ')

const codes = new Map<string, StateCode>([
  ...states.map((code) => [code, code] as const),
  ...Object.entries(names).flatMap(([code, all]) => all.map((name) => [keyOf(name), code as StateCode] as const)),
])

/** The full name of a state. Other text is returned as it is. */
export const stateName = (code: string): string => (names as Record<string, readonly string[]>)[code]?.[0] ?? code

/** The code of a state, from its code or a full name in any case. Other text is returned in capitals. */
export function stateCode(text: string): string {
  const upper = text.toUpperCase()
  return codes.get(upper) ?? codes.get(keyOf(upper)) ?? upper
}
