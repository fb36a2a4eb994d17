import { defineErrors, type ErrorEntry } from '@kerf/runtime'

const build: ErrorEntry<{ readonly step: string; readonly cause: string }> = {
  when: 'The dashboard’s frontend or plugin cannot be installed or bundled.',
  text: ({ step, cause }) => `cannot build the dashboard: ${step} failed: ${cause}`,
  next: 'check that npm reaches its registry; everything else works without the dashboard',
  example: { step: 'npm ci', cause: 'network unreachable' },
}

export const dashboardErrors = defineErrors('dashboard', { DashboardBuild: build })
