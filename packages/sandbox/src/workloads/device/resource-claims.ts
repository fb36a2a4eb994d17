import { isActive, isTerminal, kinds, type Pod, type ResourceClaim, type ResourceClaimTemplate } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retry,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { namespacedRef } from '../../objects/object-key.ts'
import { controllerReference } from '../../objects/ownership.ts'

const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name'

/**
 * Creates ResourceClaims from the templates of pods, and writes their names to the pods' status. Deletes these ResourceClaims together with
 * the pod. Removes deleted and finished pods from `reservedFor`. Releases a claim's devices when no pod reserves the claim.
 */
export class ResourceClaims implements Controller {
  readonly name = 'resource-claim'
  readonly concurrency = 1
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #pods: Informer<Pod>
  readonly #claims: Informer<ResourceClaim>
  readonly #templates: Informer<ResourceClaimTemplate>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#pods = context.informers.of(kinds.Pod)
    this.#claims = context.informers.of(kinds.ResourceClaim)
    this.#templates = context.informers.of(kinds.ResourceClaimTemplate)
    this.sources = [
      source(this.#pods, ({ before, after }) => {
        const pod = after ?? before
        if (pod?.spec.resourceClaims === undefined) return []
        if (after !== undefined && before !== undefined && isTerminal(before) === isTerminal(after)) return []
        return [`pod/${informerKey(pod)}`]
      }),
      source(this.#claims, ({ after }) =>
        after !== undefined && (after.status?.reservedFor ?? []).length > 0 ? [`claim/${informerKey(after)}`] : [],
      ),
      source(this.#templates, ({ before, after }) =>
        before === undefined && after !== undefined ? this.#waitingFor(after) : [],
      ),
    ]
  }

  #waitingFor({ metadata }: ResourceClaimTemplate): Key[] {
    return [...this.#pods.values()]
      .filter(
        (pod) =>
          pod.metadata.namespace === metadata.namespace &&
          pod.spec.resourceClaims?.some((each) => each.resourceClaimTemplateName === metadata.name) === true,
      )
      .map((pod) => `pod/${informerKey(pod)}`)
  }

  async reconcile(key: Key): Promise<Outcome> {
    const slash = key.indexOf('/')
    const name = key.slice(slash + 1)
    try {
      if (key.startsWith('claim/')) await this.#release(name)
      else await this.#serve(name)
    } catch (error) {
      if (isConflict(error)) return retry()
      if (!isNotFound(error)) throw error
    }
    return done()
  }

  async #serve(key: Key): Promise<void> {
    const pod = this.#pods.get(key)
    if (pod === undefined || !isActive(pod)) {
      for (const claim of this.#claims.values()) {
        if ((claim.status?.reservedFor ?? []).length > 0) await this.#release(informerKey(claim))
      }
      return
    }
    const { client } = this.#context
    const known = new Map((pod.status?.resourceClaimStatuses ?? []).map((each) => [each.name, each]))
    let isNew = false
    for (const { name, resourceClaimTemplateName } of pod.spec.resourceClaims ?? []) {
      if (resourceClaimTemplateName === undefined || known.has(name)) continue
      const template = this.#templates.get(`${pod.metadata.namespace}/${resourceClaimTemplateName}`)
      if (template === undefined) continue
      const { metadata, spec } = template.spec
      const made = [...this.#claims.values()].find(
        (claim) =>
          claim.metadata.annotations?.[POD_CLAIM_NAME] === name &&
          claim.metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid) === true,
      )
      const claim =
        made ??
        (await client.create(kinds.ResourceClaim, {
          apiVersion: 'resource.k8s.io/v1',
          kind: 'ResourceClaim',
          metadata: {
            generateName: `${pod.metadata.name}-${name}-`,
            namespace: pod.metadata.namespace ?? '',
            ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
            annotations: { ...metadata?.annotations, [POD_CLAIM_NAME]: name },
            ownerReferences: [controllerReference(kinds.Pod, pod)],
          },
          spec,
        }))
      known.set(name, {
        name,
        ...(claim.metadata.name === undefined ? {} : { resourceClaimName: claim.metadata.name }),
      })
      isNew = true
    }
    if (!isNew) return
    const body = { metadata: { uid: pod.metadata.uid }, status: { resourceClaimStatuses: [...known.values()] } }
    await client.patch(kinds.Pod, namespacedRef(key), { type: 'merge', body }, { subresource: 'status' })
  }

  async #release(key: Key): Promise<void> {
    const claim = this.#claims.get(key)
    const reserved = claim?.status?.reservedFor ?? []
    if (claim === undefined || reserved.length === 0) return
    const kept = reserved.filter(({ resource, name, uid }) => {
      if (resource !== 'pods') return true
      const pod = this.#pods.get(`${claim.metadata.namespace}/${name}`)
      return pod !== undefined && pod.metadata.uid === uid && !isTerminal(pod)
    })
    if (kept.length === reserved.length) return
    const { resourceVersion } = claim.metadata
    const status = kept.length === 0 ? { reservedFor: null, allocation: null } : { reservedFor: kept }
    await this.#context.client.patch(
      kinds.ResourceClaim,
      parseKey(key),
      { type: 'merge', body: { metadata: { resourceVersion }, status } },
      { subresource: 'status' },
    )
  }
}
