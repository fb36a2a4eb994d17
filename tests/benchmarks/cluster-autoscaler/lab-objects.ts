import {
  type Deployment,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodePool,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { type KWOKNodeClass, kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { GROUP_LABEL } from '../../integration/migrate/real-autoscaler.ts'

/** How the two autoscalers are separated: by taints on both sides, only by the annotation that delays Cluster Autoscaler, or not at all. */
export const separations = ['scopes', 'delay', 'none'] as const
export type Separation = (typeof separations)[number]

export const GROUP = 'general'
const POOL = 'kerf'
/** The size of a node in the node group. It is the size that Kerf's KWOK provider generates for this instance type. */
export const GROUP_NODE = { instanceType: 's-8x-amd64-linux', cpu: 8, memory: '32Gi' } as const

/** The CPUs of the largest instance type that the NodePool may launch. */
export const LARGEST_CPU = 16

const SIDE = 'autoscaler'
const [OURS, THEIRS] = ['karpenter', 'cluster-autoscaler']
const taintOf = (value: string) => ({ key: SIDE, value, effect: 'NoSchedule' }) as const
const toleration = (value: string) => ({ key: SIDE, operator: 'Equal', value, effect: 'NoSchedule' }) as const

const groupTaints = (separation: Separation) => (separation === 'scopes' ? [taintOf(THEIRS)] : [])

export const groupTemplate = (separation: Separation): Node => {
  const resources = { cpu: String(GROUP_NODE.cpu), memory: GROUP_NODE.memory, pods: '110' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: `template-${GROUP}`,
      labels: {
        [GROUP_LABEL]: GROUP,
        [labels.hostname]: `template-${GROUP}`,
        [labels.arch]: 'amd64',
        [labels.os]: 'linux',
        [labels.instanceType]: GROUP_NODE.instanceType,
      },
      annotations: { 'kwok.x-k8s.io/node': 'fake', 'cluster-autoscaler.kwok.nodegroup/name': GROUP },
    },
    spec: { taints: [...groupTaints(separation)] },
    status: { capacity: resources, allocatable: resources },
  }
}

const nodePool = (separation: Separation): NodePool => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: POOL },
  spec: {
    template: {
      metadata: { labels: { [SIDE]: OURS } },
      spec: {
        nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
        requirements: [
          { key: labels.os, operator: 'In', values: ['linux'] },
          { key: labels.arch, operator: 'In', values: ['amd64'] },
          { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
          {
            key: labels.instanceType,
            operator: 'In',
            values: ['s-4x-amd64-linux', 's-8x-amd64-linux', `s-${LARGEST_CPU}x-amd64-linux`],
          },
        ],
        ...(separation === 'scopes' ? { taints: [taintOf(OURS)] } : {}),
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '30s',
      budgets: [{ nodes: '20%' }],
    },
  },
})

const nodeClass: KWOKNodeClass = {
  apiVersion: 'karpenter.kwok.sh/v1alpha1',
  kind: 'KWOKNodeClass',
  metadata: { name: 'default' },
  spec: {},
}

/**
 * The two workloads, each with half of the pods. With separate scopes, each autoscaler serves one of them. Otherwise, either autoscaler may
 * serve both.
 */
export const WORKLOADS = [
  { name: 'moved', cpu: 1 },
  { name: 'stayed', cpu: 1.5 },
] as const

const placement = (name: string, separation: Separation): Partial<Pod['spec']> => {
  if (separation !== 'scopes') return {}
  return name === 'moved'
    ? { nodeSelector: { [SIDE]: OURS }, tolerations: [toleration(OURS)] }
    : { nodeSelector: { [GROUP_LABEL]: GROUP }, tolerations: [toleration(THEIRS)] }
}

const deployment = ({ name, cpu }: (typeof WORKLOADS)[number], separation: Separation): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: {
        labels: { app: name },
        ...(separation === 'delay'
          ? { annotations: { 'cluster-autoscaler.kubernetes.io/pod-scale-up-delay': '10m' } }
          : {}),
      },
      spec: {
        ...placement(name, separation),
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'app', image: 'app', resources: { requests: { cpu: `${cpu * 1000}m`, memory: '1Gi' } } }],
      },
    },
  },
})

/** Returns all objects of the lab, except the node group. */
export const labObjects = (
  separation: Separation,
): readonly { readonly kind: ResourceKind; readonly object: KubeObject }[] => [
  { kind: kwokNodeClassKind, object: nodeClass },
  { kind: karpenterKinds.NodePool, object: nodePool(separation) },
  ...WORKLOADS.map((workload) => ({ kind: kinds.Deployment, object: deployment(workload, separation) })),
]

/**
 * The flags of Cluster Autoscaler in the lab. They make Cluster Autoscaler remove an unneeded node after one minute, so a run of minutes
 * shows what otherwise takes hours.
 */
export const LAB_FLAGS = {
  'scale-down-unneeded-time': '1m',
  'scale-down-delay-after-add': '1m',
  'unremovable-node-recheck-timeout': '30s',
  'skip-nodes-with-local-storage': 'false',
} as const
