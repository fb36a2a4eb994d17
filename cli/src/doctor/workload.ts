import { controllerOf, isActive, type KubeObject, type Pod } from '@kerf/apis'
import {
  isPod,
  isWorkload,
  jobSpecOf,
  namespaceOf,
  templateOf,
  type Workload as WorkloadObject,
} from '../workloads/workload.ts'

/** Pods that come from one template. */
export interface Workload {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** The object, when it was read: the pods may be all that is known of it. */
  readonly object?: WorkloadObject
  /** A pod of it: one that exists, or one as the template makes it. */
  readonly pod: Pod
  /** Its pods that have not ended. */
  readonly pods: readonly Pod[]
  /** How many pods it asks for; that there are, when the object was not read. */
  readonly replicas: number
}

/** `Deployment shop/web`. */
export const nameOfWorkload = ({ kind, namespace, name }: Workload): string => `${kind} ${namespace}/${name}`

const keyOf = (kind: string, namespace: string, name: string): string => `${kind} ${namespace}/${name}`

/** Whose ReplicaSet or Job it is, by its name, as their controllers name them. */
const topByName = (kind: string, name: string, pod: Pod): readonly [string, string] => {
  const hash = pod.metadata.labels?.['pod-template-hash'] ?? ''
  if (kind === 'ReplicaSet' && hash !== '' && name.endsWith(`-${hash}`))
    return ['Deployment', name.slice(0, -hash.length - 1)]
  const run = kind === 'Job' ? /^(.+)-\d{8,}$/.exec(name)?.[1] : undefined
  return run === undefined ? [kind, name] : ['CronJob', run]
}

const replicasOf = (object: WorkloadObject): number => {
  switch (object.kind) {
    case 'Job':
    case 'CronJob':
      return jobSpecOf(object as Parameters<typeof jobSpecOf>[0]).parallelism ?? 1
    default:
      return 'replicas' in object.spec ? (object.spec.replicas ?? 1) : 1
  }
}

const templatePod = (object: WorkloadObject): Pod => {
  const template = templateOf(object)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name: object.metadata.name, namespace: namespaceOf(object) },
    spec: template.spec,
  }
}

/** The kinds without which workloads are missing. Of a ReplicaSet the pods know the name. */
export const workloadKinds: readonly string[] = ['Pod', 'Deployment', 'StatefulSet', 'Job', 'CronJob']

/** Every workload of the cluster by name, without those of DaemonSets and of the nodes themselves. */
export const workloadsOf = (objects: readonly KubeObject[]): readonly Workload[] => {
  const read = new Map<string, WorkloadObject>()
  const owners = new Map<string, { readonly kind: string; readonly name: string }>()
  for (const object of objects) {
    if (isPod(object)) continue
    const owner = controllerOf(object)
    const key = keyOf(object.kind, namespaceOf(object), object.metadata.name)
    if (owner !== undefined) owners.set(key, owner)
    if (isWorkload(object)) read.set(key, object)
  }
  const topOf = (pod: Pod): readonly [string, string] => {
    const owner = controllerOf(pod)
    if (owner === undefined) return ['Pod', pod.metadata.name]
    const above = owners.get(keyOf(owner.kind, namespaceOf(pod), owner.name))
    return above === undefined ? topByName(owner.kind, owner.name, pod) : [above.kind, above.name]
  }
  const pods = new Map<string, Pod[]>()
  for (const object of objects) {
    if (!isPod(object) || !isActive(object)) continue
    const [kind, name] = topOf(object)
    if (kind === 'DaemonSet' || kind === 'Node') continue
    const key = keyOf(kind, namespaceOf(object), name)
    const known = pods.get(key)
    if (known === undefined) pods.set(key, [object])
    else known.push(object)
  }
  const all: Workload[] = []
  for (const [key, own] of pods) {
    const [first] = own
    if (first === undefined) continue
    const [kind = '', path = ''] = key.split(' ')
    const object = read.get(key)
    all.push({
      kind,
      namespace: namespaceOf(first),
      name: path.slice(path.indexOf('/') + 1),
      ...(object === undefined ? {} : { object }),
      pod: first,
      pods: own,
      replicas: object === undefined ? own.length : replicasOf(object),
    })
  }
  for (const [key, object] of read) {
    // What another workload makes is part of that one.
    if (pods.has(key) || owners.has(key)) continue
    const { kind, metadata } = object
    all.push({
      kind,
      namespace: namespaceOf(object),
      name: metadata.name,
      object,
      pod: templatePod(object),
      pods: [],
      replicas: replicasOf(object),
    })
  }
  const names = new Map(all.map((each) => [each, nameOfWorkload(each)]))
  return all.sort((a, b) => ((names.get(a) ?? '') < (names.get(b) ?? '') ? -1 : 1))
}
