import headlamp from '@kinvolk/headlamp-plugin/config/vite.config.mjs'
import { defineConfig, mergeConfig } from 'vite'
import { bundledPackages } from './bundled-packages.ts'
import { bundlingModules, sources } from './bundling-modules.ts'

/**
 * Bundles the plugin with Headlamp's own configuration into `--outDir`. Its paths are relative to the plugin's folder,
 * the working directory.
 */
export default defineConfig(mergeConfig(headlamp, { plugins: [bundlingModules(), bundledPackages()], esbuild: sources }))
