import { type KubeObject, type LabelSelector, matchesLabelSelector, ownValue, tryParseQuantity } from '@kerf/apis'
import {
  isObject,
  type JsonObject,
  objectAt,
  objectsAt,
  semanticallyEqual,
  stringAt,
  stringMapAt,
} from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'
import { ingressErrors, subjectErrors } from './access-validation.ts'
import { dataKeyErrors } from './data-keys.ts'
import { claimNameErrors } from './ephemeral-claims.ts'
import { labelErrors, qualifiedNameProblems } from './metadata.ts'
import { podSpecErrors, podUpdateErrors } from './pod-validation.ts'

const immutable = 'field is immutable'

const unchanged = (draft: JsonObject, before: KubeObject | undefined, path: readonly string[]): FieldError[] => {
  if (before === undefined) return []
  const read = (object: unknown): unknown =>
    path.reduce<unknown>((value, key) => (isObject(value) ? ownValue(value, key) : undefined), object)
  const now = read(draft)
  return semanticallyEqual(read(before), now) ? [] : [fieldErrors.invalid(path.join('.'), now ?? null, immutable)]
}

const nonNegative = (spec: JsonObject | undefined, keys: readonly string[]): FieldError[] =>
  keys.flatMap((key) => {
    const value = ownValue(spec, key)
    return typeof value === 'number' && value < 0
      ? [fieldErrors.invalid(`spec.${key}`, value, 'must be greater than or equal to 0')]
      : []
  })

/**
 * Returns the validation rules for kinds with a pod template. The selector is required and must match the labels of the template. It is
 * immutable unless `selectorIsMutable` is true.
 */
const templated =
  (restartPolicies: readonly string[], selectorIsMutable = false) =>
  (draft: JsonObject, before: KubeObject | undefined): FieldError[] => {
    const spec = objectAt(draft, 'spec')
    const out: FieldError[] = nonNegative(spec, ['replicas', 'minReadySeconds', 'revisionHistoryLimit'])
    const selector = objectAt(spec, 'selector')
    const template = objectAt(spec, 'template')
    const labels = stringMapAt(objectAt(template, 'metadata'), 'labels')
    if (selector === undefined) out.push(fieldErrors.required('spec.selector'))
    else {
      if (Object.keys(selector).length === 0)
        out.push(fieldErrors.invalid('spec.selector', selector, 'empty selector is invalid for deployment'))
      else if (template !== undefined && !matchesLabelSelector(selector as unknown as LabelSelector, labels)) {
        out.push(
          fieldErrors.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
        )
      }
      if (!selectorIsMutable) out.push(...unchanged(draft, before, ['spec', 'selector']))
    }
    out.push(...labelErrors(objectAt(template, 'metadata')?.['labels'], 'spec.template.metadata.labels'))
    const podSpec = objectAt(template, 'spec')
    if (podSpec !== undefined) {
      // The StatefulSet controller adds one volume per claim template to each pod, so mounts may refer to these volumes.
      const claims = objectsAt(spec, 'volumeClaimTemplates').map((claim) => objectAt(claim, 'metadata')?.['name'])
      out.push(...podSpecErrors(podSpec, 'spec.template.spec', claims))
      const policy = stringAt(podSpec, 'restartPolicy') ?? 'Always'
      if (!restartPolicies.includes(policy))
        out.push(fieldErrors.notSupported('spec.template.spec.restartPolicy', policy, restartPolicies))
    }
    return out
  }

