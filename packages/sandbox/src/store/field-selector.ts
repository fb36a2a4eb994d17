import type { KubeObject } from '@kerf/apis'
import { ownValue, plainText } from '@kerf/apis'
import { isObject } from './json.ts'
import { statusErrors } from './status-errors.ts'

/** Returns whether the fields of an object match. */
export type FieldMatch = (object: KubeObject) => boolean

/** Returns the value at a dotted path in the server's format: `''` if the field is absent, and `true` or `false` for a boolean. */
const fieldValue = (object: unknown, path: readonly string[]): string => {
  let value: unknown = object
  for (const step of path) value = isObject(value) ? ownValue(value, step) : undefined
  return value === undefined || value === null ? '' : plainText(value)
}

/** Fields that selectors may use in addition to name and namespace, by `group/plural`. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  '/pods': [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  '/nodes': ['spec.unschedulable'],
  '/namespaces': ['status.phase'],
  '/events': [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'events.k8s.io/events': [
    'regarding.kind',
    'regarding.namespace',
    'regarding.name',
    'regarding.uid',
    'regarding.apiVersion',
    'reason',
    'reportingController',
    'type',
  ],
  '/secrets': ['type'],
  '/services': ['spec.clusterIP', 'spec.type'],
  '/replicationcontrollers': ['status.replicas'],
  'apps/replicasets': ['status.replicas'],
  'batch/jobs': ['status.successful'],
  'resource.k8s.io/resourceslices': ['spec.nodeName', 'spec.driver'],
}

/** Returns the field labels that selectors of a resource may use. `extra` contains the selectable fields of a custom resource. */
export const selectableFields = (group: string, plural: string, extra: readonly string[] = []): ReadonlySet<string> =>
  new Set(['metadata.name', 'metadata.namespace', ...(ownValue(selectable, `${group}/${plural}`) ?? []), ...extra])

const special: Readonly<Record<string, (object: KubeObject) => string>> = {
  'spec.unschedulable': (object) => fieldValue(object, ['spec', 'unschedulable']) || 'false',
  'spec.hostNetwork': (object) => fieldValue(object, ['spec', 'hostNetwork']) || 'false',
  'status.successful': (object) => fieldValue(object, ['status', 'succeeded']) || '0',
  source: (object) => fieldValue(object, ['source', 'component']) || fieldValue(object, ['reportingComponent']),
}

/** Parses a selector such as `spec.nodeName=a,status.phase!=Failed`. Throws 400 if it uses a label that the resource does not support. */
export const parseFieldSelector = (text: string | undefined, allowed: ReadonlySet<string>): FieldMatch | undefined => {
  if (text === undefined || text.trim() === '') return undefined
  const terms = text.split(/(?<!\\),/).map((term) => {
    const parsed = /^([^=!]+)(==|=|!=)(.*)$/.exec(term.trim())
    if (parsed === null) throw statusErrors.badRequest(`invalid selector: '${text}'; can't understand '${term}'`)
    const [, label = '', operator, raw = ''] = parsed
    if (!allowed.has(label)) {
      throw statusErrors.badRequest(`field label not supported: ${label}`)
    }
    const value = raw.replace(/\\([\\,=])/g, '$1')
    const path = label.split('.')
    const read = ownValue(special, label) ?? ((object: KubeObject) => fieldValue(object, path))
    return operator === '!='
      ? (object: KubeObject) => read(object) !== value
      : (object: KubeObject) => read(object) === value
  })
  return (object) => terms.every((term) => term(object))
}
