import {
  controllerOwner,
  type KubeObject,
  kinds,
  type Milliseconds,
  type Pod,
  type ResourceKind,
  type ResourceQuota,
} from '@kerf/apis'
import type { Change, Clock, Informer, InformerFactory } from '@kerf/runtime'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import { type Demand, noDemand } from './demand.ts'
import { type PodOwner, type PodOwnerKind, podOwnerKinds } from './pod-owners.ts'

const BY_CONTROLLER = 'controller'
const BY_NAMESPACE = 'namespace'
const DEFAULT_SCHEDULER = 'default-scheduler'

const controllerUid = (pod: Pod): readonly string[] => {
  const uid = controllerOwner(pod)?.uid
  return uid === undefined ? [] : [uid]
}
const objectNamespace = ({ metadata }: KubeObject): string => metadata.namespace ?? 'default'

/** An object that creates pods, such as a ReplicaSet. */
export interface Owner {
  readonly uid: string
  readonly kind: PodOwnerKind
  readonly object: PodOwner
  /** When Kerf last saw a change of the template, as a Unix time in milliseconds. 0 if Kerf saw none. */
  readonly templateSince: Milliseconds
}

/** An event about an owner. `changed` includes changes of its pods and of the quotas in its namespace. */
export type OwnerEvent = 'changed' | 'deleted' | 'pod-created'

/** A listener for events about owners. `uid` is the UID of the owner. */
export type OwnerListener = (uid: string, event: OwnerEvent) => void

/**
 * Provides the objects that create pods, and their pods. Lists and watches only the resource kinds for which Kerf has the permission. For
 * other kinds, it has no objects.
 */
export class Owners {
  readonly #clock: Clock
  readonly #pods: Informer<Pod>
  readonly #quotas: Informer<ResourceQuota>
  readonly #kinds: ReadonlyMap<PodOwnerKind, Informer<PodOwner>>
  readonly #byUid = new Map<string, Owner>()
  /** The UIDs of the owners in each namespace. */
  readonly #byNamespace = new Map<string, Set<string>>()

  constructor({ clock, informers }: { readonly clock: Clock; readonly informers: InformerFactory }) {
    this.#clock = clock
    this.#pods = informers.of(kinds.Pod)
    this.#pods.index(BY_CONTROLLER, controllerUid)
    this.#quotas = informers.optional(kinds.ResourceQuota)
    this.#quotas.index(BY_NAMESPACE, (quota) => [objectNamespace(quota)])
    this.#kinds = new Map(podOwnerKinds.map((kind) => [kind, informers.optional(kind.kind)]))
  }

