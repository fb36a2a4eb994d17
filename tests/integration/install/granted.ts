import { covers, type Permission, type PermissionVerb } from '@kerf/runtime'
import type { AuditedPlane, AuditedRequest } from './audited-plane.ts'
import type { Rendered } from './helm.ts'

/** One verb on one resource that a role grants to the service account. */
export interface Grant {
  readonly role: string
  readonly namespace?: string
  readonly group: string
  /** The resource with its subresource, for example `pods/status`. */
  readonly resource: string
  readonly verb: string
  readonly names?: readonly string[]
}

interface Binding extends Rendered {
  readonly roleRef: { readonly kind: string; readonly name: string }
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[]
}

const listOf = async <T>({ kubectl }: AuditedPlane, resource: string): Promise<readonly T[]> =>
  (JSON.parse(await kubectl(['get', resource, '--all-namespaces', '-o', 'json'])) as { readonly items: readonly T[] })
    .items

/** Returns the permissions from all roles that are bound to the service account. */
export const accountGrants = async (
  plane: AuditedPlane,
  account: { readonly namespace: string; readonly name: string },
): Promise<readonly Grant[]> => {
  const bindings = [
    ...(await listOf<Binding>(plane, 'clusterrolebindings')),
    ...(await listOf<Binding>(plane, 'rolebindings')),
  ].filter(({ subjects = [] }) =>
    subjects.some(
      ({ kind, name, namespace }) =>
        kind === 'ServiceAccount' && name === account.name && namespace === account.namespace,
    ),
  )
  const roles = [...(await listOf<Rendered>(plane, 'clusterroles')), ...(await listOf<Rendered>(plane, 'roles'))]
  return bindings.flatMap(({ roleRef, metadata: { namespace } }) =>
    roles
      .filter(
        (role) =>
          role.kind === roleRef.kind && role.metadata.name === roleRef.name && role.metadata.namespace === namespace,
      )
      .flatMap(({ rules = [] }) => rules)
      .flatMap(({ apiGroups, resources, verbs, resourceNames: names }) =>
        apiGroups.flatMap((group) =>
          resources.flatMap((resource) =>
            verbs.map((verb) => ({
              role: roleRef.name,
              group,
              resource,
              verb,
              ...(namespace === undefined ? {} : { namespace }),
              ...(names === undefined ? {} : { names }),
            })),
          ),
        ),
      ),
  )
}

const resourceOf = ({ objectRef }: AuditedRequest): string =>
  objectRef?.subresource === undefined ? (objectRef?.resource ?? '') : `${objectRef.resource}/${objectRef.subresource}`

const isUseOf = (grant: Grant, request: AuditedRequest): boolean =>
  request.verb === grant.verb &&
  (request.objectRef?.apiGroup ?? '') === grant.group &&
  resourceOf(request) === grant.resource &&
  (grant.namespace === undefined || grant.namespace === request.objectRef?.namespace) &&
  (grant.names === undefined || grant.names.includes(request.objectRef?.name ?? ''))

/** Returns the grants that no request used, except those whose permission states why no request uses it. */
export const unused = (
  grants: readonly Grant[],
  requests: readonly AuditedRequest[],
  permissions: readonly Permission[],
): readonly string[] =>
  grants
    .filter((grant) => !requests.some((request) => isUseOf(grant, request)))
    .filter(
      ({ group, resource, verb }) =>
        // Roles are generated from permissions, so the grant's verb is one that a permission may have.
        !permissions.some(
          (permission) =>
            permission.unseen !== undefined &&
            covers(permission, { group, resource, verb: verb as PermissionVerb }, ''),
        ),
    )
    .map(({ role, verb, resource, group }) => `${role}: ${verb} ${resource}${group === '' ? '' : `.${group}`}`)

/** Returns the requests that the API server refused because the service account lacks a permission. */
export const forbidden = (requests: readonly AuditedRequest[]): readonly string[] => [
  ...new Set(
    requests
      .filter(({ annotations }) => annotations?.['authorization.k8s.io/decision'] === 'forbid')
      .map((request) => `${request.verb} ${resourceOf(request)} ${request.objectRef?.namespace ?? ''}`.trim()),
  ),
]

/** Returns the requests that a role outside `roles` allowed, except discovery. Kerf has such permissions only by accident. */
export const allowedByOthers = (requests: readonly AuditedRequest[], roles: ReadonlySet<string>): readonly string[] => [
  ...new Set(
    requests
      .filter(({ objectRef }) => objectRef !== undefined)
      .flatMap(({ verb, objectRef, annotations }) => {
        const reason = annotations?.['authorization.k8s.io/reason'] ?? ''
        const role = /of (?:Cluster)?Role "([^"]+)"/.exec(reason)?.[1] ?? ''
        return roles.has(role) ? [] : [`${verb} ${objectRef?.resource}: ${reason}`]
      }),
  ),
]
