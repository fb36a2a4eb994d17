import type { ObjectMeta } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { Resource } from '../resources/resource.ts'
import { isObject, type JsonObject, objectsAt, semanticallyEqual } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'

/** Finalizers that are valid without a slash because Kubernetes itself defines them. The last one is for CRDs that are being deleted. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  'orphan',
  'foregroundDeletion',
  'kubernetes',
  'customresourcecleanup.apiextensions.k8s.io',
])

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const NAME_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const namePartText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const labelValueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

type NamedResource = Pick<Resource, 'group' | 'plural' | 'custom'>

/** Kinds whose names must be DNS labels. */
const labelNamed = new Set(['/namespaces', '/services'])
/** Kinds whose names may be any valid path segment. */
const pathNamed = new Set([
  'rbac.authorization.k8s.io/roles',
  'rbac.authorization.k8s.io/clusterroles',
  'rbac.authorization.k8s.io/rolebindings',
  'rbac.authorization.k8s.io/clusterrolebindings',
])

/** Checks that a name is a DNS subdomain. Returns the error messages. */
export const subdomainProblems = (name: string): string[] => [
  ...(name.length > 253 ? ['must be no more than 253 bytes'] : []),
  ...(SUBDOMAIN.test(name) ? [] : [subdomainText]),
]

/** Checks a label key or another qualified name. Returns the error messages. */
export const qualifiedNameProblems = (key: string): string[] => {
  const parts = key.split('/')
  if (parts.length > 2)
    return [
      `a valid label key ${namePartText.replace('name part ', '')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined
  const out: string[] = []
  if (prefix !== undefined) {
    if (prefix === '') out.push('prefix part must be non-empty')
    else for (const problem of subdomainProblems(prefix)) out.push(`prefix part ${problem}`)
  }
  if (name === '') out.push('name part must be non-empty')
  else if (name.length > 63) out.push('name part must be no more than 63 bytes')
  if (!NAME_PART.test(name)) out.push(namePartText)
  return out
}

/** Checks the labels of an object or of a template. */
export const labelErrors = (labels: unknown, field: string): FieldError[] => {
  if (!isObject(labels)) return []
  const out: FieldError[] = []
  for (const [key, value] of Object.entries(labels)) {
    for (const problem of qualifiedNameProblems(key)) out.push(fieldErrors.invalid(field, key, problem))
    if (typeof value !== 'string') continue
    if (value.length > 63) out.push(fieldErrors.invalid(field, value, 'must be no more than 63 bytes'))
    else if (!LABEL_VALUE.test(value)) out.push(fieldErrors.invalid(field, value, labelValueText))
  }
  return out
}

const nameErrors = (resource: NamedResource, name: string): FieldError[] => {
  const id = `${resource.group}/${resource.plural}`
  const at = 'metadata.name'
  if (labelNamed.has(id)) {
    if (name.length > 63) return [fieldErrors.invalid(at, name, 'must be no more than 63 bytes')]
    return LABEL.test(name) ? [] : [fieldErrors.invalid(at, name, labelText)]
  }
  if (pathNamed.has(id))
    return /^\.{1,2}$|[/%]/.test(name)
      ? [fieldErrors.invalid(at, name, "may not contain '/' or '%', or be '.' or '..'")]
      : []
  return subdomainProblems(name).map((problem) => fieldErrors.invalid(at, name, problem))
}

/** Checks the metadata rules that apply to every kind. `before` is the stored object if this is an update. */
export const validateMetadata = (resource: NamedResource, metadata: JsonObject, before?: ObjectMeta): FieldError[] => {
  const out: FieldError[] = []
  if (before === undefined) out.push(...nameErrors(resource, String(metadata['name'] ?? '')))
  out.push(...labelErrors(metadata['labels'], 'metadata.labels'))
  if (isObject(metadata['annotations'])) {
    let size = 0
    for (const [key, value] of Object.entries(metadata['annotations'])) {
      for (const problem of qualifiedNameProblems(key.toLowerCase()))
        out.push(fieldErrors.invalid('metadata.annotations', key, problem))
      size += key.length + String(value).length
    }
    if (size > 262_144)
      out.push({
        field: 'metadata.annotations',
        reason: 'FieldValueTooLong',
        message: 'Too long: may not be more than 262144 bytes',
      })
  }
  const finalizers = Array.isArray(metadata['finalizers']) ? metadata['finalizers'] : []
  finalizers.forEach((finalizer, i) => {
    const problems = qualifiedNameProblems(String(finalizer))
    for (const problem of problems) out.push(fieldErrors.invalid(`metadata.finalizers[${i}]`, finalizer, problem))
    // For custom resources, the API server requires only a qualified name.
    const isPlain = !String(finalizer).includes('/') && !STANDARD_FINALIZERS.has(String(finalizer))
    if (problems.length === 0 && isPlain && resource.custom === undefined) {
      out.push(
        fieldErrors.invalid(
          `metadata.finalizers[${i}]`,
          finalizer,
          'name is neither a standard finalizer name nor is it fully qualified',
        ),
      )
    }
  })
  if (before?.deletionTimestamp !== undefined) {
    const added = finalizers.filter((finalizer) => !(before.finalizers ?? []).includes(String(finalizer)))
    if (added.length > 0) {
      const list = added.map((finalizer) => `"${String(finalizer)}"`).join(', ')
      out.push(
        fieldErrors.forbidden(
          'metadata.finalizers',
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        ),
      )
    }
  }
  out.push(...ownerErrors(metadata, before))
  return out
}

const ownerErrors = (metadata: JsonObject, before?: ObjectMeta): FieldError[] => {
  if (before !== undefined && semanticallyEqual(before.ownerReferences, metadata['ownerReferences'])) return []
  const out: FieldError[] = []
  const owners = objectsAt(metadata, 'ownerReferences')
  owners.forEach((owner) => {
    for (const key of ['apiVersion', 'kind', 'name', 'uid']) {
      if (ownValue(owner, key) === undefined || ownValue(owner, key) === '') {
        out.push(
          fieldErrors.invalid(
            `metadata.ownerReferences.${key}`,
            '',
            key === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
          ),
        )
      }
    }
  })
  if (owners.filter((owner) => owner['controller'] === true).length > 1) {
    out.push(
      fieldErrors.invalid('metadata.ownerReferences', owners, 'Only one reference can have Controller set to true.'),
    )
  }
  return out
}
