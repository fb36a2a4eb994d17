import { type KubeObject, ownValue, setOwnValue, tryParseQuantity } from '@kerf/apis'
import { type JsonObject, objectAt, objectsAt, semanticallyEqual, stringAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'
import { qualifiedNameProblems } from './metadata.ts'
import { mountErrors, volumeErrors } from './volume-validation.ts'

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const dnsLabelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']

const resourceErrors = (resources: JsonObject | undefined, at: string): FieldError[] => {
  const out: FieldError[] = []
  const limits = objectAt(resources, 'limits')
  const requests = objectAt(resources, 'requests')
  for (const [key, list] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, amount] of Object.entries(list ?? {})) {
      const parsed = tryParseQuantity(amount)
      if (parsed !== undefined && parsed < 0n)
        out.push(fieldErrors.invalid(`${at}.${key}[${name}]`, amount, 'must be greater than or equal to 0'))
    }
  }
  for (const [name, amount] of Object.entries(requests ?? {})) {
    const request = tryParseQuantity(amount)
    const limit = tryParseQuantity(ownValue(limits, name))
    if (request === undefined || limit === undefined) continue
    if (request > limit)
      out.push(
        fieldErrors.invalid(
          `${at}.requests`,
          amount,
          `must be less than or equal to ${name} limit of ${String(ownValue(limits, name))}`,
        ),
      )
  }
  return out
}

const containerErrors = (
  spec: JsonObject,
  list: 'containers' | 'initContainers',
  at: string,
  names: Set<string>,
): FieldError[] =>
  objectsAt(spec, list).flatMap((container, i) => {
    const out: FieldError[] = []
    const place = `${at}.${list}[${i}]`
    const name = stringAt(container, 'name') ?? ''
    if (name === '') out.push(fieldErrors.required(`${place}.name`))
    else if (!DNS_LABEL.test(name) || name.length > 63)
      out.push(fieldErrors.invalid(`${place}.name`, name, dnsLabelText))
    else if (names.has(name)) out.push(fieldErrors.duplicate(`${place}.name`, name))
    names.add(name)
    if ((stringAt(container, 'image') ?? '') === '') out.push(fieldErrors.required(`${place}.image`))
    objectsAt(container, 'ports').forEach((port, p) => {
      const protocol = stringAt(port, 'protocol') ?? 'TCP'
      if (!PROTOCOLS.includes(protocol))
        out.push(fieldErrors.notSupported(`${place}.ports[${p}].protocol`, protocol, PROTOCOLS))
      for (const key of ['containerPort', 'hostPort']) {
        const number = ownValue(port, key)
        if (key === 'containerPort' && number === undefined)
          out.push(fieldErrors.required(`${place}.ports[${p}].containerPort`))
        else if (typeof number === 'number' && (number < (key === 'hostPort' ? 0 : 1) || number > 65535)) {
          out.push(fieldErrors.invalid(`${place}.ports[${p}].${key}`, number, 'must be between 1 and 65535, inclusive'))
        }
      }
    })
    out.push(...resourceErrors(objectAt(container, 'resources'), `${place}.resources`))
    return out
  })

