import type { Deployment, ReplicaSet } from '@kerf/apis'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rollingStep, rolloutLeeway, scalingStep } from './rollout.ts'

const deploymentOf = (
  replicas: number,
  maxSurge: number | string = '25%',
  maxUnavailable: number | string = '25%',
): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: {},
    template: { spec: { containers: [] } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
  },
})

const setOf = (name: string, replicas: number, available = replicas): ReplicaSet => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name },
  spec: { replicas, selector: {} },
  status: { replicas, availableReplicas: available },
})

describe('the limits of a rollout', () => {
  test.each([
    [10, '25%', '25%', 3, 2],
    [4, '25%', '25%', 1, 1],
    [1, '25%', '25%', 1, 0],
    [3, 0, 0, 0, 1],
    [5, '0%', '10%', 0, 1],
    [2, 2, 5, 2, 2],
  ])('%i replicas, surge %s, unavailable %s', (replicas, maxSurge, maxUnavailable, surge, unavailable) => {
    expect(rolloutLeeway(deploymentOf(replicas, maxSurge, maxUnavailable))).toEqual({ surge, unavailable })
  })
})

test('a rollout completes and respects its limits at every step, whichever pods are slow', () => {
  const bounds = fc.record({
    replicas: fc.integer({ min: 1, max: 20 }),
    surge: fc.integer({ min: 0, max: 5 }),
    unavailable: fc.integer({ min: 0, max: 5 }),
    lag: fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }),
  })
  fc.assert(
    fc.property(bounds, ({ replicas, surge, unavailable, lag }) => {
      const deployment = deploymentOf(replicas, surge, unavailable)
      const leeway = rolloutLeeway(deployment)
      let [oldSize, newSize, newReady] = [replicas, 0, 0]
      let turn = 0
      for (; turn < 500 && !(oldSize === 0 && newReady === replicas); turn++) {
        const [old, current] = [setOf('old', oldSize), setOf('new', newSize, newReady)]
        for (const step of rollingStep(deployment, current, [old])) {
          if (step.replicaSet === old) oldSize = step.replicas
          else newSize = step.replicas
        }
        expect(oldSize + newSize).toBeLessThanOrEqual(replicas + leeway.surge)
        expect(oldSize + newReady).toBeGreaterThanOrEqual(replicas - leeway.unavailable)
        newReady = Math.min(newSize, newReady + (lag[turn % lag.length] ?? 1))
        if (lag.every((step) => step === 0)) return
      }
      expect(turn).toBeLessThan(500)
    }),
  )
})

test('scaling during a rollout keeps the proportions', () => {
  const [old, current] = [setOf('old', 8), setOf('new', 5, 2)]
  const steps = scalingStep(deploymentOf(20, 3, 2), current, [old])
  expect(steps.map((step) => [step.replicaSet.metadata.name, step.replicas])).toEqual([
    ['old', 14],
    ['new', 9],
  ])
})

test('with a single ReplicaSet, scaling is direct, and a finished rollout removes the old ones', () => {
  const current = setOf('new', 3)
  expect(scalingStep(deploymentOf(7), current, [setOf('old', 0)])).toEqual([{ replicaSet: current, replicas: 7 }])
  const old = setOf('old', 2)
  expect(scalingStep(deploymentOf(3), current, [old])).toEqual([{ replicaSet: old, replicas: 0 }])
})
