import type { KubeObject, Pod } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { admitPod, type ClusterClasses, checkPodLimits } from './admission/pod-admission.ts'
import { applyBuiltinDefaults } from './admission/workload-defaults.ts'
import { systemObjects } from './api/system-objects.ts'
import { decode } from './schema/decode.ts'
import { builtinKind } from './schema/type-schema.ts'
import { cloneObject, type JsonObject } from './store/json.ts'

/** Thrown if admission refuses a pod. Contains the message of the API server. */
export class PodRefused extends Error {}

const nameIn = ({ metadata }: KubeObject): string => metadata.name

const isOf =
  (apiVersion: string, kind: string) =>
  (object: KubeObject): boolean =>
    object.apiVersion === apiVersion && object.kind === kind

/** Returns an object in the form in which the API server reads it, with its defaults. */
const stored = (object: KubeObject): JsonObject => {
  const draft = cloneObject(object)
  const [version = '', group = ''] = object.apiVersion.split('/').reverse()
  const schema = builtinKind(group, version, object.kind)
  if (schema !== undefined) decode(draft, schema, object.kind)
  applyBuiltinDefaults(object.kind, draft)
  return draft
}

const byName = (objects: readonly KubeObject[], isOne: (object: KubeObject) => boolean): Map<string, JsonObject> =>
  new Map(objects.filter(isOne).map((object) => [nameIn(object), stored(object)]))

const classesAmong = (objects: readonly KubeObject[]): ClusterClasses => {
  const all = [...systemObjects.map(({ object }) => object), ...objects]
  const priorities = byName(all, isOf('scheduling.k8s.io/v1', 'PriorityClass'))
  const runtimes = byName(all, isOf('node.k8s.io/v1', 'RuntimeClass'))
  const ranges = Map.groupBy(all.filter(isOf('v1', 'LimitRange')), ({ metadata }) => metadata.namespace ?? 'default')
  const rangesOf = new Map([...ranges].map(([namespace, each]) => [namespace, each.map(stored)]))
  return {
    priorityClass: (name) => priorities.get(name),
    priorityClasses: () => priorities.values(),
    runtimeClass: (name) => runtimes.get(name),
    limitRanges: (namespace = 'default') => rangesOf.get(namespace) ?? [],
    isComplete: false,
  }
}

/**
 * Admits pods without a server, in a cluster that is described by a list of objects. Applies the defaults and the admission plugins that an
 * API server enables by default. RuntimeClasses and PriorityClasses that are not in the list are assumed to exist.
 */
export class PodAdmission {
  readonly #classes: ClusterClasses
  /** Caches admitted specs by the original spec. Pods of one workload share a spec, so they also share the admitted spec. */
  readonly #specs = new WeakMap<Pod['spec'], Map<string, Pod['spec']>>()

  constructor(objects: readonly KubeObject[]) {
    this.#classes = classesAmong(objects)
  }

  /**
   * Returns the pod as the API server would store it, except for values that differ on each write (uid, times, the token volume). Returns a
   * pod unchanged if a server has already stored it. Throws `PodRefused`.
   */
  admit(pod: Pod): Pod {
    if (pod.metadata.uid !== undefined) return pod
    const namespace = pod.metadata.namespace ?? 'default'
    const metadata = { ...pod.metadata, namespace }
    const key = JSON.stringify([namespace, pod.metadata.labels])
    const known = this.#specs.get(pod.spec)?.get(key)
    const spec = known ?? this.#admitSpec({ ...pod, metadata })
    if (known === undefined) {
      const specs = this.#specs.get(pod.spec) ?? new Map<string, Pod['spec']>()
      this.#specs.set(pod.spec, specs.set(key, spec))
    }
    return { ...pod, metadata, spec }
  }

  #admitSpec(pod: Pod): Pod['spec'] {
    const draft = cloneObject(pod)
    delete draft['status']
    const schema = builtinKind('', 'v1', 'Pod')
    if (schema !== undefined) decode(draft, schema, 'Pod')
    try {
      admitPod(this.#classes, draft)
      checkPodLimits(this.#classes, draft)
    } catch (error) {
      if (error instanceof ApiError) throw new PodRefused(error.message, { cause: error })
      throw error
    }
    return draft['spec'] as unknown as Pod['spec']
  }
}