const tolerationErrors = (spec: JsonObject, at: string): FieldError[] =>
  objectsAt(spec, 'tolerations').flatMap((toleration, i) => {
    const out: FieldError[] = []
    const place = `${at}.tolerations[${i}]`
    const operator = stringAt(toleration, 'operator') ?? ''
    const key = stringAt(toleration, 'key') ?? ''
    const effect = stringAt(toleration, 'effect') ?? ''
    if (!['', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect)) {
      out.push(fieldErrors.notSupported(`${place}.effect`, effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute']))
    }
    if (!['', 'Equal', 'Exists', 'Lt', 'Gt'].includes(operator))
      out.push(fieldErrors.notSupported(`${place}.operator`, operator, ['Equal', 'Exists']))
    if (key === '' && operator !== 'Exists')
      out.push(
        fieldErrors.invalid(
          `${place}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      )
    if (key !== '')
      for (const problem of qualifiedNameProblems(key)) out.push(fieldErrors.invalid(`${place}.key`, key, problem))
    if (operator === 'Exists' && (stringAt(toleration, 'value') ?? '') !== '')
      out.push(fieldErrors.invalid(`${place}.operator`, toleration, "value must be empty when `operator` is 'Exists'"))
    if (toleration['tolerationSeconds'] !== undefined && toleration['effect'] !== 'NoExecute') {
      out.push(
        fieldErrors.invalid(
          `${place}.effect`,
          toleration['effect'] ?? '',
          "effect must be 'NoExecute' when `tolerationSeconds` is set",
        ),
      )
    }
    return out
  })

const spreadErrors = (spec: JsonObject, at: string): FieldError[] => {
  const constraints = objectsAt(spec, 'topologySpreadConstraints')
  return constraints.flatMap((constraint, i) => {
    const out: FieldError[] = []
    const place = `${at}.topologySpreadConstraints[${i}]`
    const skew = constraint['maxSkew']
    if (typeof skew !== 'number' || skew <= 0) {
      out.push(fieldErrors.invalid(`${place}.maxSkew`, skew ?? 0, 'must be greater than zero'))
    }
    const key = stringAt(constraint, 'topologyKey') ?? ''
    if (key === '') out.push(fieldErrors.required(`${place}.topologyKey`, 'can not be empty'))
    const when = stringAt(constraint, 'whenUnsatisfiable') ?? ''
    if (!['DoNotSchedule', 'ScheduleAnyway'].includes(when)) {
      out.push(fieldErrors.notSupported(`${place}.whenUnsatisfiable`, when, ['DoNotSchedule', 'ScheduleAnyway']))
    }
    const domains = constraint['minDomains']
    if (typeof domains === 'number' && domains <= 0) {
      out.push(fieldErrors.invalid(`${place}.minDomains`, domains, 'must be greater than zero'))
    }
    if (domains !== undefined && when !== 'DoNotSchedule') {
      out.push(
        fieldErrors.invalid(
          `${place}.minDomains`,
          domains,
          `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`,
        ),
      )
    }
    const identity = `{${key}, ${when}}`
    // For each constraint, the real server searches the later constraints for a duplicate. Therefore it reports the first of two equal
    // constraints.
    const isTwin = constraints.some(
      (other, o) => o > i && other['topologyKey'] === key && other['whenUnsatisfiable'] === when,
    )
    if (isTwin) out.push(fieldErrors.duplicate(`${place}.{topologyKey, whenUnsatisfiable}`, identity))
    return out
  })
}

const nodeSelectorErrors = (terms: JsonObject[], at: string): FieldError[] =>
  terms.flatMap((term, t) =>
    objectsAt(term, 'matchExpressions').flatMap((expression, e) => {
      const place = `${at}[${t}].matchExpressions[${e}]`
      const operator = stringAt(expression, 'operator') ?? ''
      const values = Array.isArray(expression['values']) ? expression['values'] : []
      if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
        return [fieldErrors.required(`${place}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
      if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
        return [
          fieldErrors.forbidden(
            `${place}.values`,
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          ),
        ]
      if ((operator === 'Gt' || operator === 'Lt') && values.length !== 1)
        return [
          fieldErrors.required(`${place}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"),
        ]
      if (!['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'].includes(operator))
        return [fieldErrors.invalid(`${place}.operator`, operator, 'not a valid selector operator')]
      return []
    }),
  )

const preferenceErrors = (spec: JsonObject, at: string): FieldError[] =>
  ['nodeAffinity', 'podAffinity', 'podAntiAffinity'].flatMap((kind) =>
    objectsAt(objectAt(objectAt(spec, 'affinity'), kind), 'preferredDuringSchedulingIgnoredDuringExecution').flatMap(
      (preference, i) => {
        const { weight } = preference
        if (typeof weight === 'number' && weight >= 1 && weight <= 100) return []
        const place = `${at}.affinity.${kind}.preferredDuringSchedulingIgnoredDuringExecution[${i}].weight`
        return [fieldErrors.invalid(place, weight ?? 0, 'must be in the range 1-100')]
      },
    ),
  )

const gateErrors = (spec: JsonObject, at: string): FieldError[] => {
  const seen = new Set<unknown>()
  return objectsAt(spec, 'schedulingGates').flatMap((gate, i) => {
    const out: FieldError[] = []
    const name = stringAt(gate, 'name') ?? ''
    for (const problem of qualifiedNameProblems(name)) {
      out.push(fieldErrors.invalid(`${at}.schedulingGates[${i}]`, name, problem))
    }
    if (seen.has(name)) out.push(fieldErrors.duplicate(`${at}.schedulingGates[${i}]`, name))
    seen.add(name)
    return out
  })
}

/**
 * Returns the errors in a pod's spec, or in a template's pod spec at the path `at`. `volumes` contains the names of volumes that the
 * template's controller adds.
 */
export const podSpecErrors = (spec: JsonObject, at: string, volumes: readonly unknown[] = []): FieldError[] => {
  const out: FieldError[] = []
  if (objectsAt(spec, 'containers').length === 0) out.push(fieldErrors.required(`${at}.containers`))
  const names = new Set<string>()
  out.push(...containerErrors(spec, 'containers', at, names), ...containerErrors(spec, 'initContainers', at, names))
  out.push(...resourceErrors(objectAt(spec, 'resources'), `${at}.resources`))
  out.push(...tolerationErrors(spec, at), ...spreadErrors(spec, at), ...preferenceErrors(spec, at))
  out.push(...mountErrors(spec, at, volumes), ...volumeErrors(spec, at), ...gateErrors(spec, at))
  const required = objectAt(
    objectAt(objectAt(spec, 'affinity'), 'nodeAffinity'),
    'requiredDuringSchedulingIgnoredDuringExecution',
  )
  if (required !== undefined) {
    const place = `${at}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`
    const terms = objectsAt(required, 'nodeSelectorTerms')
    if (terms.length === 0) out.push(fieldErrors.required(place, 'must have at least one node selector term'))
    out.push(...nodeSelectorErrors(terms, place))
  }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    objectsAt(objectAt(objectAt(spec, 'affinity'), kind), 'requiredDuringSchedulingIgnoredDuringExecution').forEach(
      (term, i) => {
        if ((stringAt(term, 'topologyKey') ?? '') === '') {
          out.push(
            fieldErrors.required(
              `${at}.affinity.${kind}.requiredDuringSchedulingIgnoredDuringExecution[${i}].topologyKey`,
              'can not be empty',
            ),
          )
        }
      },
    )
  }
  const restart = stringAt(spec, 'restartPolicy')
  if (restart !== undefined && !['Always', 'OnFailure', 'Never'].includes(restart))
    out.push(fieldErrors.notSupported(`${at}.restartPolicy`, restart, ['Always', 'OnFailure', 'Never']))
  if (objectsAt(spec, 'schedulingGates').length > 0 && spec['nodeName'] !== undefined)
    out.push(fieldErrors.forbidden(`${at}.nodeName`, 'cannot be set until all schedulingGates have been cleared'))
  return out
}

const PARTS_THAT_MAY_CHANGE =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** Returns an error for each immutable pod field that an update changes. */
export const podUpdateErrors = (
  draft: JsonObject,
  before: KubeObject,
  subresource: string | undefined,
): FieldError[] => {
  if (subresource === 'status' || subresource === 'binding') return []
  const old = objectAt(before, 'spec') ?? {}
  const spec = objectAt(draft, 'spec') ?? {}
  if (semanticallyEqual(old, spec)) return []
  const out: FieldError[] = []
  const oldGates = objectsAt(old, 'schedulingGates').map((gate) => gate['name'])
  const gates = objectsAt(spec, 'schedulingGates').map((gate) => gate['name'])
  if (gates.some((gate) => !oldGates.includes(gate)))
    out.push(fieldErrors.forbidden('spec.schedulingGates', 'only deletion is allowed, but found new scheduling gate'))
  const gated = oldGates.length > 0
  const stripped = (source: JsonObject): JsonObject => {
    const {
      schedulingGates: _gates,
      tolerations: _tolerations,
      activeDeadlineSeconds: _deadline,
      ephemeralContainers: _ephemeral,
      ...rest
    } = source
    for (const list of ['containers', 'initContainers']) {
      if (!Array.isArray(ownValue(rest, list))) continue
      setOwnValue(
        rest,
        list,
        objectsAt(rest, list).map(({ image: _image, ...container }) =>
          subresource === 'resize' ? { ...container, resources: {} } : container,
        ),
      )
    }
    // While a pod has a scheduling gate, an update may add scheduling constraints.
    if (gated) {
      delete rest['nodeSelector']
      delete rest['affinity']
    }
    return rest
  }
  const oldTolerations = objectsAt(old, 'tolerations')
  const tolerations = objectsAt(spec, 'tolerations')
  const kept = oldTolerations.every((one) =>
    tolerations.some((other) =>
      semanticallyEqual({ ...one, tolerationSeconds: undefined }, { ...other, tolerationSeconds: undefined }),
    ),
  )
  if (!kept)
    out.push(
      fieldErrors.forbidden('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
    )
  if (!semanticallyEqual(stripped(old), stripped(spec))) out.push(fieldErrors.forbidden('spec', PARTS_THAT_MAY_CHANGE))
  return out
}
