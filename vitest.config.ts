import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
      '{apis,engine,runtime,controllers,providers,sandbox,cli,dashboard,headlamp-plugin/src/model,scripts,bench,test,sim}/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', 'test/cluster/.cache/**'],
    setupFiles: ['test/setup/property-seed.ts', 'test/setup/declared-rights.ts'],
    globalSetup: ['test/cluster/src/global-setup.ts'],
    // On a shared machine real processes are held up now and then. The end of the run lists the tests that needed a second
    // try, and a nightly run fails for them (scripts/test-totals.mjs).
    retry: process.env['CI'] === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
