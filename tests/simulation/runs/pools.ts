import { type KubeObject, labels, type NodePool } from '@kerf/apis'
import { nodePool } from '@kerf/testing'
import type { Randomness } from './randomness.ts'

export const OPEN_POOL = 'open'
export const STATIC_POOL = 'static'
export const TEAM_LABEL = 'team'

type Template = NodePool['spec']['template']['spec']

export const simulatedPool = (
  name: string,
  spec: Partial<Omit<NodePool['spec'], 'template'>> = {},
  template: Partial<Template> = {},
  podLabels: Readonly<Record<string, string>> = {},
): NodePool =>
  nodePool(name, {
    ...spec,
    templateMetadata: { labels: podLabels },
    templateSpec: { expireAfter: 'Never', ...template },
  })

type Budget = NonNullable<NonNullable<NodePool['spec']['disruption']>['budgets']>[number]

/** Draws additional budgets: one with a window every few minutes, and one for a single reason. */
const moreBudgets = (randomness: Randomness): readonly Budget[] => [
  ...(randomness.happens(0.2)
    ? [
        {
          nodes: randomness.of(['0', '1']),
          schedule: `*/${randomness.of([5, 6, 10])} * * * *`,
          duration: `${randomness.between(1, 3)}m`,
        },
      ]
    : []),
  ...(randomness.happens(0.2)
    ? [{ nodes: '1', reasons: [randomness.of(['Empty', 'Drifted', 'Underutilized'])] } satisfies Budget]
    : []),
]

const consolidation = (randomness: Randomness): Partial<NodePool['spec']> => ({
  disruption: {
    consolidationPolicy: randomness.of(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']),
    consolidateAfter: randomness.of(['0s', '15s', '30s', '1m']),
    budgets: [{ nodes: randomness.of(['10%', '1', '2', '50%', '100%', '0']) }, ...moreBudgets(randomness)],
  },
})

/**
 * Draws the NodePools. One has no limits and accepts every plain pod, so no plain pod may stay pending. The others have weights, limits and
 * taints.
 */
export const drawPools = (randomness: Randomness): readonly NodePool[] => {
  const grace = randomness.happens(0.3) ? { terminationGracePeriod: `${randomness.between(1, 3)}m` } : {}
  const expiry = randomness.happens(0.15) ? { expireAfter: `${randomness.between(4, 8)}m` } : {}
  const pools: NodePool[] = [simulatedPool(OPEN_POOL, consolidation(randomness), { ...grace, ...expiry })]
  if (randomness.happens(0.6)) {
    const limits = randomness.of([
      { cpu: String(randomness.between(4, 24)) },
      { nodes: String(randomness.between(1, 3)) },
      { memory: `${randomness.between(16, 64)}Gi` },
    ])
    const requirements = randomness.happens(0.5)
      ? [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }]
      : []
    pools.push(
      simulatedPool(
        'limited',
        { ...consolidation(randomness), weight: randomness.between(1, 50), limits },
        { requirements },
      ),
    )
  }
  if (randomness.happens(0.5)) {
    const template = {
      taints: [{ key: TEAM_LABEL, value: 'a', effect: 'NoSchedule' as const }],
      ...(randomness.happens(0.4) ? { terminationGracePeriod: `${randomness.between(1, 3)}m` } : {}),
    }
    pools.push(
      simulatedPool('team-a', { ...consolidation(randomness), weight: randomness.between(1, 50) }, template, {
        [TEAM_LABEL]: 'a',
      }),
    )
  }
  if (randomness.happens(0.2)) {
    const taints = [{ key: STATIC_POOL, effect: 'NoSchedule' as const }]
    const disruption = { consolidateAfter: '0s', budgets: [{ nodes: randomness.of(['1', '50%']) }] }
    const expireAfter = randomness.happens(0.2) ? '6m' : 'Never'
    pools.push(simulatedPool(STATIC_POOL, { replicas: randomness.between(1, 3), disruption }, { taints, expireAfter }))
  }
  return pools
}

/** Draws a NodePool that a user creates later. */
export const drawLatePool = (randomness: Randomness): KubeObject =>
  simulatedPool('late', { ...consolidation(randomness), weight: randomness.between(1, 90) })