const taintErrors = (draft: JsonObject): FieldError[] => {
  const seen = new Set<string>()
  return objectsAt(objectAt(draft, 'spec'), 'taints').flatMap((taint, i) => {
    const out: FieldError[] = []
    const at = `metadata.taints[${i}]`
    for (const problem of qualifiedNameProblems(stringAt(taint, 'key') ?? ''))
      out.push(fieldErrors.invalid(`${at}.key`, taint['key'] ?? '', problem))
    const effect = stringAt(taint, 'effect') ?? ''
    if (!['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect)) {
      out.push(
        effect === ''
          ? fieldErrors.required(`${at}.effect`)
          : fieldErrors.notSupported(`${at}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
      )
    }
    const identity = `${String(taint['key'])}:${effect}`
    if (seen.has(identity))
      out.push({
        field: at,
        reason: 'FieldValueDuplicate',
        message: `Duplicate value: "taints must be unique by key and effect pair"`,
      })
    seen.add(identity)
    return out
  })
}

type Rule = (draft: JsonObject, before: KubeObject | undefined, subresource: string | undefined) => FieldError[]

const rules: Readonly<Record<string, Rule>> = {
  Pod: (draft, before, subresource) =>
    before === undefined
      ? [...podSpecErrors(objectAt(draft, 'spec') ?? {}, 'spec'), ...claimNameErrors(draft)]
      : podUpdateErrors(draft, before, subresource),
  Deployment: templated(['Always']),
  ReplicaSet: templated(['Always']),
  DaemonSet: templated(['Always']),
  StatefulSet: (draft, before) => [
    ...templated(['Always'])(draft, before),
    ...['serviceName', 'podManagementPolicy', 'volumeClaimTemplates'].flatMap((key) =>
      unchanged(draft, before, ['spec', key]).map(() =>
        fieldErrors.forbidden(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ),
    ),
  ],
  Job: (draft, before) => {
    const podSpec = objectAt(objectAt(objectAt(draft, 'spec'), 'template'), 'spec')
    const policy = stringAt(podSpec, 'restartPolicy') ?? 'Always'
    return [
      ...(podSpec === undefined ? [] : podSpecErrors(podSpec, 'spec.template.spec')),
      ...(['OnFailure', 'Never'].includes(policy)
        ? []
        : [
            {
              field: 'spec.template.spec.restartPolicy',
              reason: 'FieldValueRequired',
              message: 'Required value: valid values: "OnFailure", "Never"',
            },
          ]),
      ...unchanged(draft, before, ['spec', 'completionMode']),
    ]
  },
  CronJob: (draft) => {
    const spec = objectAt(draft, 'spec')
    const podSpec = objectAt(objectAt(objectAt(objectAt(spec, 'jobTemplate'), 'spec'), 'template'), 'spec')
    const at = 'spec.jobTemplate.spec.template.spec'
    const policy = stringAt(podSpec, 'restartPolicy') ?? 'Always'
    return [
      ...((stringAt(spec, 'schedule') ?? '') === '' ? [fieldErrors.required('spec.schedule')] : []),
      ...podSpecErrors(podSpec ?? {}, at),
      ...(['OnFailure', 'Never'].includes(policy)
        ? []
        : [fieldErrors.required(`${at}.restartPolicy`, 'valid values: "OnFailure", "Never"')]),
    ]
  },
  Node: (draft, before) => {
    const previous = stringAt(objectAt(before, 'spec'), 'providerID')
    const now = stringAt(objectAt(draft, 'spec'), 'providerID')
    return [
      ...taintErrors(draft),
      ...(previous !== undefined && previous !== '' && previous !== now
        ? [
            fieldErrors.forbidden(
              'spec.providerID',
              'node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)',
            ),
          ]
        : []),
    ]
  },
  PodDisruptionBudget: (draft) => {
    const spec = objectAt(draft, 'spec') ?? {}
    const out: FieldError[] = []
    if (spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined) {
      out.push(fieldErrors.invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set'))
    }
    for (const key of ['minAvailable', 'maxUnavailable'] as const) {
      const value = spec[key]
      if (typeof value === 'number' && value < 0)
        out.push(fieldErrors.invalid(`spec.${key}`, value, 'must be greater than or equal to 0'))
      if (typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100)
        out.push(fieldErrors.invalid(`spec.${key}`, value, 'must not be greater than 100%'))
      if (typeof value === 'string' && !/^[0-9]+%$/.test(value)) {
        out.push(
          fieldErrors.invalid(
            `spec.${key}`,
            value,
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
          ),
        )
      }
    }
    const policy = stringAt(spec, 'unhealthyPodEvictionPolicy')
    if (policy !== undefined && !['AlwaysAllow', 'IfHealthyBudget'].includes(policy)) {
      out.push(fieldErrors.notSupported('spec.unhealthyPodEvictionPolicy', policy, ['AlwaysAllow', 'IfHealthyBudget']))
    }
    return out
  },
  PriorityClass: (draft, before) => {
    const name = stringAt(objectAt(draft, 'metadata'), 'name') ?? ''
    const value = draft['value']
    if (before === undefined) {
      if (name.startsWith('system-') && !['system-node-critical', 'system-cluster-critical'].includes(name)) {
        return [
          fieldErrors.forbidden(
            'metadata.name',
            `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`,
          ),
        ]
      }
      if (typeof value === 'number' && value > 1_000_000_000 && !name.startsWith('system-')) {
        return [fieldErrors.forbidden('value', 'maximum allowed value of a user defined priority is 1000000000')]
      }
    }
    return [
      ...unchanged(draft, before, ['value']).map(() =>
        fieldErrors.forbidden('value', 'may not be changed in an update.'),
      ),
    ]
  },
  ConfigMap: (draft, before) => [
    ...dataKeyErrors(draft),
    ...(before !== undefined &&
    (before as unknown as JsonObject)['immutable'] === true &&
    !semanticallyEqual((before as unknown as JsonObject)['data'], draft['data'])
      ? [fieldErrors.forbidden('data', 'field is immutable when `immutable` is set')]
      : []),
  ],
  Secret: (draft) => dataKeyErrors(draft),
  PersistentVolumeClaim: (draft, before) => {
    const out: FieldError[] = []
    const spec = objectAt(draft, 'spec')
    if (before === undefined && !Array.isArray(spec?.['accessModes']))
      out.push(fieldErrors.required('spec.accessModes', 'at least 1 access mode is required'))
    const storage = objectAt(objectAt(spec, 'resources'), 'requests')?.['storage']
    if (before === undefined && tryParseQuantity(storage) === undefined)
      out.push(fieldErrors.required('spec.resources[storage]'))
    return out
  },
  Lease: (draft) => {
    const seconds = objectAt(draft, 'spec')?.['leaseDurationSeconds']
    return typeof seconds === 'number' && seconds <= 0
      ? [fieldErrors.invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []
  },
  APIService: (draft) => {
    const spec = objectAt(draft, 'spec')
    const name = `${stringAt(spec, 'version') ?? ''}.${stringAt(spec, 'group') ?? ''}`
    const given = stringAt(objectAt(draft, 'metadata'), 'name') ?? ''
    return given === name
      ? []
      : [fieldErrors.invalid('metadata.name', given, `must be \`spec.version+"."+spec.group\`: "${name}"`)]
  },
  Ingress: (draft) => ingressErrors(draft),
  RoleBinding: (draft) => subjectErrors(draft, true),
  ClusterRoleBinding: (draft) => subjectErrors(draft, false),
  ReplicationController: (draft) => {
    const spec = objectAt(draft, 'spec')
    const template = objectAt(spec, 'template')
    const podSpec = objectAt(template, 'spec')
    const selector = stringMapAt(spec, 'selector')
    const labels = stringMapAt(objectAt(template, 'metadata'), 'labels')
    return [
      ...nonNegative(spec, ['replicas', 'minReadySeconds']),
      ...(Object.keys(selector).length === 0 ? [fieldErrors.required('spec.selector')] : []),
      ...(template === undefined ? [fieldErrors.required('spec.template')] : []),
      ...(Object.entries(selector).every(([key, value]) => ownValue(labels, key) === value)
        ? []
        : [
            fieldErrors.invalid('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'),
          ]),
      ...(podSpec === undefined ? [] : podSpecErrors(podSpec, 'spec.template.spec')),
    ]
  },
  RuntimeClass: (draft, before) => unchanged(draft, before, ['handler']),
  StorageClass: (draft, before) => [
    ...unchanged(draft, before, ['provisioner']).map(() =>
      fieldErrors.forbidden('provisioner', 'updates to provisioner are forbidden.'),
    ),
    ...unchanged(draft, before, ['parameters']).map(() =>
      fieldErrors.forbidden('parameters', 'updates to parameters are forbidden.'),
    ),
  ],
}

/** Validates an object of a built-in kind. Covers the rules that operators and controllers commonly violate. */
export const validateBuiltin = (
  kind: string,
  draft: JsonObject,
  before: KubeObject | undefined,
  subresource: string | undefined,
): FieldError[] => ownValue(rules, kind)?.(draft, before, subresource) ?? []
