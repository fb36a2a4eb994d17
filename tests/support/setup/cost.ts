import { afterAll, expect } from 'vitest'

// The module is loaded only if costs are recorded. Vitest runs the last registered hook first, so this hook runs after those of the test
// file and includes their costs.
if (process.env['KERF_TEST_COSTS'] !== undefined) {
  const { costDirectory, recordCost } = await import('../costs/record.ts')
  if (costDirectory !== undefined) {
    const finish = recordCost(costDirectory)
    afterAll(() => finish(expect.getState().testPath ?? ''), 60_000)
  }
}
