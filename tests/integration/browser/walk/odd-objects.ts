import { groupVersion, type KubeObject, karpenterKinds, kinds, labels, type ResourceKind } from '@kerf/apis'
import { caseDefinition } from '@kerf/provider-contract/dashboard/testing'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import type { KubeClient } from '@kerf/runtime'
import { condition, nodePool } from '@kerf/testing'
import { createExample, dashboardCases, uninstalledCases } from '../../../support/dashboard-cases.ts'
import { failingClass } from './failing-class.ts'
import { LONG_NAME, makeClaim, makeNode, oddClaims, said } from './odd-claims.ts'
import { LONG_MESSAGE, makeEvent, oddEvents, oddPods } from './odd-pods.ts'

type AnyKind = ResourceKind<KubeObject>

/** Creates an object and writes its status, as its controller would. */
const put = async (client: KubeClient, kind: AnyKind, object: object): Promise<void> => {
  const { metadata } = await client.create(kind, object as KubeObject)
  const { status } = object as { readonly status?: object }
  if (status === undefined) return
  const ref = {
    name: metadata.name ?? '',
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  }
  await client.patch(kind, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
}

const pools: readonly object[] = [
  nodePool('general', {
    weight: 10,
    limits: { cpu: '400', memory: '1600Gi' },
    disruption: { consolidateAfter: '30s', budgets: [{ nodes: '10%' }] },
    status: { nodes: 18, resources: { cpu: '72', memory: '288Gi', nodes: '18', pods: '1980' } },
  }),
  nodePool('frozen', {
    disruption: {
      consolidateAfter: '30s',
      budgets: [
        { nodes: '50%' },
        { nodes: '0', schedule: '0 0 * * *', duration: '24h' },
        { nodes: '3', reasons: ['Drifted'], schedule: '0 9 * * 1-5', duration: '8h' },
      ],
    },
  }),
  nodePool('limited', {
    limits: { cpu: '8', 'nvidia.com/gpu': '1' },
    status: { nodes: 2, resources: { cpu: '8', memory: '32Gi', nodes: '2' } },
  }),
  nodePool('tainted', { templateSpec: { taints: [{ key: 'team', value: 'payments', effect: 'NoSchedule' }] } }),
  nodePool('arm-only', { requirements: [{ key: labels.arch, operator: 'In', values: ['arm64'] }] }),
  nodePool('broken', {
    templateSpec: { nodeClassRef: failingClass.ref },
    status: {
      conditions: [
        condition('ValidationSucceeded'),
        { ...condition('NodeClassReady', 'False', 'SubnetsNotFound'), message: LONG_MESSAGE },
        { ...condition('Ready', 'False', 'UnhealthyDependents'), message: 'NodeClassReady=False' },
      ],
    },
  }),
  nodePool('unhealthy', {
    status: {
      conditions: [
        ...['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((type) => condition(type)),
        { ...condition('NodeRegistrationHealthy', 'False', 'RegistrationFailed'), message: 'nodes do not register' },
      ],
    },
  }),
  nodePool('static', { replicas: 3 }),
  nodePool('going', { metadata: { finalizers: ['karpenter.sh/termination'] } }),
  nodePool(LONG_NAME, { limits: { cpu: '8' } }),
]

const others: readonly (readonly [AnyKind, object])[] = [
  [kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }],
  [
    kwokNodeClassKind,
    {
      apiVersion: groupVersion(kwokNodeClassKind),
      kind: 'KWOKNodeClass',
      metadata: { name: 'default' },
      spec: {},
    },
  ],
  [
    karpenterKinds.NodeOverlay,
    {
      ...{ apiVersion: groupVersion(karpenterKinds.NodeOverlay), kind: 'NodeOverlay', metadata: { name: 'dearer' } },
      spec: {
        requirements: [{ key: labels.arch, operator: 'In', values: ['arm64'] }],
        priceAdjustment: '+10%',
        weight: 7,
      },
    },
  ],
  [
    karpenterKinds.CapacityBuffer,
    {
      ...{ apiVersion: groupVersion(karpenterKinds.CapacityBuffer), kind: 'CapacityBuffer' },
      metadata: { name: 'spare', namespace: 'shop' },
      spec: { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' }, replicas: 2 },
    },
  ],
  [
    kinds.PodDisruptionBudget,
    {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web', namespace: 'shop' } },
      spec: { minAvailable: '100%', selector: { matchLabels: { app: 'web' } } },
    },
  ],
] as never

/** The kinds of the objects that are neither nodes nor pods. */
export const otherKinds: readonly AnyKind[] = others.map(([kind]) => kind)

/**
 * Fills a small cluster with objects in every unusual state. No real cluster would have all of these at the same time. `now` is the time of
 * its events.
 */
export const fillWithOddObjects = async (client: KubeClient, now: number): Promise<void> => {
  for (const [kind, object] of others) await put(client, kind, object)
  for (const each of await uninstalledCases(client))
    await client.create(kinds.CustomResourceDefinition as never, caseDefinition(each) as never)
  const failing = [said('Ready', 'False', 'SubnetsNotFound', LONG_MESSAGE)]
  for (const each of await dashboardCases())
    await createExample(client, each, each.provider === failingClass.provider ? failing : undefined)
  for (const pool of pools) await put(client, karpenterKinds.NodePool as never, pool)
  await client.delete(karpenterKinds.NodePool, { name: 'going' })
  for (const [place, odd] of oddClaims.entries()) {
    await put(client, karpenterKinds.NodeClaim as never, makeClaim(odd, place))
    if (odd.node === 'ready' || odd.node === 'not ready') await put(client, kinds.Node as never, makeNode(odd, place))
    if (odd.isGone === true) await client.delete(karpenterKinds.NodeClaim, { name: odd.name })
  }
  for (const each of oddPods) await put(client, kinds.Pod as never, each)
  for (const [place, event] of oddEvents.entries())
    await client.create(kinds.Event as never, makeEvent(event, place, now) as never)
}
