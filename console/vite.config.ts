import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Relative URLs, because a proxy may serve the service under a path prefix. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: '../ui/public',
  plugins: [react()],
  build: {
    target: 'es2024',
    // Browsers that have `light-dark()`, which the theme menu needs.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The content security policy allows only files of the same origin, and no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        // One file for the libraries that all pages share. Split into a dozen, they compress worse.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[^/]+)\//,
            },
          ],
        },
      },
    },
    manifest: 'manifest.json',
  },
})
