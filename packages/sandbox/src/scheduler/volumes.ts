import type { CSINode, Node, PersistentVolume, PersistentVolumeClaim, StorageClass } from '@kerf/apis'
import { kinds, ownValue } from '@kerf/apis'
import type { Informer, InformerFactory } from '@kerf/runtime'
import { selectorMatches } from '../objects/node-affinity.ts'
import type { NodeRow, VolumeUse } from './node-table.ts'
import type { PodClass } from './pod-class.ts'

export const NO_PROVISIONER = 'kubernetes.io/no-provisioner'
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node'

/** The result of checking the claims of a pod class: either a reason that excludes every node, or a check for each node. */
export type VolumeCheck =
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'per-node'
      /** Claims that are provisioned after a node is chosen. */
      readonly unbound: readonly PersistentVolumeClaim[]
      readonly uses: readonly VolumeUse[]
      /** Returns the reason why the node is excluded, or `undefined` if it is not. */
      readonly against: (row: NodeRow) => string | undefined
    }

const MISSING_VOLUME = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'
const WRONG_NODE = "node(s) didn't match PersistentVolume's node affinity"
const NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind"
const TOO_MANY = 'node(s) exceed max volume count'

/** Returns whether the storage class can provision a volume in the node's topology. */
const topologyAllows = (storageClass: StorageClass, node: Node): boolean => {
  const terms = storageClass.allowedTopologies ?? []
  const labels = node.metadata.labels ?? {}
  return (
    terms.length === 0 ||
    terms.some((term) =>
      (term.matchLabelExpressions ?? []).every((one) => one.values.includes(ownValue(labels, one.key) ?? '\u0000')),
    )
  )
}

/** Returns whether the volume is unclaimed and satisfies the claim. */
export const fitsClaim = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => {
  const holder = volume.spec.claimRef
  const { name, namespace } = claim.metadata
  if (holder !== undefined && (holder.name !== name || holder.namespace !== namespace)) return false
  if ((volume.spec.storageClassName ?? '') !== (claim.spec.storageClassName ?? '')) return false
  return (claim.spec.accessModes ?? []).every((mode) => (volume.spec.accessModes ?? []).includes(mode))
}

export const isBound = (claim: PersistentVolumeClaim): boolean =>
  Boolean(claim.spec.volumeName) && claim.status?.phase === 'Bound'

/** Determines which nodes a pod's volumes allow, based on the informers. */
export class Volumes {
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #volumes: Informer<PersistentVolume>
  readonly #classes: Informer<StorageClass>
  readonly #csiNodes: Informer<CSINode>

  constructor(informers: InformerFactory) {
    this.#claims = informers.of(kinds.PersistentVolumeClaim)
    this.#volumes = informers.of(kinds.PersistentVolume)
    this.#classes = informers.of(kinds.StorageClass)
    this.#csiNodes = informers.of(kinds.CSINode)
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.get(`${namespace}/${name}`)
  }

  /** Returns the volumes of a pod that count towards the limits of its node. */
  uses(podClass: PodClass): VolumeUse[] {
    const uses: VolumeUse[] = []
    for (const { name } of podClass.claims) {
      const claim = this.claim(podClass.namespace, name)
      const use = claim === undefined ? undefined : this.#useOf(claim)
      if (use !== undefined) uses.push(use)
    }
    return uses
  }

  check(podClass: PodClass): VolumeCheck {
    const volumes: PersistentVolume[] = []
    const unbound: PersistentVolumeClaim[] = []
    let missingVolume = false
    for (const { name, ephemeral } of podClass.claims) {
      const claim = this.claim(podClass.namespace, name)
      if (claim === undefined) {
        const message = ephemeral
          ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
          : `persistentvolumeclaim "${name}" not found`
        return { kind: 'refused', message }
      }
      if (claim.metadata.deletionTimestamp !== undefined) {
        return { kind: 'refused', message: `persistentvolumeclaim "${name}" is being deleted` }
      }
      if (isBound(claim)) {
        const volume = this.#volumes.get(claim.spec.volumeName ?? '')
        if (volume === undefined) missingVolume = true
        else volumes.push(volume)
        continue
      }
      const mode = this.#classes.get(claim.spec.storageClassName ?? '')?.volumeBindingMode ?? 'Immediate'
      if (mode === 'Immediate') {
        return { kind: 'refused', message: 'pod has unbound immediate PersistentVolumeClaims' }
      }
      unbound.push(claim)
    }
    const uses = this.uses(podClass)
    return {
      kind: 'per-node',
      unbound,
      uses,
      against: (row) => this.#against(row, volumes, unbound, uses, missingVolume),
    }
  }

  #against(
    row: NodeRow,
    volumes: readonly PersistentVolume[],
    unbound: readonly PersistentVolumeClaim[],
    uses: readonly VolumeUse[],
    missingVolume: boolean,
  ): string | undefined {
    const node = row.node
    if (node === undefined) return WRONG_NODE
    if (this.#overLimit(row, uses)) return TOO_MANY
    if (missingVolume) return MISSING_VOLUME
    for (const volume of volumes) {
      const required = volume.spec.nodeAffinity?.required
      if (required !== undefined && !selectorMatches(required, node)) return WRONG_NODE
    }
    return unbound.every((claim) => this.#canBind(claim, node)) ? undefined : NOTHING_TO_BIND
  }

  #canBind(claim: PersistentVolumeClaim, node: Node): boolean {
    const selected = claim.metadata.annotations?.[SELECTED_NODE]
    // The volume is being provisioned for another node. Until it exists, pods can use the claim only on that node.
    if (selected !== undefined && selected !== node.metadata.name) return false
    for (const volume of this.#volumes.values()) {
      if (volume.status?.phase === 'Bound' || !fitsClaim(volume, claim)) continue
      const required = volume.spec.nodeAffinity?.required
      if (required === undefined || selectorMatches(required, node)) return true
    }
    const storageClass = this.#classes.get(claim.spec.storageClassName ?? '')
    if (storageClass === undefined || storageClass.provisioner === NO_PROVISIONER) return false
    return topologyAllows(storageClass, node)
  }

  /** Counts claims instead of volumes, because a claim exists before its volume. Each volume has only one claim. */
  #useOf(claim: PersistentVolumeClaim): VolumeUse | undefined {
    const volume = claim.spec.volumeName ? this.#volumes.get(claim.spec.volumeName) : undefined
    const provisioner = this.#classes.get(claim.spec.storageClassName ?? '')?.provisioner
    const driver = volume === undefined ? provisioner : volume.spec.csi?.driver
    if (driver === undefined || driver === NO_PROVISIONER) return undefined
    return { driver, id: `${claim.metadata.namespace ?? ''}/${claim.metadata.name}` }
  }

  #overLimit(row: NodeRow, uses: readonly VolumeUse[]): boolean {
    if (uses.length === 0) return false
    const drivers = this.#csiNodes.get(row.name)?.spec.drivers ?? []
    for (const driver of drivers) {
      const limit = driver.allocatable?.count
      const added = uses.filter((use) => use.driver === driver.name)
      if (limit === undefined || added.length === 0) continue
      const held = new Set<string>()
      for (const pod of row.pods.values()) {
        for (const use of pod.volumes) if (use.driver === driver.name) held.add(use.id)
      }
      const before = held.size
      for (const use of added) held.add(use.id)
      if (held.size > before && held.size > limit) return true
    }
    return false
  }
}
