import { controllerOwner, isActive, type KubeObject, matchesLabelSelector, type Pod } from '@kerf/apis'
import { isCronJob, isJob, isPod, objectNamespace, type Workload, workloadSelector } from './workload.ts'

const HASH = 'pod-template-hash'

const workloadKey = (namespace: string, kind: string, name: string): string => `${kind} ${namespace}/${name}`

/** Returns whether a cluster has written the status of the pod. If any pod has such a status, the files are a dump of a cluster. */
const isReported = (pod: Pod): boolean => pod.status?.phase !== undefined || pod.status?.conditions !== undefined

/** The pods of each workload in the files. */
export class PresentPods {
  readonly #owners: ReadonlyMap<string, string>
  readonly #byOwner = new Map<string, Pod[]>()
  readonly #orphans = new Map<string, Pod[]>()
  readonly #names = new Set<string>()
  /** Whether the files are a dump of a cluster. If so, a workload without pods in the files has no pods in the cluster either. */
  readonly ofCluster: boolean

  constructor(objects: readonly KubeObject[]) {
    this.#owners = new Map(
      objects.flatMap((object) => {
        const owner = controllerOwner(object)
        const namespace = objectNamespace(object)
        return owner === undefined || isPod(object)
          ? []
          : [
              [
                workloadKey(namespace, object.kind, object.metadata.name),
                workloadKey(namespace, owner.kind, owner.name),
              ],
            ]
      }),
    )
    const pods = objects.filter(isPod)
    this.ofCluster = pods.some(isReported)
    for (const pod of pods) this.#add(pod)
  }

  /** Returns whether the files contain a pod with this name. */
  has(namespace: string, name: string): boolean {
    return this.#names.has(`${namespace}/${name}`)
  }

  /**
   * Returns the active pods of a workload: the pods that it controls, directly or through another object, and the pods that it would
   * adopt.
   */
  of(workload: Workload): readonly Pod[] {
    const namespace = objectNamespace(workload)
    const owned = this.#byOwner.get(workloadKey(namespace, workload.kind, workload.metadata.name)) ?? []
    const selector = workloadSelector(workload)
    if (selector === undefined) return owned
    const adopted = (this.#orphans.get(namespace) ?? []).filter(({ metadata }) =>
      matchesLabelSelector(selector, metadata.labels),
    )
    return [...owned, ...adopted]
  }

  /** Returns the number of pods according to the workload's status. */
  reported(workload: Workload): number {
    if (!this.ofCluster) return 0
    if (isCronJob(workload)) return workload.status?.lastScheduleTime === undefined ? 0 : Number.POSITIVE_INFINITY
    return (isJob(workload) ? workload.status?.active : workload.status?.replicas) ?? 0
  }

  #add(pod: Pod): void {
    const namespace = objectNamespace(pod)
    this.#names.add(`${namespace}/${pod.metadata.name}`)
    if (!isActive(pod)) return
    const owner = controllerOwner(pod)
    if (owner === undefined) {
      const orphans = this.#orphans.get(namespace) ?? []
      this.#orphans.set(namespace, orphans)
      orphans.push(pod)
      return
    }
    const own = workloadKey(namespace, owner.kind, owner.name)
    const above = this.#owners.get(own) ?? ownerByName(namespace, owner.kind, owner.name, pod)
    for (const key of above === undefined ? [own] : [own, above]) {
      const pods = this.#byOwner.get(key) ?? []
      this.#byOwner.set(key, pods)
      pods.push(pod)
    }
  }
}

/**
 * Returns the owner of a ReplicaSet or Job that is not in the files. It is derived from the name, because controllers build these names
 * from the owner's name.
 */
const ownerByName = (namespace: string, kind: string, name: string, pod: Pod): string | undefined => {
  if (kind === 'ReplicaSet') {
    const suffix = `-${pod.metadata.labels?.[HASH] ?? ''}`
    return suffix.length > 1 && name.endsWith(suffix)
      ? workloadKey(namespace, 'Deployment', name.slice(0, -suffix.length))
      : undefined
  }
  const run = kind === 'Job' ? /^(.+)-\d{8,}$/.exec(name)?.[1] : undefined
  return run === undefined ? undefined : workloadKey(namespace, 'CronJob', run)
}
