/** The lightest and the darkest background of `tokens.css` behind accent-colored text. */
const white = '#ffffff'
const night = '#0f1115'
const min_contrast = 4.5

type Color = [red: number, green: number, blue: number]

const parts = (hex: string): Color => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Color
const hexOf = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Mixes a share of one color with the rest of another. */
const mixColors = (color: string, share: number, other: string): string => {
  const [one, two] = [parts(color), parts(other)]
  return hexOf(one.map((part, at) => part * share + two[at]! * (1 - share)) as Color)
}

function brightness(color: string): number {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  const [red, green, blue] = parts(color).map((part) => linear(part / 255)) as Color
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark, bright] = [brightness(one), brightness(other)].sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dark + 0.05)
}

/** The closest color with enough contrast on a background, reached by mixing in another color. */
function readable(color: string, ground: string, more_of: string): string {
  for (let share = 1; share > 0; share -= 0.05) {
    const found = mixColors(color, share, more_of)
    if (contrast(found, ground) >= min_contrast) return found
  }
  return more_of
}

/** Styles with an organization's accent color, which the page's own tokens override. Undefined for an invalid color. */
export function brandStyles(color: string): CSSStyleSheet | undefined {
  if (!/^#[0-9a-f]{6}$/.test(color)) return undefined
  const tint = mixColors(color, 0.1, white)
  const shade = mixColors(color, 0.25, night)
  const [day, dark] = [readable(color, tint, '#000000'), readable(color, shade, white)]
  const tokens = {
    accent: [day, dark],
    'accent-ground': [tint, shade],
    'accent-fill': [readable(color, white, '#000000'), dark],
    'on-accent': [white, night],
  }
  const rules = Object.entries(tokens).map(
    ([name, [light, at_night]]) => `--${name}: var(--ob-${name}, light-dark(${light}, ${at_night}));`,
  )
  const styles = new CSSStyleSheet()
  styles.replaceSync(`:host { ${rules.join(' ')} }`)
  return styles
}
