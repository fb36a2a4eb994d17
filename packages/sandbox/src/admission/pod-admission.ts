import { ownValue, setOwnValue } from '@kerf/apis'
import {
  clone,
  ensureObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  objectsAt,
  semanticallyEqual,
  setDefault,
  stringAt,
} from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import { mergeLabelKeys } from './label-keys.ts'
import { applyLimitRanges, podLimitRefusal } from './limit-ranges.ts'
import { podSpecDefaults } from './pod-defaults.ts'
import { qosClass } from './pod-qos.ts'
import { mergeTolerations } from './tolerations.ts'

const objectCopy = (object: JsonObject): JsonObject => clone(object) as JsonObject

const pods = { group: '', plural: 'pods', kind: 'Pod' }

/** The objects of a cluster that admission reads for a new pod. */
export interface ClusterClasses {
  priorityClass(name: string): JsonObject | undefined
  priorityClasses(): Iterable<JsonObject>
  runtimeClass(name: string): JsonObject | undefined
  limitRanges(namespace: string | undefined): Iterable<JsonObject>
  /** Whether all these objects of the cluster are known. If false, admission does not change a pod whose class is missing. */
  readonly isComplete: boolean
}

/** Applies the admission plugins of a default API server to a new pod. Throws `ApiError` if they refuse the pod. */
export const admitPod = (classes: ClusterClasses, pod: JsonObject): void => {
  const spec = ensureObject(pod, 'spec')
  const metadata = objectAt(pod, 'metadata')
  const name = stringAt(metadata, 'name') ?? ''
  applyLimitRanges(classes.limitRanges(stringAt(metadata, 'namespace')), spec)
  podSpecDefaults(spec, false)
  applyPriority(classes, spec, name)
  applyRuntimeClass(classes, spec, name)
  if ((stringAt(spec, 'serviceAccountName') ?? '') === '') {
    spec['serviceAccountName'] = 'default'
    spec['serviceAccount'] = 'default'
  }
  addDefaultTolerations(spec)
  mergeLabelKeys(spec, objectAt(metadata, 'labels'))
  const gated = objectsAt(spec, 'schedulingGates').length > 0
  pod['status'] = {
    phase: 'Pending',
    qosClass: qosClass(spec),
    ...(gated
      ? {
          conditions: [
            {
              type: 'PodScheduled',
              status: 'False',
              reason: 'SchedulingGated',
              message: 'Scheduling is blocked due to non-empty scheduling gates',
              lastProbeTime: null,
              lastTransitionTime: null,
            },
          ],
        }
      : {}),
  }
}

const applyPriority = (classes: ClusterClasses, spec: JsonObject, name: string): void => {
  const className = stringAt(spec, 'priorityClassName')
  let value = 0
  let preemption: JsonValue = 'PreemptLowerPriority'
  if (className !== undefined && className !== '') {
    const found = classes.priorityClass(className)
    if (found === undefined && !classes.isComplete) return
    if (found === undefined)
      throw statusErrors.forbidden(pods, name, `no PriorityClass with name ${className} was found`)
    value = numberAt(found, 'value') ?? 0
    preemption = stringAt(found, 'preemptionPolicy') ?? preemption
  } else {
    let standard: JsonObject | undefined
    for (const candidate of classes.priorityClasses()) {
      if (candidate['globalDefault'] !== true) continue
      if (standard === undefined || (numberAt(candidate, 'value') ?? 0) < (numberAt(standard, 'value') ?? 0))
        standard = candidate
    }
    if (standard !== undefined) {
      spec['priorityClassName'] = stringAt(objectAt(standard, 'metadata'), 'name') ?? ''
      value = numberAt(standard, 'value') ?? 0
      preemption = stringAt(standard, 'preemptionPolicy') ?? preemption
    }
  }
  const given = numberAt(spec, 'priority')
  if (given !== undefined && given !== value) {
    throw statusErrors.forbidden(
      pods,
      name,
      `the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    )
  }
  spec['priority'] = value
  setDefault(spec, 'preemptionPolicy', preemption)
}

const applyRuntimeClass = (classes: ClusterClasses, spec: JsonObject, name: string): void => {
  const className = stringAt(spec, 'runtimeClassName')
  if (className === undefined) return
  const found = classes.runtimeClass(className)
  if (found === undefined && !classes.isComplete) return
  if (found === undefined)
    throw statusErrors.forbidden(pods, name, `pod rejected: RuntimeClass "${className}" not found`)
  const overhead = objectAt(objectAt(found, 'overhead'), 'podFixed')
  if (overhead !== undefined) {
    const own = objectAt(spec, 'overhead') ?? {}
    if (Object.keys(own).length > 0 && !semanticallyEqual(own, overhead))
      throw statusErrors.forbidden(
        pods,
        name,
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
      )
    spec['overhead'] = clone(overhead)
  }
  const scheduling = objectAt(found, 'scheduling')
  if (scheduling === undefined) return
  const own = objectAt(spec, 'nodeSelector') ?? {}
  for (const [key, value] of Object.entries(objectAt(scheduling, 'nodeSelector') ?? {})) {
    const given = ownValue(own, key)
    if (given !== undefined && given !== value)
      throw statusErrors.forbidden(
        pods,
        name,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(value)}; pod.spec.nodeSelector[${key}] = ${String(given)}`,
      )
    setOwnValue(own, key, value)
  }
  if (Object.keys(own).length > 0) spec['nodeSelector'] = own
  const tolerations = mergeTolerations(
    objectsAt(spec, 'tolerations'),
    objectsAt(scheduling, 'tolerations').map(objectCopy),
  )
  if (tolerations.length > 0) spec['tolerations'] = tolerations
}

/** Adds the default tolerations: a pod stays five minutes on an unreachable or unready node. */
export const addDefaultTolerations = (spec: JsonObject): void => {
  const tolerations = objectsAt(spec, 'tolerations')
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) =>
      !tolerations.some(
        (toleration) =>
          (toleration['key'] === key || ((toleration['key'] ?? '') === '' && toleration['operator'] === 'Exists')) &&
          ['', 'NoExecute'].includes(stringAt(toleration, 'effect') ?? ''),
      ),
  )
  if (missing.length === 0) return
  spec['tolerations'] = [
    ...tolerations,
    ...missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 })),
  ]
}

/** Checks a new pod with LimitRanger, after all other checks. Throws `ApiError`. */
export const checkPodLimits = (classes: ClusterClasses, pod: JsonObject): void => {
  const metadata = objectAt(pod, 'metadata')
  const why = podLimitRefusal(classes.limitRanges(stringAt(metadata, 'namespace')), ensureObject(pod, 'spec'))
  if (why !== undefined) throw statusErrors.forbidden(pods, stringAt(metadata, 'name') ?? '', why)
}
