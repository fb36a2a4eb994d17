import { isObject, type JsonObject, objectAt, objectsAt, stringAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'
import { subdomainProblems } from './metadata.ts'

const RBAC = 'rbac.authorization.k8s.io'

/** Returns an error for each invalid subject of a RoleBinding or ClusterRoleBinding. */
export const subjectErrors = (binding: JsonObject, isNamespaced: boolean): FieldError[] =>
  objectsAt(binding, 'subjects').flatMap((subject, i) => {
    const at = `subjects[${i}]`
    const group = stringAt(subject, 'apiGroup') ?? ''
    const kind = stringAt(subject, 'kind') ?? ''
    const out: FieldError[] = (stringAt(subject, 'name') ?? '') === '' ? [fieldErrors.required(`${at}.name`)] : []
    switch (kind) {
      case 'ServiceAccount':
        if (group !== '') out.push(fieldErrors.notSupported(`${at}.apiGroup`, group, ['']))
        if (!isNamespaced && (stringAt(subject, 'namespace') ?? '') === '')
          out.push(fieldErrors.required(`${at}.namespace`))
        return out
      case 'User':
      case 'Group':
        return group === RBAC ? out : [...out, fieldErrors.notSupported(`${at}.apiGroup`, group, [RBAC])]
      default:
        return [...out, fieldErrors.notSupported(`${at}.kind`, kind, ['ServiceAccount', 'User', 'Group'])]
    }
  })

const WILDCARD = /^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const hostErrors = (host: unknown, at: string): FieldError[] => {
  if (typeof host !== 'string' || host === '') return []
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host) || host.includes(':'))
    return [fieldErrors.invalid(at, host, 'must be a DNS name, not an IP address')]
  if (host.includes('*')) return WILDCARD.test(host) ? [] : [fieldErrors.invalid(at, host, wildcardText)]
  return subdomainProblems(host).map((problem) => fieldErrors.invalid(at, host, problem))
}

/** Returns an error for each invalid host or secret name of an Ingress. */
export const ingressErrors = (ingress: JsonObject): FieldError[] => {
  const spec = objectAt(ingress, 'spec')
  const rules = objectsAt(spec, 'rules')
  return [
    ...(rules.length === 0 && !isObject(spec?.['defaultBackend'])
      ? [fieldErrors.invalid('spec', [], 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...rules.flatMap(({ host }, i) => hostErrors(host, `spec.rules[${i}].host`)),
    ...objectsAt(spec, 'tls').flatMap((tls, i) => {
      const hosts = Array.isArray(tls['hosts']) ? tls['hosts'] : []
      const secret = stringAt(tls, 'secretName') ?? ''
      return [
        ...hosts.flatMap((host, h) => hostErrors(host, `spec.tls[${i}].hosts[${h}]`)),
        ...(secret === '' ? [] : subdomainProblems(secret)).map((problem) =>
          fieldErrors.invalid(`spec.tls[${i}].secretName`, secret, problem),
        ),
      ]
    }),
  ]
}
