import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import svgr from 'vite-plugin-svgr'
import { bundledPackages } from './bundled-packages.ts'
import { bundlingModules, sources } from './bundling-modules.ts'

const headlamp = fileURLToPath(new URL('node_modules/@kinvolk/headlamp-plugin', import.meta.url))

/**
 * Bundles Headlamp's frontend (from its npm package) with Kerf's shell into `--outDir`. `packages/dashboard/server/`
 * serves the result.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../shell/', import.meta.url)),
  // All paths are relative. When the server sends the page, it adds its own path with the token as the base.
  base: './',
  define: { global: 'globalThis', 'process.env': '{}', 'import.meta.env.REACT_APP_ENABLE_WEBSOCKET_MULTIPLEXER': '"false"' },
  plugins: [
    bundlingModules(),
    bundledPackages(),
    svgr({ svgrOptions: { prettier: false, svgo: false, titleProp: true, ref: true }, include: '**/*.svg?react' }),
  ],
  // Stylesheets need an alias, because they can be resolved in no other way.
  resolve: { alias: { '@kinvolk/headlamp-plugin': headlamp } },
  esbuild: sources,
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // The package imports its translations from inside itself, with names that are computed at run time.
    dynamicImportVarsOptions: { include: [/@kinvolk\/headlamp-plugin\/lib\/i18n\//], exclude: [] },
    chunkSizeWarningLimit: 20_000,
    reportCompressedSize: false,
    rollupOptions: { maxParallelFileOps: 500 },
  },
})