  /** Reports changes from the informers to `listener`. Returns a function that stops this. */
  follow(listener: OwnerListener): () => void {
    const stops = [
      ...Array.from(this.#kinds, ([kind, informer]) =>
        informer.onChange((change) => this.#onOwner(kind, change, listener)),
      ),
      ...Array.from(this.#kinds, ([kind, informer]) =>
        informer.onRefusal(() => {
          for (const owner of this.#byUid.values()) if (owner.kind === kind) listener(owner.uid, 'changed')
        }),
      ),
      this.#pods.onChange(({ before, after }) => {
        for (const pod of [after, before]) {
          const [uid] = pod === undefined ? [] : (ifReadable(() => controllerUid(pod)) ?? [])
          if (uid === undefined || !this.#byUid.has(uid)) continue
          listener(uid, before === undefined ? 'pod-created' : 'changed')
          return
        }
      }),
      this.#quotas.onChange(({ before, after }) => {
        const quota = after ?? before
        if (quota === undefined) return
        for (const uid of this.#byNamespace.get(objectNamespace(quota)) ?? []) listener(uid, 'changed')
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  /** Returns the owner kinds that have not been listed yet although the API server has not refused this. */
  unlisted(): readonly ResourceKind[] {
    return [...this.#kinds].filter(([, { hasSynced, isRefused }]) => !hasSynced && !isRefused).map(([{ kind }]) => kind)
  }

  /** Returns the resource kinds that the API server does not allow Kerf to list or watch: owner kinds, and ResourceQuota. */
  refused(): readonly ResourceKind[] {
    const owners = [...this.#kinds].filter(([, { isRefused }]) => isRefused).map(([{ kind }]) => kind)
    return this.#quotas.isRefused ? [...owners, kinds.ResourceQuota] : owners
  }

  /** Calls the listener when the result of `refused` changes. Returns a function that unsubscribes it. */
  onRefusal(listener: () => void): () => void {
    const stops = [...this.#kinds.values(), this.#quotas].map((informer) => informer.onRefusal(listener))
    return () => {
      for (const stop of stops) stop()
    }
  }

  get(uid: string): Owner | undefined {
    return this.#byUid.get(uid)
  }

  /** Returns the UIDs of the owners in a namespace. */
  inNamespace(namespace: string): Iterable<string> {
    return this.#byNamespace.get(namespace) ?? []
  }

  /** Returns the quotas of a namespace. */
  quotas(namespace: string): readonly ResourceQuota[] {
    return this.#quotas.by(BY_NAMESPACE, namespace)
  }

  /** Returns the pods that an owner has not created yet. */
  demand({ kind, object, templateSince, uid }: Owner): Demand {
    // After a refusal, the objects in memory may be outdated.
    if (this.#kinds.get(kind)?.isRefused === true) return noDemand('not-permitted')
    const demand = kind.demand(object, this.#pods.by(BY_CONTROLLER, uid), templateSince)
    return demand.kind === 'none' ? demand : (unplannable(demand.template, object) ?? demand)
  }

  #onOwner(kind: PodOwnerKind, { before, after }: Change<PodOwner>, listener: OwnerListener): void {
    const uid = (after ?? before)?.metadata.uid
    if (uid === undefined) return
    if (before !== undefined && before.metadata.uid !== after?.metadata.uid) this.#remove(before, listener)
    if (after === undefined) return
    const known = this.#byUid.get(uid)
    const isEdited = before !== undefined && known !== undefined && isTemplateEdit(before, after)
    const templateSince = isEdited ? this.#clock.now() : (known?.templateSince ?? 0)
    this.#byUid.set(uid, { uid, kind, object: after, templateSince })
    const namespace = objectNamespace(after)
    const others = this.#byNamespace.get(namespace)
    if (others === undefined) this.#byNamespace.set(namespace, new Set([uid]))
    else others.add(uid)
    listener(uid, 'changed')
  }

  #remove(owner: PodOwner, listener: OwnerListener): void {
    const { uid = '' } = owner.metadata
    this.#byUid.delete(uid)
    const namespace = objectNamespace(owner)
    const others = this.#byNamespace.get(namespace)
    others?.delete(uid)
    if (others?.size === 0) this.#byNamespace.delete(namespace)
    listener(uid, 'deleted')
  }
}

/**
 * Returns whether an edit may have changed the template. The informer does not store templates, so every edit except a change of `replicas`
 * counts as a change of the template.
 */
const isTemplateEdit = (before: PodOwner, after: PodOwner): boolean =>
  before.metadata.generation !== after.metadata.generation && before.spec.replicas === after.spec.replicas

/** Returns the reason why Kerf cannot plan copies of the template, or undefined if it can. */
const unplannable = ({ spec }: Pod, owner: PodOwner): Demand | undefined => {
  const template = 'template' in owner.spec ? (owner.spec.template as { readonly spec?: Pod['spec'] }) : undefined
  if ((spec.schedulingGates?.length ?? 0) > 0 || (template?.spec?.schedulingGates?.length ?? 0) > 0) {
    return noDemand('scheduling-gates')
  }
  if ((spec.schedulerName ?? DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER) return noDemand('other-scheduler')
  if (spec.schedulingGroup !== undefined || spec.workloadRef !== undefined) return noDemand('other-scheduler')
  return (spec.resourceClaims?.length ?? 0) > 0 ? noDemand('devices') : undefined
}
