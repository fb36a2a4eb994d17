import headlamp from '@kinvolk/headlamp-plugin/config/vite.config.mjs'
import { defineConfig, mergeConfig } from 'vite'
import { bundledPackages } from './bundled-packages.ts'
import { bundlingModules, sources } from './bundling-modules.ts'

/** Bundles the plugin by Headlamp's own configuration into `--outDir`. Its paths start from the working directory, the plugin's folder. */
export default defineConfig(mergeConfig(headlamp, { plugins: [bundlingModules(), bundledPackages()], esbuild: sources }))
