import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{apis,engine,runtime,controllers,providers,sandbox,cli,scripts,bench,test}/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/cluster/.cache/**'],
    globalSetup: ['test/cluster/src/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
