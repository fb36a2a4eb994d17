import { ownValue } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import type { ApiState } from '../resources/api-state.ts'
import type { WriteRequest } from '../resources/request.ts'
import type { Strategy } from '../resources/resource.ts'
import { decode } from '../schema/decode.ts'
import type { TypeSchema } from '../schema/type-schema.ts'
import { ensureObject, type JsonObject, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { statusErrors } from '../store/status-errors.ts'
import { validateBuiltin } from './builtin-validation.ts'
import { claimLimitRefusal } from './limit-ranges.ts'
import { addDefaultTolerations, admitPod, type ClusterClasses, checkPodLimits } from './pod-admission.ts'
import { podSpecDefaults } from './pod-defaults.ts'
import { applyBuiltinDefaults, identifyBuiltin } from './workload-defaults.ts'

const withGeneration = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
  'PodDisruptionBudget',
  'Ingress',
  'NetworkPolicy',
  'CustomResourceDefinition',
  'PriorityClass',
  'ResourceSlice',
  'DeviceClass',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
])

/** Kinds whose status a client may set when it creates the object. */
const keepStatusOnCreate = new Set(['Node', 'APIService', 'PersistentVolume', 'VolumeAttachment'])

/** Kinds whose updates require a resourceVersion. */
const conditional = new Set([
  'CustomResourceDefinition',
  'ResourceSlice',
  'ResourceClaim',
  'DeviceClass',
  'APIService',
  'PriorityLevelConfiguration',
  'CSIDriver',
])

const createdByUpdate = new Set([
  'Lease',
  'Event',
  'Endpoints',
  'EndpointSlice',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'LimitRange',
  'ResourceQuota',
])

const initialStatus: Readonly<Record<string, JsonObject>> = {
  Namespace: { phase: 'Active' },
  PersistentVolumeClaim: { phase: 'Pending' },
  PersistentVolume: { phase: 'Pending' },
  Service: { loadBalancer: {} },
  Ingress: { loadBalancer: {} },
  Deployment: {},
  ReplicaSet: { replicas: 0 },
  ReplicationController: { replicas: 0 },
  StatefulSet: { replicas: 0, availableReplicas: 0 },
  DaemonSet: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
  Job: {},
  CronJob: {},
  ResourceClaim: {},
  ResourceQuota: {},
  PodDisruptionBudget: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
}

/** Returns the write rules of a built-in resource kind. */
export const builtinStrategy = (state: ApiState, kind: string, schema: TypeSchema, hasStatus: boolean): Strategy => ({
  keepsGeneration: withGeneration.has(kind),
  hasStatus,
  statusWritesMetadata: kind === 'Pod' || kind === 'Node' || kind === 'Namespace',
  unconditionalUpdate: !conditional.has(kind),
  createOnUpdate: createdByUpdate.has(kind),

  decode: (draft, request) => decodeWith(schema, kind, draft, request),

  prepareCreate: (draft) => {
    if (kind === 'Pod') {
      admitPod(clusterClasses(state), draft)
      return
    }
    if (hasStatus && !keepStatusOnCreate.has(kind)) delete draft['status']
    const status = ownValue(initialStatus, kind)
    if (status !== undefined) draft['status'] = { ...status }
    if (kind === 'Namespace') prepareNamespace(draft)
    if (kind === 'Node') taintUntilReady(draft)
    if (kind === 'PersistentVolumeClaim') protect(draft, 'kubernetes.io/pvc-protection')
    if (kind === 'PersistentVolume') protect(draft, 'kubernetes.io/pv-protection')
    applyBuiltinDefaults(kind, draft)
    identifyBuiltin(kind, draft)
  },

  prepareUpdate: (draft, _before, subresource) => {
    if (kind !== 'Pod') applyBuiltinDefaults(kind, draft)
    else if (subresource === undefined) {
      const spec = ensureObject(draft, 'spec')
      podSpecDefaults(spec, false)
      addDefaultTolerations(spec)
    }
  },

  validate: (draft, before, subresource) => {
    const errors = validateBuiltin(kind, draft, before, subresource)
    if (errors.length === 0 && before === undefined) checkLimits(kind, draft, clusterClasses(state))
    return errors
  },

  ...(kind === 'Pod' ? { gracePeriod: podGracePeriod } : {}),
})

