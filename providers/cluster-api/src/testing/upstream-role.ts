import type { KubeClient } from '@kerf/runtime'
import { ApiError } from '@kerf/runtime'
import { wrappedClient } from '../management/wrapped-client.ts'
import { CLUSTER_API_GROUP } from '../names.ts'

/** The permissions of a role in the group cluster.x-k8s.io. */
export type RoleOf = (verb: string, resource: string) => boolean

/** The ClusterRole of upstream's chart at 2e0fec7. */
export const upstreamRole: RoleOf = (verb, resource) =>
  ['machines', 'machinedeployments'].includes(resource) && ['get', 'list', 'watch', 'update'].includes(verb)

/**
 * Returns a client whose SelfSubjectAccessReviews are answered according to the role, or by the API server if there is no role.
 */
export const withReviews = (client: KubeClient, role: () => RoleOf | undefined): KubeClient => ({
  ...client,
  create: async (kind, object, options) => {
    const allows = role()
    if (kind.kind !== 'SelfSubjectAccessReview' || allows === undefined)
      return await client.create(kind, object, options)
    const { spec } = object as unknown as { spec: { resourceAttributes: { verb: string; resource: string } } }
    const { verb, resource } = spec.resourceAttributes
    return { ...object, status: { allowed: allows(verb, resource) } } as never
  },
})

export const forbidden = (verb: string, resource: string): ApiError =>
  new ApiError({ code: 403, reason: 'Forbidden', message: `User "kerf" cannot ${verb} resource "${resource}"` })

/** Returns a client to which the API server grants only the role's permissions for Cluster API's kinds. */
export const underRole = (client: KubeClient, role: RoleOf): KubeClient => {
  const check = (subject: { readonly verb: string; readonly kind: { group: string; plural: string } } | undefined) => {
    if (subject === undefined || subject.kind.group !== CLUSTER_API_GROUP) return
    if (!role(subject.verb, subject.kind.plural)) throw forbidden(subject.verb, subject.kind.plural)
  }
  const limited = wrappedClient({
    call: async (send, subject) => {
      check(subject)
      return await send(client)
    },
    watch: async function* (open, subject) {
      check(subject)
      yield* open(client)
    },
  })
  return withReviews(limited, () => role)
}
