import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Relative addresses: the service is reached below whatever path a proxy puts before it. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    target: 'es2024',
    // The policy of the page lets in files of our own and nothing that is written into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
    emptyOutDir: true,
    manifest: 'manifest.json',
  },
})
