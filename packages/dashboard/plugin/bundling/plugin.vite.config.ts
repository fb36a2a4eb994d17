import headlamp from '@kinvolk/headlamp-plugin/config/vite.config.mjs'
import { defineConfig, mergeConfig } from 'vite'
import { bundledPackages } from './bundled-packages.ts'
import { bundlingModules, sources } from './bundling-modules.ts'

/**
 * Bundles the plugin with Headlamp's own configuration into `--outDir`. Paths are relative to the working directory,
 * which is the plugin's folder.
 */
export default defineConfig(
  mergeConfig(headlamp, {
    plugins: [bundlingModules(), bundledPackages()],
    esbuild: sources,
    // The same as for the frontend. Vite's default would replace private fields by slow WeakMaps.
    build: { target: 'es2022' },
  }),
)
