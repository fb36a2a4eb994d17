import { expect, test } from 'vitest'
import { readinessPolicies } from './readiness-policies.ts'

test('a Node that is not ready and one with an unknown status are tolerated for the same time', () => {
  expect(readinessPolicies(60_000)).toEqual([
    { conditionType: 'Ready', conditionStatus: 'False', toleration: 60_000 },
    { conditionType: 'Ready', conditionStatus: 'Unknown', toleration: 60_000 },
  ])
})
