import type { RequirementSpec } from '@kerf/engine'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { launchedLabels } from './launched-labels.ts'

const only = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })

test('the launched offering takes precedence over the claim’s requirements; a requirement with several values gives no label', () => {
  const claim = nodeClaim('a', {
    metadata: { labels: { team: 'web', zone: 'claim', size: 'claim' } },
    spec: { requirements: [only('zone', 'asked'), only('size', 'asked'), only('disk', 'ssd'), only('arch', 'x', 'y')] },
  })
  const offering = { requirements: [only('zone', 'b')], price: 1, available: true }
  const type = {
    ...{ name: 'm', capacity: {}, overhead: {}, offerings: [offering] },
    requirements: [only('zone', 'a', 'b'), only('size', 'large')],
  }
  expect(launchedLabels(claim, { type, offering })).toEqual({
    ...{ team: 'web', zone: 'b', size: 'large', disk: 'ssd' },
    'node.kubernetes.io/instance-type': 'm',
  })
})
