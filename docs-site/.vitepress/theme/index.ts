import { onMounted, onUpdated } from 'vue'
import { useRoute, withBase, type Theme } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import '@fontsource-variable/inter/wght.css'
import '../../../ui/tokens.css'
import './style.css'

/** In a sandbox, the page about test data shows the ids of the people and employers that it names. */
async function showTestIds(): Promise<void> {
  const response = await fetch(withBase('/test-ids.json'))
  if (!response.ok) return
  const ids: Record<string, string> = await response.json()
  for (const cell of document.querySelectorAll('.vp-doc td:first-child')) {
    const id = ids[cell.textContent.trim()]
    if (id)
      cell.append(document.createElement('br'), Object.assign(document.createElement('code'), { textContent: id }))
  }
}

export default {
  extends: theme,
  setup() {
    const route = useRoute()
    const show = () => void (route.path === withBase('/test-data') && showTestIds())
    onMounted(show)
    onUpdated(show)
  },
} satisfies Theme
