import { type KubeObject, labels, type NodePool } from '@kerf/apis'
import type { Chance } from './chance.ts'

export const OPEN_POOL = 'open'
export const STATIC_POOL = 'static'
export const TEAM_LABEL = 'team'

const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } as const

type Template = NodePool['spec']['template']['spec']

export const poolOf = (
  name: string,
  spec: Partial<NodePool['spec']> = {},
  template: Partial<Template> = {},
  podLabels: Readonly<Record<string, string>> = {},
): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name },
  spec: {
    ...spec,
    template: {
      metadata: { labels: podLabels },
      spec: { nodeClassRef, expireAfter: 'Never', requirements: [], ...template },
    },
  },
})

type Budget = NonNullable<NonNullable<NodePool['spec']['disruption']>['budgets']>[number]

/** Beside the budget that always applies: a window that comes round every few minutes, and one for a single reason. */
const moreBudgets = (chance: Chance): readonly Budget[] => [
  ...(chance.happens(0.2)
    ? [
        {
          nodes: chance.of(['0', '1']),
          schedule: `*/${chance.of([5, 6, 10])} * * * *`,
          duration: `${chance.between(1, 3)}m`,
        },
      ]
    : []),
  ...(chance.happens(0.2)
    ? [{ nodes: '1', reasons: [chance.of(['Empty', 'Drifted', 'Underutilized'])] } satisfies Budget]
    : []),
]

const consolidation = (chance: Chance): Partial<NodePool['spec']> => ({
  disruption: {
    consolidationPolicy: chance.of(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']),
    consolidateAfter: chance.of(['0s', '15s', '30s', '1m']),
    budgets: [{ nodes: chance.of(['10%', '1', '2', '50%', '100%', '0']) }, ...moreBudgets(chance)],
  },
})

/**
 * One pool that takes every plain pod and has no limit, so that no plain pod may be left waiting; beside it pools with
 * weights, limits and taints.
 */
export const drawPools = (chance: Chance): readonly NodePool[] => {
  const grace = chance.happens(0.3) ? { terminationGracePeriod: `${chance.between(1, 3)}m` } : {}
  const expiry = chance.happens(0.15) ? { expireAfter: `${chance.between(4, 8)}m` } : {}
  const pools: NodePool[] = [poolOf(OPEN_POOL, consolidation(chance), { ...grace, ...expiry })]
  if (chance.happens(0.6)) {
    const limits = chance.of([
      { cpu: String(chance.between(4, 24)) },
      { nodes: String(chance.between(1, 3)) },
      { memory: `${chance.between(16, 64)}Gi` },
    ])
    const requirements = chance.happens(0.5)
      ? [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }]
      : []
    pools.push(poolOf('limited', { ...consolidation(chance), weight: chance.between(1, 50), limits }, { requirements }))
  }
  if (chance.happens(0.5)) {
    const template = {
      taints: [{ key: TEAM_LABEL, value: 'a', effect: 'NoSchedule' as const }],
      ...(chance.happens(0.4) ? { terminationGracePeriod: `${chance.between(1, 3)}m` } : {}),
    }
    pools.push(
      poolOf('team-a', { ...consolidation(chance), weight: chance.between(1, 50) }, template, { [TEAM_LABEL]: 'a' }),
    )
  }
  if (chance.happens(0.2)) {
    const taints = [{ key: STATIC_POOL, effect: 'NoSchedule' as const }]
    const disruption = { consolidateAfter: '0s', budgets: [{ nodes: chance.of(['1', '50%']) }] }
    const expireAfter = chance.happens(0.2) ? '6m' : 'Never'
    pools.push(poolOf(STATIC_POOL, { replicas: chance.between(1, 3), disruption }, { taints, expireAfter }))
  }
  return pools
}

/** A pool that appears while the cluster lives. */
export const drawLatePool = (chance: Chance): KubeObject =>
  poolOf('late', { ...consolidation(chance), weight: chance.between(1, 90) })
