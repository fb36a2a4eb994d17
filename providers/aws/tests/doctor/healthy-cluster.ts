import { readFileSync } from 'node:fs'
import type { Objects } from './broken-clusters.ts'

type Labels = Readonly<Record<string, string>>
interface Deployment {
  readonly kind: 'Deployment'
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly uid: string
    readonly labels: Labels
  }
  readonly spec: {
    readonly replicas: number
    readonly selector: object
    readonly template: { readonly spec: object }
  }
}

/** The nodes on which the pods of each Deployment run. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  karpenter: ['system-a', 'system-b'],
  'cluster-autoscaler': ['system-a', 'system-b'],
  coredns: ['system-a', 'system-b'],
  web: ['new-a', 'new-b', 'new-b'],
  reports: ['old-a', 'old-b'],
}

/** Returns the objects that the controllers of Kubernetes create for a Deployment, and its PodDisruptionBudget. */
const derived = ({ metadata, spec }: Deployment): readonly object[] => {
  const { name, namespace, uid } = metadata
  const labels = { ...metadata.labels, 'pod-template-hash': '7d9' }
  const owner = (apiVersion: string, kind: string, of: string, ownUid: string) => [
    { apiVersion, kind, name: of, uid: ownUid, controller: true },
  ]
  const { replicas, selector, template } = spec
  const replicaSet = {
    ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet' },
    metadata: {
      ...{ name: `${name}-7d9`, namespace, uid: `rs-${name}`, labels },
      ownerReferences: owner('apps/v1', 'Deployment', name, uid),
    },
    spec: { replicas, selector, template },
  }
  const pods = (PLACES[name] ?? []).map((nodeName, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: {
      ...{ name: `${name}-7d9-${index}`, namespace, uid: `p-${name}-${index}` },
      ...{ creationTimestamp: '2026-08-20T09:00:00Z', labels },
      ownerReferences: owner('apps/v1', 'ReplicaSet', `${name}-7d9`, `rs-${name}`),
    },
    spec: { ...template.spec, nodeName },
    status: { phase: 'Running' },
  }))
  const budget = {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace } },
    spec: { maxUnavailable: 1, selector },
    status: {
      ...{ disruptionsAllowed: 1, expectedPods: replicas, currentHealthy: replicas, desiredHealthy: replicas - 1 },
    },
  }
  return [replicaSet, ...pods, budget]
}

/** Returns the objects of a cluster without a fault. Each call returns new objects, which a test may break. */
export const healthyCluster = (): Objects => {
  const { items } = JSON.parse(readFileSync(new URL('./healthy-cluster.json', import.meta.url), 'utf8')) as {
    readonly items: readonly ({ readonly kind: string } | Deployment)[]
  }
  const all = items.flatMap((item) => [item, ...(item.kind === 'Deployment' ? derived(item as Deployment) : [])])
  return structuredClone(all) as unknown as Objects
}
