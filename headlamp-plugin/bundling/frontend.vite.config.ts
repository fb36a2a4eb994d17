import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import svgr from 'vite-plugin-svgr'
import { bundledPackages } from './bundled-packages.ts'
import { bundlingModules, sources } from './bundling-modules.ts'

const headlamp = fileURLToPath(new URL('node_modules/@kinvolk/headlamp-plugin', import.meta.url))

/** Bundles Headlamp's frontend (from its npm package) with our outer frame, for `dashboard/` to serve, into `--outDir`. */
export default defineConfig({
  root: fileURLToPath(new URL('../shell/', import.meta.url)),
  // The server puts its path, which holds a token, in front of these when it sends the page.
  base: './',
  define: { global: 'globalThis', 'process.env': '{}', 'import.meta.env.REACT_APP_ENABLE_WEBSOCKET_MULTIPLEXER': '"false"' },
  plugins: [
    bundlingModules(),
    bundledPackages(),
    svgr({ svgrOptions: { prettier: false, svgo: false, titleProp: true, ref: true }, include: '**/*.svg?react' }),
  ],
  // Stylesheets are resolved by aliases alone.
  resolve: { alias: { '@kinvolk/headlamp-plugin': headlamp } },
  esbuild: sources,
  build: {
    emptyOutDir: true,
    target: 'es2022',
    // Its translations are imported by name from inside the package.
    dynamicImportVarsOptions: { include: [/@kinvolk\/headlamp-plugin\/lib\/i18n\//], exclude: [] },
    chunkSizeWarningLimit: 20_000,
    reportCompressedSize: false,
    rollupOptions: { maxParallelFileOps: 500 },
  },
})
