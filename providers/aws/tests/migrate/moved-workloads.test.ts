import { expect, test } from 'vitest'
import { drafted, managed } from './drafted.ts'

const deployment = (name: string, spec: object, rest: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    ...rest,
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m', memory: '512Mi' } } }],
        ...spec,
      },
    },
  },
})

const required = (key: string, operator: string, ...values: readonly string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }] }],
      },
    },
  },
})

test('labels that only nodes of groups have are replaced by labels of NodePools, in selectors and in affinity', async () => {
  const CAPACITY = 'eks.amazonaws.com/capacityType'
  const GROUP = 'eks.amazonaws.com/nodegroup'
  const { plan, questions } = await drafted(
    managed('spot', { capacityType: 'SPOT' }),
    managed('od'),
    deployment('selector', { nodeSelector: { [CAPACITY]: 'SPOT' } }),
    deployment('not-spot', required(CAPACITY, 'NotIn', 'SPOT')),
    deployment('groups', required(GROUP, 'In', 'od', 'spot')),
    deployment('any', required(GROUP, 'Exists')),
    deployment('lost', { nodeSelector: { disk: 'nvme' } }),
  )
  const steps = plan.phases.flatMap(({ steps: all }) => all)
  const moved = new Map(
    steps.flatMap((step) => {
      if (step.do !== 'patch' || !('template' in (step.patch['spec'] as object))) return []
      return [[step.object.name, (step.patch['spec'] as ReturnType<typeof JSON.parse>).template.spec] as const]
    }),
  )
  const expression = (name: string) =>
    moved.get(name).affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]
      .matchExpressions[0]
  expect(moved.get('selector').nodeSelector).toEqual({
    autoscaler: 'karpenter',
    [CAPACITY]: null,
    'karpenter.sh/capacity-type': 'spot',
  })
  expect(expression('not-spot')).toEqual({ key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['spot'] })
  expect(expression('groups')).toEqual({ key: 'node-group', operator: 'In', values: ['od', 'spot'] })
  expect(expression('any')).toEqual({ key: 'karpenter.sh/nodepool', operator: 'Exists' })
  expect(moved.has('lost')).toBe(false)
  expect(questions).toContainEqual(expect.stringContaining('none has a node with disk=nvme'))
})

test('a rollout does not wait for its own volume, and the strategy is restored after it', async () => {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]
  const claim = (name: string, mode: string) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'shop' },
    spec: { accessModes: [mode] },
  })
  const { plan, conversions } = await drafted(
    managed('od'),
    claim('data', 'ReadWriteOnce'),
    claim('shared', 'ReadWriteMany'),
    deployment('recreated', { volumes }, { strategy: { type: 'Recreate' } }),
    deployment('rolling', { volumes }, { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3 } } }),
    deployment('sharing', { volumes: [{ name: 'x', persistentVolumeClaim: { claimName: 'shared' } }] }),
  )
  const patches = plan.phases
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.do === 'patch' ? [[step.object.name, step.patch['spec'] as { strategy?: object }]] : []))
  const strategies = (name: string) =>
    patches.filter(([of]) => of === name).map(([, spec]) => (spec as { strategy?: object }).strategy)
  expect(strategies('recreated')).toEqual([undefined])
  expect(strategies('rolling')).toEqual([
    { type: 'Recreate', rollingUpdate: null },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: null, maxSurge: 3 } },
  ])
  expect(strategies('sharing')).toEqual([
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: null, maxSurge: null } },
  ])
  expect(conversions.filter(({ field }) => field === 'spec.strategy').map(({ to }) => to)).toEqual([
    'spec.strategy Recreate',
    'spec.strategy Recreate while it moves',
    'spec.strategy with maxUnavailable 0 while it moves',
  ])
})
