import { afterAll, expect } from 'vitest'
import { costDirectory, recordCost } from '../costs/record.ts'

// Vitest runs the last registered hook first, so this one runs after those of the file: it counts what they use.
if (costDirectory !== undefined) {
  const finish = recordCost(costDirectory)
  afterAll(() => finish(expect.getState().testPath ?? ''), 60_000)
}
