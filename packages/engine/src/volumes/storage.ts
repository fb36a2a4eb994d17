import type { CSINode, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@kerf/apis'
import type { VolumeUse } from '../model/volume-use.ts'
import { podNamespace } from '../pods/pod-name.ts'
import type { LabelRules } from '../requirements/label-rules.ts'
import { labels } from '../requirements/label-rules.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { ScheduleOptions } from '../schedule-options.ts'
import type { ClusterSnapshot } from '../snapshot.ts'
import { defaultStorageClass } from './default-class.ts'

const EBS = 'ebs.csi.aws.com'

/** The CSI drivers that replace the in-tree provisioners. */
const MIGRATED = new Map([
  ['kubernetes.io/aws-ebs', EBS],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/rbd', 'rbd.csi.ceph.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
])

const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed'

/** A volume of a pod with its PersistentVolumeClaim. */
interface ClaimUse {
  /** `namespace/name` of the claim. */
  readonly key: string
  readonly claim: PersistentVolumeClaim | undefined
  readonly storageClassName: string | undefined
}

const isTerminating = (object: { readonly metadata: { readonly deletionTimestamp?: string } }): boolean =>
  object.metadata.deletionTimestamp !== undefined

/** Determines how pods' volumes restrict where the pods can run (`docs/spec/scheduling.md#volumes`). */
export class Storage {
  readonly #claims = new Map<string, PersistentVolumeClaim>()
  readonly #volumes = new Map<string, PersistentVolume>()
  readonly #classes = new Map<string, StorageClass>()
  readonly #defaultClass: string | undefined
  readonly #limits = new Map<string, ReadonlyMap<string, number>>()
  readonly #rules: LabelRules
  readonly #options: ScheduleOptions

  constructor(snapshot: ClusterSnapshot, rules: LabelRules, options: ScheduleOptions) {
    this.#rules = rules
    this.#options = options
    for (const claim of snapshot.persistentVolumeClaims) {
      this.#claims.set(`${claim.metadata.namespace ?? 'default'}/${claim.metadata.name}`, claim)
    }
    for (const volume of snapshot.persistentVolumes) this.#volumes.set(volume.metadata.name, volume)
    for (const storageClass of snapshot.storageClasses) this.#classes.set(storageClass.metadata.name, storageClass)
    this.#defaultClass = defaultStorageClass(snapshot.storageClasses)?.metadata.name
    for (const node of snapshot.csiNodes) this.#limits.set(node.metadata.name, nodeLimits(node))
  }

  static hasVolumes(pod: Pod): boolean {
    return pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim || volume.ephemeral) === true
  }

  /** Returns the maximum number of volumes of each driver that a node can attach. A driver without an entry has no limit. */
  limitsOf(nodeName: string): ReadonlyMap<string, number> | undefined {
    return this.#limits.get(nodeName)
  }

  #usesOf(pod: Pod): readonly ClaimUse[] {
    const uses: ClaimUse[] = []
    for (const volume of pod.spec.volumes ?? []) {
      const name = volume.persistentVolumeClaim
        ? volume.persistentVolumeClaim.claimName
        : volume.ephemeral
          ? `${pod.metadata.name}-${volume.name}`
          : undefined
      if (name === undefined) continue
      const key = `${podNamespace(pod)}/${name}`
      const claim = this.#claims.get(key)
      const template = volume.ephemeral?.volumeClaimTemplate?.spec['storageClassName']
      const className = claim?.spec.storageClassName ?? (typeof template === 'string' ? template : undefined)
      uses.push({ key, claim, storageClassName: className ?? (volume.ephemeral ? this.#defaultClass : undefined) })
    }
    return uses
  }

  /**
   * Returns messages about errors in the volumes of a pending pod; empty if there are none (`docs/spec/scheduling.md#volume-validation`).
   */
  complaintsOf(pod: Pod): readonly string[] {
    return this.#usesOf(pod).flatMap((use) => this.#complaintOf(use) ?? [])
  }

  #complaintOf({ key, claim, storageClassName }: ClaimUse): string | undefined {
    if (claim === undefined) return `PersistentVolumeClaim ${key} does not exist`
    if (isTerminating(claim)) return `PersistentVolumeClaim ${key} is being deleted`
    if (claim.status?.phase === 'Lost') return `PersistentVolumeClaim ${key} has lost its volume`
    const { volumeName } = claim.spec
    if (volumeName) {
      const volume = this.#volumes.get(volumeName)
      if (volume === undefined) return `PersistentVolume ${volumeName} of claim ${key} does not exist`
      if (isTerminating(volume)) return `PersistentVolume ${volumeName} of claim ${key} is being deleted`
      if (claim.metadata.annotations?.[BIND_COMPLETED] === undefined) {
        return `PersistentVolumeClaim ${key} is not bound completely to ${volumeName}`
      }
    } else {
      if (!storageClassName) return `PersistentVolumeClaim ${key} is unbound and names no storage class`
      const storageClass = this.#classes.get(storageClassName)
      if (storageClass === undefined) return `StorageClass ${storageClassName} of claim ${key} does not exist`
      if (storageClass.volumeBindingMode === 'Immediate') {
        return `PersistentVolumeClaim ${key} is unbound and its storage class ${storageClassName} binds immediately`
      }
      const unsupported = storageClass.allowedTopologies
        ?.flatMap((term) => term.matchLabelExpressions ?? [])
        .find(({ key: topologyKey }) => this.#options.unsupportedTopologyKeys?.includes(topologyKey))
      if (unsupported) return `StorageClass ${storageClassName} uses the unsupported topology key ${unsupported.key}`
    }
    const driver = this.#driverOf(claim, storageClassName)
    if (driver !== undefined && this.#options.unsupportedProvisioners?.includes(driver) === true) {
      return `PersistentVolumeClaim ${key} uses the unsupported driver ${driver}`
    }
    return undefined
  }

  #driverOf(claim: PersistentVolumeClaim | undefined, storageClassName: string | undefined): string | undefined {
    if (claim?.spec.volumeName) {
      const volume = this.#volumes.get(claim.spec.volumeName)
      return volume?.spec.csi?.driver ?? (volume?.spec.awsElasticBlockStore === undefined ? undefined : EBS)
    }
    const provisioner = this.#classes.get(storageClassName ?? '')?.provisioner
    return provisioner === undefined ? undefined : (MIGRATED.get(provisioner) ?? provisioner)
  }

  /** Returns the volumes of a pod that count towards a node's attachment limits (`docs/spec/scheduling.md#csi-limits`). */
  volumeUseOf(pod: Pod): readonly VolumeUse[] {
    return this.#usesOf(pod).flatMap(({ key, claim, storageClassName }) => {
      const driver = claim === undefined ? undefined : this.#driverOf(claim, storageClassName)
      return driver === undefined ? [] : [{ driver, claim: key }]
    })
  }

  /**
   * Returns the alternative requirements with which all volumes of a pod can be used, in the order in which they are tried. Empty if the
   * volumes do not restrict the node (`docs/spec/scheduling.md#volume-alternatives`). If each alternative contradicts itself, they are
   * still returned, and the pod fails a later check.
   */
  alternativesOf(pod: Pod): readonly Requirements[] {
    let combined: readonly Requirements[] = []
    for (const use of this.#usesOf(pod)) {
      const own = this.#alternativesOf(use)
      if (own.length === 0) continue
      if (combined.length === 0) {
        combined = own
        continue
      }
      const pairs = combined.flatMap((left) => own.map((right) => [left, right] as const))
      const agreeing = pairs.filter(([left, right]) => left.intersects(right))
      combined = (agreeing.length > 0 ? agreeing : pairs).map(([left, right]) => left.merge(right))
    }
    return combined
  }

  #alternativesOf({ claim, storageClassName }: ClaimUse): readonly Requirements[] {
    if (claim === undefined) return []
    const alternatives: Requirements[] = []
    if (claim.spec.volumeName) {
      const volume = this.#volumes.get(claim.spec.volumeName)
      const isOfHost = volume?.spec.local !== undefined || volume?.spec.hostPath !== undefined
      for (const { matchExpressions = [] } of volume?.spec.nodeAffinity?.required?.nodeSelectorTerms ?? []) {
        if (matchExpressions.length === 0) continue
        const all = this.#rules.requirements(matchExpressions)
        // A local volume is lost with its node. So the hostname in its node affinity does not restrict the choice of another node.
        alternatives.push(isOfHost ? all.without(labels.hostname) : all)
      }
      return alternatives
    }
    for (const { matchLabelExpressions = [] } of this.#classes.get(storageClassName ?? '')?.allowedTopologies ?? []) {
      if (matchLabelExpressions.length === 0) continue
      alternatives.push(
        this.#rules.requirements(matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In', values }))),
      )
    }
    return alternatives
  }
}

const nodeLimits = (node: CSINode): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  for (const { name, allocatable } of node.spec.drivers ?? []) {
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count)
  }
  return limits
}
