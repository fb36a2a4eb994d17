import { expect, test } from 'vitest'
import { readinessPolicies } from './readiness-policies.ts'

test('a Node whose status is unknown is tolerated as long as a Node that is not ready', () => {
  expect(readinessPolicies(60_000)).toEqual([
    { conditionType: 'Ready', conditionStatus: 'False', toleration: 60_000 },
    { conditionType: 'Ready', conditionStatus: 'Unknown', toleration: 60_000 },
  ])
})
