import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import svgr from 'vite-plugin-svgr'

/** Bundles Headlamp's frontend (from its npm package) with our outer frame, for `dashboard/` to serve. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The server puts its path, which holds a token, in front of these when it sends the page.
  base: './',
  define: { global: 'globalThis', 'process.env': '{}', 'import.meta.env.REACT_APP_ENABLE_WEBSOCKET_MULTIPLEXER': '"false"' },
  plugins: [
    svgr({ svgrOptions: { prettier: false, svgo: false, titleProp: true, ref: true }, include: '**/*.svg?react' }),
    react(),
  ],
  resolve: { dedupe: ['react', 'react-dom', 'react-redux', 'react-router', 'react-router-dom', '@iconify/react'] },
  build: {
    outDir: fileURLToPath(new URL('../dist-shell/', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Its translations are imported by name from inside the package.
    dynamicImportVarsOptions: { include: [/@kinvolk\/headlamp-plugin\/lib\/i18n\//], exclude: [] },
    chunkSizeWarningLimit: 20_000,
    reportCompressedSize: false,
    rollupOptions: { maxParallelFileOps: 500 },
  },
})
