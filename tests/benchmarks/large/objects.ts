import {
  type Condition,
  type Deployment,
  groupVersion,
  karpenterKinds,
  labels,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
  type PodDisruptionBudget,
} from '@kerf/apis'
import type { InstanceView } from '@kerf/provider-contract'
import { type KWOKNodeClass, kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { claimObject, hashAnnotations } from '../../../packages/controllers/src/nodeclaim/node-claim-object.ts'
import { nodeOfClaim } from '../../../providers/kwok/src/instance-node.ts'

export const NAMESPACE = 'default'
/** The instance type of every node at the start. Ten pods fill a node. */
const INSTANCE_TYPE = 'c-8x-amd64-linux'
export const PODS_PER_NODE = 10
const POD_CPU = '760m'
/** The name of the Deployment that is scaled up and down by one node's worth of pods. */
export const ELASTIC = 'elastic'
/** The label that puts each group of arriving pods on its own node, so that the group's NodeClaim can be identified. */
export const GROUP = 'bench.example.com/group'
export const ARRIVALS_PER_NODE = 5
const ARRIVAL_CPU = '1500m'

const FINALIZER = 'karpenter.sh/termination'
const nodeClassRef = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } as const

export const nodeClass: KWOKNodeClass = {
  apiVersion: groupVersion(kwokNodeClassKind),
  kind: 'KWOKNodeClass',
  metadata: { name: 'default' },
  spec: {},
}

const poolOf = (
  name: string,
  further: NonNullable<NodePool['spec']['template']['spec']['requirements']>,
): NodePool => ({
  apiVersion: groupVersion(karpenterKinds.NodePool),
  kind: 'NodePool',
  metadata: { name },
  spec: {
    template: {
      spec: {
        nodeClassRef,
        expireAfter: 'Never',
        requirements: [
          { key: labels.os, operator: 'In', values: ['linux'] },
          { key: labels.arch, operator: 'In', values: ['amd64'] },
          { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
          { key: 'karpenter.kwok.sh/instance-cpu', operator: 'Lt', values: ['17'] },
          ...further,
        ],
      },
    },
    disruption: {
      consolidationPolicy: 'WhenEmptyOrUnderutilized',
      consolidateAfter: '1m',
      budgets: [{ nodes: '10%' }],
    },
  },
})

/** An on-demand NodePool with instances of up to 16 CPUs. It consolidates a node after a minute without pod events. */
export const nodePool = poolOf('default', [])
/** The same NodePool, but for arriving pods. */
export const arrivalPool = poolOf('arrivals', [{ key: GROUP, operator: 'Exists' }])

/** Returns a NodeClaim as Kerf creates it, for one instance type. */
export const makeClaim = (pool: NodePool, name: string, zone: string): NodeClaim =>
  claimObject(
    pool,
    name,
    {
      labels: { [labels.nodePool]: pool.metadata.name },
      annotations: { ...hashAnnotations(pool) },
    },
    {
      nodeClassRef,
      expireAfter: 'Never',
      requirements: [
        { key: labels.instanceType, operator: 'In', values: [INSTANCE_TYPE] },
        { key: labels.zone, operator: 'In', values: [zone] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
        { key: labels.nodePool, operator: 'In', values: [pool.metadata.name] },
      ],
      resources: { requests: { cpu: '7600m', memory: '10Gi', pods: '10' } },
    },
  )

const conditionOf = (type: string, now: string): Condition => ({
  type,
  status: 'True',
  reason: type,
  message: '',
  lastTransitionTime: now,
  observedGeneration: 1,
})

/** Returns the NodeClaim as it is after its node has been initialized. */
export const runningClaim = (claim: NodeClaim, instance: InstanceView, now: string): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, labels: { ...claim.metadata.labels, ...instance.labels } },
  status: {
    providerID: instance.providerID,
    nodeName: instance.providerID.replace(/^.*\//, ''),
    capacity: instance.capacity,
    allocatable: instance.allocatable,
    conditions: ['Launched', 'Registered', 'Initialized', 'Consolidatable', 'ConsistentStateFound', 'Ready'].map(
      (type) => conditionOf(type, now),
    ),
  },
})

/** A list of images of the size that a kubelet reports. Nothing reads it. */
const IMAGES = {
  images: Array.from({ length: 20 }, (_, image) => ({
    names: [`registry.example/team/app-${image}@sha256:${'0'.repeat(64)}`, `registry.example/team/app-${image}:1.0`],
    sizeBytes: 1e8,
  })),
}

/** Returns the NodeClaim's node after registration and initialization. It lists as many images as a kubelet reports. */
export const runningNode = (claim: NodeClaim): Node => {
  const { metadata, spec, status } = nodeOfClaim(claim, claim.status?.providerID ?? '')
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      ...metadata,
      labels: {
        ...metadata.labels,
        [labels.registered]: 'true',
        [labels.initialized]: 'true',
        [labels.hostname]: metadata.name,
      },
      finalizers: [FINALIZER],
      ownerReferences: [
        {
          apiVersion: groupVersion(karpenterKinds.NodeClaim),
          kind: 'NodeClaim',
          name: claim.metadata.name,
          uid: claim.metadata.uid ?? '',
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: { ...spec, taints: [] },
    status: {
      ...status,
      ...IMAGES,
    },
  }
}

/** Fields that make a container as large as a real one. Nothing reads them. */
const UNREAD = {
  env: Array.from({ length: 6 }, (_, each) => ({ name: `SETTING_${each}`, value: `value-${each}` })),
  readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 10 },
}

const containerOf = (app: string, cpu: string, memory: string): Pod['spec']['containers'][number] => ({
  name: 'app',
  image: `registry.example/team/${app}:1.42.0`,
  resources: { requests: { cpu, memory }, limits: { memory } },
  ...UNREAD,
  ports: [{ containerPort: 8080, protocol: 'TCP' }],
})

/** Returns a Deployment whose rollouts replace a quarter of its pods at a time, without surge. */
export const deployment = (app: string, replicas: number, nth: number): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: app, namespace: NAMESPACE },
  spec: {
    replicas,
    selector: { matchLabels: { app } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' } },
    template: {
      metadata: {
        labels: { app, 'app.kubernetes.io/part-of': 'shop', team: `team-${nth % 50}` },
        annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '8080' },
      },
      spec: {
        terminationGracePeriodSeconds: 30,
        containers: [containerOf(app, POD_CPU, `${800 + (nth % 7) * 50}Mi`)],
        ...(nth % 5 === 0 && {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: labels.zone,
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { app } },
            },
          ],
        }),
      },
    },
  },
})

export const makeBudget = (app: string): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: app, namespace: NAMESPACE },
  spec: { maxUnavailable: '10%', selector: { matchLabels: { app } } },
})

/** Returns an arriving pod without an owner. */
export const arrival = (name: string, group: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE, labels: { app: 'arrival', [GROUP]: group } },
  spec: {
    terminationGracePeriodSeconds: 1,
    nodeSelector: { [GROUP]: group },
    containers: [containerOf('arrival', ARRIVAL_CPU, '1Gi')],
  },
})
