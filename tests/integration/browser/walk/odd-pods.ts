import { condition, pod } from '@kerf/testing'

/** A message longer than the width of any table. */
export const LONG_MESSAGE =
  'could not resolve the subnets of the class: no subnet has the tags that spec.subnetSelectorTerms asks for; look at the tags of the subnets, or change the terms'

const owner = (kind: string, name: string) => ({ apiVersion: 'apps/v1', kind, name })

/** Pods that are pending, one for each possible reason, and pods that keep Kerf from removing their nodes. */
export const oddPods: readonly object[] = [
  ...Array.from({ length: 22 }, (_, place) =>
    pod(`payments-6d4f-${place}`, {
      namespace: 'shop',
      labels: { app: 'payments', 'pod-template-hash': '6d4f' },
      owner: owner('ReplicaSet', 'payments-6d4f'),
      requests: { cpu: '500m', memory: '1Gi' },
      spec: { nodeSelector: { disk: 'nvme' } },
    }),
  ),
  pod('train', { namespace: 'shop', requests: { cpu: '1', 'nvidia.com/gpu': '1' } }),
  pod('huge', { namespace: 'shop', requests: { cpu: '4000' } }),
  pod('gated', {
    namespace: 'shop',
    spec: { schedulingGates: [{ name: 'example.com/quota' }] },
    status: {
      conditions: [
        {
          ...condition('PodScheduled', 'False', 'SchedulingGated'),
          message: 'Scheduling is blocked due to non-empty scheduling gates',
        },
      ],
    },
  }),
  pod('no-claim', {
    namespace: 'shop',
    spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'missing' } }] },
    status: {
      conditions: [
        {
          ...condition('PodScheduled', 'False', 'Unschedulable'),
          message: '0/20 nodes are available: persistentvolumeclaim "missing" not found.',
        },
      ],
    },
  }),
  pod(`p${'o'.repeat(62)}.${'d'.repeat(63)}`, { namespace: 'shop' }),
  ...['plain', 'draining', 'drifted-kept', 'payments-1'].flatMap((name) =>
    [0, 1].map((place) =>
      pod(`web-${name}-${place}`, {
        namespace: 'shop',
        labels: { app: 'web' },
        owner: owner('ReplicaSet', 'web-77b'),
        nodeName: name,
        requests: { cpu: '1', memory: '2Gi' },
        // Headlamp's node page requires conditions on every pod.
        status: { conditions: [condition('PodScheduled'), condition('Ready')] },
        ...(place === 1 ? { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } : {}),
      }),
    ),
  ),
]

/** An event of the autoscaler about a pod. */
export interface OddEvent {
  readonly kind: string
  readonly name: string
  readonly reason: string
  readonly message: string
  readonly type?: 'Warning'
  readonly count?: number
  readonly namespace?: string
}

export const oddEvents: readonly OddEvent[] = [
  ...Array.from({ length: 22 }, (_, place) => ({
    ...{
      kind: 'Pod',
      name: `payments-6d4f-${place}`,
      namespace: 'shop',
      reason: 'FailedScheduling',
      type: 'Warning' as const,
    },
    message:
      'Failed to schedule pod, nodepool/general: label disk has no known values; nodepool/tainted: team=payments:NoSchedule is not tolerated',
  })),
  {
    kind: 'Pod',
    name: 'web-plain-0',
    namespace: 'shop',
    reason: 'Nominated',
    message: 'Pod should schedule on: nodeclaim/plain, node/plain',
  },
  {
    kind: 'NodeClaim',
    name: 'no-capacity',
    reason: 'InsufficientCapacityError',
    type: 'Warning',
    message: 'NodeClaim no-capacity event: no spot capacity for any of 60 instance types in zone-a',
  },
  {
    kind: 'Node',
    name: 'draining',
    reason: 'FailedDraining',
    type: 'Warning',
    count: 20,
    message: 'Failed to drain node, 2 pods are waiting to be evicted',
  },
  {
    kind: 'Node',
    name: 'drifted-kept',
    reason: 'DisruptionBlocked',
    message: 'Node has "karpenter.sh/do-not-disrupt" annotation',
  },
  // One node with many different reasons, so that its row says how many others there are.
  ...Array.from('abcdefghijklmn', (pod) => ({
    ...{ kind: 'Node', name: 'drifted-kept', reason: 'Unconsolidatable', count: 100 },
    message: `not all pods would schedule, of the deployment ${pod}`,
  })),
  {
    kind: 'NodePool',
    name: 'frozen',
    reason: 'DisruptionBlocked',
    message: 'No allowed disruptions due to blocking budget',
  },
  { kind: 'NodePool', name: 'broken', reason: 'NodeClassNotReady', type: 'Warning', message: LONG_MESSAGE },
]

export const makeEvent = (
  { kind, name, namespace = 'default', reason, message, type, count = 1 }: OddEvent,
  place: number,
  at: number,
): object => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${name.slice(0, 100)}.${place}`, namespace },
  involvedObject: { kind, name, ...(kind === 'Pod' ? { namespace } : {}) },
  source: { component: 'karpenter' },
  reason,
  message,
  type: type ?? 'Normal',
  count,
  firstTimestamp: new Date(at - 600_000).toISOString(),
  lastTimestamp: new Date(at).toISOString(),
})
