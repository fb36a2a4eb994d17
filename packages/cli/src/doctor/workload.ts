import { controllerOwner, isActive, type KubeObject, type Pod } from '@kerf/apis'
import {
  isPod,
  isWorkload,
  jobSpec,
  objectNamespace,
  podTemplate,
  type Workload as WorkloadObject,
} from '../workloads/workload.ts'

/** A workload: the pods that are created from one template. */
export interface Workload {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** The workload's own object. Absent if only its pods were read. */
  readonly object?: WorkloadObject
  /** One pod of the workload, or a pod made from the template. */
  readonly pod: Pod
  /** The workload's pods that have not terminated. */
  readonly pods: readonly Pod[]
  /** Number of replicas in the workload's spec, or the number of its pods if the workload's object was not read. */
  readonly replicas: number
}

/** Returns kind, namespace and name, for example `Deployment shop/web`. */
export const nameOfWorkload = ({ kind, namespace, name }: Workload): string => `${kind} ${namespace}/${name}`

const workloadKey = (kind: string, namespace: string, name: string): string => `${kind} ${namespace}/${name}`

/**
 * Returns the kind and name of the workload that owns a ReplicaSet or Job. They are derived from its name, because controllers build this
 * name from the owner's name.
 */
const topByName = (kind: string, name: string, pod: Pod): readonly [string, string] => {
  const hash = pod.metadata.labels?.['pod-template-hash'] ?? ''
  if (kind === 'ReplicaSet' && hash !== '' && name.endsWith(`-${hash}`))
    return ['Deployment', name.slice(0, -hash.length - 1)]
  const run = kind === 'Job' ? /^(.+)-\d{8,}$/.exec(name)?.[1] : undefined
  return run === undefined ? [kind, name] : ['CronJob', run]
}

const workloadReplicas = (object: WorkloadObject): number => {
  switch (object.kind) {
    case 'Job':
    case 'CronJob':
      return jobSpec(object as Parameters<typeof jobSpec>[0]).parallelism ?? 1
    default:
      return 'replicas' in object.spec ? (object.spec.replicas ?? 1) : 1
  }
}

const templatePod = (object: WorkloadObject): Pod => {
  const template = podTemplate(object)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name: object.metadata.name, namespace: objectNamespace(object) },
    spec: template.spec,
  }
}

/** Kinds that are needed to find all workloads. ReplicaSets are not needed, because their names show their owners. */
export const workloadKinds: readonly string[] = ['Pod', 'Deployment', 'StatefulSet', 'Job', 'CronJob']

/** Returns every workload of the cluster, without DaemonSets and static pods. */
export const findWorkloads = (objects: readonly KubeObject[]): readonly Workload[] => {
  const read = new Map<string, WorkloadObject>()
  const owners = new Map<string, { readonly kind: string; readonly name: string }>()
  for (const object of objects) {
    if (isPod(object)) continue
    const owner = controllerOwner(object)
    const key = workloadKey(object.kind, objectNamespace(object), object.metadata.name)
    if (owner !== undefined) owners.set(key, owner)
    if (isWorkload(object)) read.set(key, object)
  }
  const podTop = (pod: Pod): readonly [string, string] => {
    const owner = controllerOwner(pod)
    if (owner === undefined) return ['Pod', pod.metadata.name]
    const above = owners.get(workloadKey(owner.kind, objectNamespace(pod), owner.name))
    return above === undefined ? topByName(owner.kind, owner.name, pod) : [above.kind, above.name]
  }
  const pods = new Map<string, Pod[]>()
  for (const object of objects) {
    if (!isPod(object) || !isActive(object)) continue
    const [kind, name] = podTop(object)
    if (kind === 'DaemonSet' || kind === 'Node') continue
    const key = workloadKey(kind, objectNamespace(object), name)
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
      namespace: objectNamespace(first),
      name: path.slice(path.indexOf('/') + 1),
      ...(object === undefined ? {} : { object }),
      pod: first,
      pods: own,
      replicas: object === undefined ? own.length : workloadReplicas(object),
    })
  }
  for (const [key, object] of read) {
    // Objects that already have pods, and objects that belong to another workload, are skipped.
    if (pods.has(key) || owners.has(key)) continue
    const { kind, metadata } = object
    all.push({
      kind,
      namespace: objectNamespace(object),
      name: metadata.name,
      object,
      pod: templatePod(object),
      pods: [],
      replicas: workloadReplicas(object),
    })
  }
  const names = new Map(all.map((each) => [each, nameOfWorkload(each)]))
  return all.sort((a, b) => ((names.get(a) ?? '') < (names.get(b) ?? '') ? -1 : 1))
}