/** Runs the admission plugin LimitRanger, which comes after validation. Throws `ApiError`. */
const checkLimits = (kind: string, draft: JsonObject, classes: ClusterClasses): void => {
  if (kind === 'Pod') checkPodLimits(classes, draft)
  if (kind !== 'PersistentVolumeClaim') return
  const metadata = objectAt(draft, 'metadata')
  const why = claimLimitRefusal(classes.limitRanges(stringAt(metadata, 'namespace')), ensureObject(draft, 'spec'))
  const claims = { group: '', plural: 'persistentvolumeclaims', kind }
  if (why !== undefined) throw statusErrors.forbidden(claims, stringAt(metadata, 'name') ?? '', why)
}

/** Returns the stored objects that admission reads for new pods. */
const clusterClasses = (state: ApiState): ClusterClasses => {
  const stored = (group: string, plural: string, namespace?: string): readonly JsonObject[] => {
    const collection = state.registry.find(group, 'v1', plural)?.collection
    if (collection === undefined || collection.size === 0) return []
    return [...(namespace === undefined ? collection.values() : collection.list(namespace))] as unknown as JsonObject[]
  }
  const named = (group: string, plural: string, name: string): JsonObject | undefined =>
    state.registry.find(group, 'v1', plural)?.collection.get(name) as JsonObject | undefined
  return {
    priorityClass: (name) => named('scheduling.k8s.io', 'priorityclasses', name),
    priorityClasses: () => stored('scheduling.k8s.io', 'priorityclasses'),
    runtimeClass: (name) => named('node.k8s.io', 'runtimeclasses', name),
    limitRanges: (namespace) => stored('', 'limitranges', namespace),
    isComplete: true,
  }
}

/**
 * Decodes the object according to a schema. Drops unknown fields, or refuses them if the request is strict. Always refuses values of the
 * wrong type.
 */
const decodeWith = (schema: TypeSchema, kind: string, draft: JsonObject, request: WriteRequest): void => {
  const apiVersion = String(draft['apiVersion'])
  const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1)
  const { unknown, mismatches } = decode(draft, schema, kind)
  const [mismatch] = mismatches
  const cannot = `${kind} in version "${version}" cannot be handled as a ${kind}: `
  if (mismatch !== undefined) throw new ApiError({ code: 400, reason: 'BadRequest', message: cannot + mismatch.go })
  if (unknown.length === 0) return
  if (request.fieldValidation === 'Strict') {
    throw new ApiError({
      code: 400,
      reason: 'BadRequest',
      message: `${cannot}strict decoding error: ${unknown.join(', ')}`,
    })
  }
  if (request.fieldValidation === 'Warn') for (const one of unknown) request.warn?.(one)
}

/** Runs the admission plugin TaintNodesByCondition, so that no pod is scheduled on a node before its kubelet has reported. */
const taintUntilReady = (draft: JsonObject): void => {
  const spec = ensureObject(draft, 'spec')
  const taints = objectsAt(spec, 'taints')
  const key = 'node.kubernetes.io/not-ready'
  if (taints.some((taint) => taint['key'] === key && taint['effect'] === 'NoSchedule')) return
  spec['taints'] = [...taints, { key, effect: 'NoSchedule' }]
}

/** Adds the finalizer that protects volumes and claims in use. Their controllers remove it when nothing uses them any more. */
const protect = (draft: JsonObject, finalizer: string): void => {
  const metadata = ensureObject(draft, 'metadata')
  const present = Array.isArray(metadata['finalizers']) ? metadata['finalizers'] : []
  if (!present.includes(finalizer)) metadata['finalizers'] = [...present, finalizer]
}

const prepareNamespace = (draft: JsonObject): void => {
  const spec = ensureObject(draft, 'spec')
  spec['finalizers'] = ['kubernetes']
  const metadata = ensureObject(draft, 'metadata')
  ensureObject(metadata, 'labels')['kubernetes.io/metadata.name'] = String(metadata['name'])
}

/**
 * Returns a pod's grace period. A pod that is bound and unfinished gets the period in its spec. Any other pod is deleted
 * immediately.
 */
const podGracePeriod: NonNullable<Strategy['gracePeriod']> = (object, requested) => {
  const spec = objectAt(object, 'spec')
  const phase = objectAt(object, 'status')?.['phase']
  const wanted =
    requested ??
    (typeof spec?.['terminationGracePeriodSeconds'] === 'number' ? spec['terminationGracePeriodSeconds'] : 30)
  if ((spec?.['nodeName'] ?? '') === '' || phase === 'Failed' || phase === 'Succeeded') return 0
  return wanted < 0 ? 1 : wanted
}
