import { afterAll, expect } from 'vitest'

// Loaded only when somebody asks for costs. Vitest runs the last registered hook first, so this one runs after those of the
// file: it counts what they use.
if (process.env['KERF_TEST_COSTS'] !== undefined) {
  const { costDirectory, recordCost } = await import('../costs/record.ts')
  if (costDirectory !== undefined) {
    const finish = recordCost(costDirectory)
    afterAll(() => finish(expect.getState().testPath ?? ''), 60_000)
  }
}
