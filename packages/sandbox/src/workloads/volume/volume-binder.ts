import type {
  Milliseconds,
  Node,
  NodeSelector,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from '@kerf/apis'
import { kinds, ownValue } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { selectorMatches } from '../../objects/node-affinity.ts'
import { namespacedRef } from '../../objects/object-key.ts'
import { ownSource } from '../../objects/sources.ts'
import { fitsClaim, isBound, NO_PROVISIONER, SELECTED_NODE } from '../../scheduler/volumes.ts'

const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'
const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by'
const ZONE = 'topology.kubernetes.io/zone'

const PENDING_INDEX = 'sandbox.unbound'
const pendingValues = (claim: PersistentVolumeClaim): string[] => (isBound(claim) ? [] : ['yes'])

/**
 * Binds claims to volumes. If no existing volume matches a claim, provisions one, either immediately or when the scheduler has chosen a
 * node for the first pod that uses the claim. A provisioned volume belongs to one zone, like a cloud disk.
 */
export class VolumeBinder implements Controller {
  readonly name = 'volume-binder'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #provisionDelay: Milliseconds
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #volumes: Informer<PersistentVolume>
  readonly #classes: Informer<StorageClass>
  readonly #nodes: Informer<Node>
  readonly #readyAt = new Map<Key, Milliseconds>()

  constructor(context: ClusterContext, provisionDelay: Milliseconds) {
    this.#context = context
    this.#provisionDelay = provisionDelay
    this.#claims = context.informers.of(kinds.PersistentVolumeClaim)
    this.#claims.index(PENDING_INDEX, pendingValues)
    this.#volumes = context.informers.of(kinds.PersistentVolume)
    this.#classes = context.informers.of(kinds.StorageClass)
    this.#nodes = context.informers.of(kinds.Node)
    const allPending = (): Key[] => this.#claims.by(PENDING_INDEX, 'yes').map(informerKey)
    this.sources = [
      ownSource(context, kinds.PersistentVolumeClaim),
      { informer: this.#volumes, keysOf: ({ before }) => (before === undefined ? allPending() : []) },
      { informer: this.#classes, keysOf: allPending },
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const claim = this.#claims.get(key)
    if (claim === undefined || isBound(claim) || claim.metadata.deletionTimestamp !== undefined) {
      this.#readyAt.delete(key)
      return done()
    }
    try {
      return await this.#bind(key, claim)
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return retryAfter(1000)
      throw error
    }
  }

  async #bind(key: Key, claim: PersistentVolumeClaim): Promise<Outcome> {
    if (claim.spec.volumeName) {
      const named = this.#volumes.get(claim.spec.volumeName)
      if (named !== undefined) await this.#join(claim, named)
      return done()
    }
    if (claim.spec.storageClassName === undefined) return await this.#chooseClass(key)
    const storageClass = this.#classes.get(claim.spec.storageClassName)
    const waitsForConsumer = storageClass?.volumeBindingMode === 'WaitForFirstConsumer'
    const selected = claim.metadata.annotations?.[SELECTED_NODE]
    const node = selected === undefined ? undefined : this.#nodes.get(selected)
    if (waitsForConsumer && selected === undefined) {
      this.#recordEvent(
        claim,
        'Normal',
        'WaitForFirstConsumer',
        'waiting for first consumer to be created before binding',
      )
      return done()
    }
    if (waitsForConsumer && node === undefined) return await this.#refuseNode(key)
    const present = this.#matching(claim, waitsForConsumer ? node : undefined)
    if (present !== undefined) {
      await this.#join(claim, present)
      return done()
    }
    if (storageClass === undefined) {
      const name = claim.spec.storageClassName
      if (name !== '') {
        this.#recordEvent(claim, 'Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${name}" not found`)
      }
      return done()
    }
    if (storageClass.provisioner === NO_PROVISIONER) return waitsForConsumer ? await this.#refuseNode(key) : done()
    const now = this.#context.clock.now()
    const readyAt = this.#readyAt.get(key) ?? now + this.#provisionDelay
    this.#readyAt.set(key, readyAt)
    if (now < readyAt) return retryAfter(readyAt - now)
    this.#readyAt.delete(key)
    await this.#join(claim, await this.#provision(claim, storageClass, node))
    return done()
  }

  async #chooseClass(key: Key): Promise<Outcome> {
    const chosen = [...this.#classes.values()]
      .filter((one) => one.metadata.annotations?.[DEFAULT_CLASS] === 'true')
      .toSorted((a, b) => ((a.metadata.creationTimestamp ?? '') > (b.metadata.creationTimestamp ?? '') ? -1 : 1))[0]
    if (chosen === undefined) return done()
    const body = { spec: { storageClassName: chosen.metadata.name } }
    await this.#context.client.patch(kinds.PersistentVolumeClaim, namespacedRef(key), { type: 'merge', body })
    return done()
  }

  /** Removes the claim's selected node, so that the scheduler chooses another node for the pod. */
  async #refuseNode(key: Key): Promise<Outcome> {
    const body = { metadata: { annotations: { [SELECTED_NODE]: null } } }
    await this.#context.client.patch(kinds.PersistentVolumeClaim, namespacedRef(key), { type: 'merge', body })
    return done()
  }

  #matching(claim: PersistentVolumeClaim, node: Node | undefined): PersistentVolume | undefined {
    return [...this.#volumes.values()]
      .filter((volume) => {
        if (volume.metadata.deletionTimestamp !== undefined || !fitsClaim(volume, claim)) return false
        if (volume.status?.phase === 'Bound' && volume.spec.claimRef?.uid !== claim.metadata.uid) return false
        const required = volume.spec.nodeAffinity?.required
        return node === undefined || required === undefined || selectorMatches(required, node)
      })
      .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))[0]
  }

  async #provision(
    claim: PersistentVolumeClaim,
    storageClass: StorageClass,
    node: Node | undefined,
  ): Promise<PersistentVolume> {
    const required = this.#topology(storageClass, node)
    const capacity = claim.spec.resources?.requests
    const volume: PersistentVolume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name: `pvc-${claim.metadata.uid ?? ''}`,
        annotations: { [PROVISIONED_BY]: storageClass.provisioner },
      },
      spec: {
        storageClassName: storageClass.metadata.name,
        accessModes: claim.spec.accessModes ?? ['ReadWriteOnce'],
        ...(capacity === undefined ? {} : { capacity }),
        persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
        csi: { driver: storageClass.provisioner, volumeHandle: `vol-${this.#context.random.text(16)}` },
        claimRef: this.#reference(claim),
        ...(required === undefined ? {} : { nodeAffinity: { required } }),
      },
    }
    try {
      const made = await this.#context.client.create(kinds.PersistentVolume, volume)
      this.#recordEvent(
        claim,
        'Normal',
        'ProvisioningSucceeded',
        `Successfully provisioned volume ${volume.metadata.name}`,
      )
      return made
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      return await this.#context.client.get(kinds.PersistentVolume, { name: volume.metadata.name })
    }
  }

  #topology(storageClass: StorageClass, node: Node | undefined): NodeSelector | undefined {
    const allowed = storageClass.allowedTopologies?.flatMap((term) => term.matchLabelExpressions ?? [])[0]
    const key = allowed?.key ?? ZONE
    const zone =
      ownValue(node?.metadata.labels, key) ?? (node === undefined ? this.#anyZone(key, allowed?.values) : undefined)
    if (zone === undefined) return undefined
    return { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [zone] }] }] }
  }

  #anyZone(key: string, allowed: readonly string[] | undefined): string | undefined {
    const known = new Set<string>()
    for (const node of this.#nodes.values()) {
      const zone = ownValue(node.metadata.labels, key)
      if (zone !== undefined) known.add(zone)
    }
    const zones = [...(allowed ?? known)].sort()
    return zones[Math.floor(this.#context.random.next() * zones.length)]
  }

  #reference(claim: PersistentVolumeClaim) {
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      namespace: claim.metadata.namespace ?? '',
      name: claim.metadata.name,
      uid: claim.metadata.uid ?? '',
    }
  }

  async #join(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const { client } = this.#context
    const name = volume.metadata.name
    if (volume.spec.claimRef?.uid !== claim.metadata.uid) {
      const body = { spec: { claimRef: this.#reference(claim) } }
      await client.patch(kinds.PersistentVolume, { name }, { type: 'merge', body })
    }
    if (volume.status?.phase !== 'Bound') {
      const body = { status: { phase: 'Bound' } }
      await client.patch(kinds.PersistentVolume, { name }, { type: 'merge', body }, { subresource: 'status' })
    }
    const ref = namespacedRef(informerKey(claim))
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' }
    const body = { metadata: { annotations }, spec: { volumeName: name } }
    await client.patch(kinds.PersistentVolumeClaim, ref, { type: 'merge', body })
    const { capacity, accessModes } = volume.spec
    const status = { phase: 'Bound', capacity, accessModes }
    await client.patch(kinds.PersistentVolumeClaim, ref, { type: 'merge', body: { status } }, { subresource: 'status' })
  }

  #recordEvent(object: PersistentVolumeClaim, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.events.publish({ object, type, reason, message })
  }
}
