import { afterAll, expect } from 'vitest'

// Load the module only if costs are recorded. Vitest runs the last registered hook first and this one last, so the recorded costs include
// those of the test file's hooks.
if (process.env['KERF_TEST_COSTS'] !== undefined) {
  const { costDirectory, recordCost } = await import('../costs/record.ts')
  if (costDirectory !== undefined) {
    const finish = recordCost(costDirectory)
    afterAll(() => finish(expect.getState().testPath ?? ''), 60_000)
  }
}
