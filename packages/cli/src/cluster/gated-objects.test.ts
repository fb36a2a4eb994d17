import { nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { shutGate } from './gated-objects.ts'

const gates = (open: boolean) => ({
  NodeOverlay: open,
  CapacityBuffer: open,
  StaticCapacity: open,
  ReservedCapacity: open,
  SpotToSpotConsolidation: open,
  NodeRepair: open,
})

test('an object behind a disabled feature gate has no effect, and a line says so until the gate is enabled', () => {
  const fixed = nodePool('fixed', { replicas: 1 })
  const buffer = { apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: { name: 'b' } }
  const lines = (open: boolean) =>
    [fixed, buffer, nodePool('usual')].map((each) => shutGate(each, gates(open) as never))
  expect(lines(false)).toEqual([
    'NodePool fixed (a static pool) has no effect without --feature-gates StaticCapacity=true',
    'CapacityBuffer b has no effect without --feature-gates CapacityBuffer=true',
    undefined,
  ])
  expect(lines(true)).toEqual([undefined, undefined, undefined])
})
