import type { ApiState } from '../resources/api-state.ts'
import {
  clone,
  ensureObject,
  type JsonObject,
  type JsonValue,
  numberAt,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
} from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import { podSpecDefaults } from './pod-defaults.ts'
import { qosClass } from './pod-qos.ts'

const pods = { group: '', plural: 'pods', kind: 'Pod' }

/** What the admission plug-ins of a default API server do to a new pod. */
export const admitPod = (state: ApiState, pod: JsonObject): void => {
  const spec = ensureObject(pod, 'spec')
  const name = stringAt(objectAt(pod, 'metadata'), 'name') ?? ''
  applyLimitRanges(state, pod, spec)
  podSpecDefaults(spec, false)
  applyPriority(state, spec, name)
  applyRuntimeClass(state, spec, name)
  if ((stringAt(spec, 'serviceAccountName') ?? '') === '') {
    spec['serviceAccountName'] = 'default'
    spec['serviceAccount'] = 'default'
  }
  addDefaultTolerations(spec)
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

const classOf = (state: ApiState, group: string, plural: string, name: string): JsonObject | undefined =>
  state.registry.find(group, 'v1', plural)?.collection.get(name) as JsonObject | undefined

const applyPriority = (state: ApiState, spec: JsonObject, name: string): void => {
  const className = stringAt(spec, 'priorityClassName')
  let value = 0
  let preemption: JsonValue = 'PreemptLowerPriority'
  if (className !== undefined && className !== '') {
    const found = classOf(state, 'scheduling.k8s.io', 'priorityclasses', className)
    if (found === undefined)
      throw statusErrors.forbidden(pods, name, `no PriorityClass with name ${className} was found`)
    value = numberAt(found, 'value') ?? 0
    preemption = stringAt(found, 'preemptionPolicy') ?? preemption
  } else {
    let standard: JsonObject | undefined
    for (const one of state.registry.find('scheduling.k8s.io', 'v1', 'priorityclasses')?.collection.values() ?? []) {
      const candidate = one as unknown as JsonObject
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

const applyRuntimeClass = (state: ApiState, spec: JsonObject, name: string): void => {
  const className = stringAt(spec, 'runtimeClassName')
  if (className === undefined) return
  const found = classOf(state, 'node.k8s.io', 'runtimeclasses', className)
  if (found === undefined)
    throw statusErrors.forbidden(pods, name, `pod rejected: RuntimeClass "${className}" not found`)
  const overhead = objectAt(objectAt(found, 'overhead'), 'podFixed')
  if (overhead !== undefined) spec['overhead'] = clone(overhead)
  const scheduling = objectAt(found, 'scheduling')
  const selector = objectAt(scheduling, 'nodeSelector')
  if (selector !== undefined) spec['nodeSelector'] = { ...objectAt(spec, 'nodeSelector'), ...selector }
  const tolerations = objectsAt(scheduling, 'tolerations')
  if (tolerations.length > 0) spec['tolerations'] = [...objectsAt(spec, 'tolerations'), ...tolerations.map(clone)]
}

/** Unless the pod says otherwise, it stays five minutes on a node that has stopped answering. */
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

/** LimitRange: the default request and limit of containers that name none. */
const applyLimitRanges = (state: ApiState, pod: JsonObject, spec: JsonObject): void => {
  const ranges = state.registry.find('', 'v1', 'limitranges')?.collection
  if (ranges === undefined || ranges.size === 0) return
  for (const range of ranges.list(stringAt(objectAt(pod, 'metadata'), 'namespace'))) {
    for (const limit of objectsAt(objectAt(range, 'spec'), 'limits')) {
      if (limit['type'] !== 'Container') continue
      for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
        const resources = ensureObject(container, 'resources')
        const ownLimits = Object.keys(objectAt(resources, 'limits') ?? {})
        for (const [from, to] of [
          ['default', 'limits'],
          ['defaultRequest', 'requests'],
        ] as const) {
          for (const [resource, amount] of Object.entries(objectAt(limit, from) ?? {})) {
            // Who sets a limit and no request means the limit.
            if (to === 'requests' && ownLimits.includes(resource)) continue
            setDefault(ensureObject(resources, to), resource, amount as JsonValue)
          }
        }
      }
    }
  }
}
