import { unsafeCSS } from 'lit'
import tokens from '../../../ui/tokens.css'
import base from './styles/base.css'
import controls from './styles/controls.css'
import pieces from './styles/pieces.css'

/**
 * The page may set every token: `--ob-accent`, `--ob-font`, `--ob-radius`, `--ob-ground`, and so on. The color scheme
 * is that of the page, unless the attribute `appearance` sets it.
 */
const own_tokens = tokens
  .replace(':root', ':host')
  .replace(/^\s+color-scheme: .+;$/m, '')
  .replaceAll(/^\s+--([\w-]+): (.+);$/gm, '  --$1: var(--ob-$1, $2);')

export const styles = [own_tokens, base, controls, pieces].map(unsafeCSS)
