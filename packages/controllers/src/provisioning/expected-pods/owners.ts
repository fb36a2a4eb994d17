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
  /** When Kerf last saw a change of the template, in milliseconds since 1970. 0 if it saw none. */
  readonly templateSince: Milliseconds
}

/** An event of an owner. `changed` includes changes of its pods and of the quotas of its namespace. */
export type OwnerEvent = 'changed' | 'deleted' | 'pod-created'

/** Called with the UID of an owner. */
export type OwnerListener = (uid: string, event: OwnerEvent) => void

/**
 * Holds the objects that create pods, and finds their pods. Lists and watches only those resource kinds for which Kerf has the permission.
 * Of other kinds it holds no objects.
 */
export class Owners {
  readonly #clock: Clock
  readonly #pods: Informer<Pod>
  readonly #quotas: Informer<ResourceQuota>
  readonly #kinds: ReadonlyMap<PodOwnerKind, Informer<PodOwner>>
  readonly #byUid = new Map<string, Owner>()
  /** The UIDs of the owners of a namespace. */
  readonly #byNamespace = new Map<string, Set<string>>()

  constructor({ clock, informers }: { readonly clock: Clock; readonly informers: InformerFactory }) {
    this.#clock = clock
    this.#pods = informers.of(kinds.Pod)
    this.#pods.index(BY_CONTROLLER, controllerUid)
    this.#quotas = informers.optional(kinds.ResourceQuota)
    this.#quotas.index(BY_NAMESPACE, (quota) => [objectNamespace(quota)])
    this.#kinds = new Map(podOwnerKinds.map((kind) => [kind, informers.optional(kind.kind)]))
  }

  /** Follows the changes of the informers until the returned function is called. */
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

  /** Returns the kinds of owners that have not been listed yet, and that the API server has not refused to list. */
  unlisted(): readonly ResourceKind[] {
    return [...this.#kinds].filter(([, { hasSynced, isRefused }]) => !hasSynced && !isRefused).map(([{ kind }]) => kind)
  }

  /** Returns the resource kinds that the API server refuses to list or watch: kinds of owners, and ResourceQuota. */
  refused(): readonly ResourceKind[] {
    const owners = [...this.#kinds].filter(([, { isRefused }]) => isRefused).map(([{ kind }]) => kind)
    return this.#quotas.isRefused ? [...owners, kinds.ResourceQuota] : owners
  }

  /** Calls the listener after each change of what `refused` returns. Returns a function that removes the listener. */
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
    // After a refusal, the objects in memory may be out of date.
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
 * Returns whether an edit may have changed the template. The informer keeps no templates, so every edit except a change of `replicas`
 * counts as a change of the template.
 */
const isTemplateEdit = (before: PodOwner, after: PodOwner): boolean =>
  before.metadata.generation !== after.metadata.generation && before.spec.replicas === after.spec.replicas

/** Returns why Kerf cannot plan copies of the template ahead, or undefined if it can. */
const unplannable = ({ spec }: Pod, owner: PodOwner): Demand | undefined => {
  const template = 'template' in owner.spec ? (owner.spec.template as { readonly spec?: Pod['spec'] }) : undefined
  if ((spec.schedulingGates?.length ?? 0) > 0 || (template?.spec?.schedulingGates?.length ?? 0) > 0) {
    return noDemand('scheduling-gates')
  }
  if ((spec.schedulerName ?? DEFAULT_SCHEDULER) !== DEFAULT_SCHEDULER) return noDemand('other-scheduler')
  if (spec.schedulingGroup !== undefined || spec.workloadRef !== undefined) return noDemand('other-scheduler')
  return (spec.resourceClaims?.length ?? 0) > 0 ? noDemand('devices') : undefined
}
