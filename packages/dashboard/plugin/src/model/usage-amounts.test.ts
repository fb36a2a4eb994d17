import { expect, test } from 'vitest'
import { usageAmounts } from './usage-amounts.ts'

test('each limited resource of a NodePool has its used amount and its limit', () => {
  const pools = [
    {
      metadata: { name: 'general' },
      spec: { limits: { cpu: '100', memory: '400Gi' } },
      status: { resources: { cpu: '72', memory: '144Gi', pods: '30' } },
    },
    { metadata: { name: 'free' }, spec: {}, status: { resources: { cpu: '4' } } },
  ]
  expect([...usageAmounts(pools, (used, limit) => `${used} of ${limit}`)]).toEqual([
    ['general · cpu', '72 of 100'],
    ['general · memory', '144 Gi of 400 Gi'],
  ])
})
