import type { KubeObject, ResourceKind } from '@kerf/apis'
import { type Informer, SharedInformers, type SharedInformersOptions, withoutManagedFields } from '@kerf/runtime'
import { CLUSTER_API_GROUP, clusterApiAnnotations, clusterApiLabels } from '../names.ts'
import { type Cluster, readCluster } from '../objects/cluster.ts'
import type { ClusterApiKinds } from '../objects/kinds.ts'
import { type Machine, readMachine } from '../objects/machine.ts'
import { type MachineDeployment, readMachineDeployment } from '../objects/machine-deployment.ts'
import { type MachineSet, readMachineSet } from '../objects/machine-set.ts'
import type { ManagementChange, NamespacedName } from './management-cluster.ts'

/** The scope of the informers. */
export interface MirrorScope {
  readonly kinds: ClusterApiKinds
  /** Machines and MachineSets are limited to this Cluster. */
  readonly ownCluster: NamespacedName
  /** Whether the informers read only the namespace of our own Cluster, so that a Role in this namespace is sufficient. */
  readonly oneNamespace: boolean
}

/** v1beta1 objects contain the whole v1beta2 object in this annotation. */
const CONVERSION_DATA = `${CLUSTER_API_GROUP}/conversion-data`

const lean = <T extends KubeObject>(object: T): T => {
  const kept = withoutManagedFields(object)
  if (kept.metadata.annotations?.[CONVERSION_DATA] === undefined) return kept
  const { [CONVERSION_DATA]: _dropped, ...annotations } = kept.metadata.annotations
  return { ...kept, metadata: { ...kept.metadata, annotations } }
}

/** Caches the parsed form of each object, because objects of an informer never change. */
const once = <OnWire extends object, T>(read: (object: OnWire) => T): ((object: OnWire) => T) => {
  const known = new WeakMap<OnWire, T>()
  return (object) => {
    const found = known.get(object)
    if (found !== undefined) return found
    const made = read(object)
    known.set(object, made)
    return made
  }
}

/** The informer of one kind, with parsed objects. */
export class MirrorOf<OnWire extends KubeObject, T> {
  readonly #informer: Informer<OnWire>
  readonly #read: (object: OnWire) => T

  constructor(informer: Informer<OnWire>, read: (object: OnWire) => T) {
    this.#informer = informer
    this.#read = once(read)
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced
  }

  all(): readonly T[] {
    return Array.from(this.#informer.values(), this.#read)
  }

  named({ namespace, name }: NamespacedName): T | undefined {
    const found = this.#informer.get(`${namespace}/${name}`)
    return found === undefined ? undefined : this.#read(found)
  }

  by(index: string, value: string): readonly T[] {
    return this.#informer.by(index, value).map(this.#read)
  }

  index(name: string, textOf: (object: T) => string | undefined): void {
    this.#informer.index(name, (object) => {
      const value = textOf(this.#read(object))
      return value === undefined ? [] : [value]
    })
  }

  onChange(listener: (name: NamespacedName) => void): void {
    this.#informer.onChange(({ before, after }) => {
      const { namespace = '', name } = (after ?? before)?.metadata ?? { name: '' }
      listener({ namespace, name })
    })
  }
}

const DEPLOYMENT = 'deployment'
const PROVIDER_ID = 'providerID'
const CLAIM_UID = 'uid of the NodeClaim'

/** The informers of the management cluster: four watches, as narrow as possible. */
export class Mirrors {
  readonly deployments: MirrorOf<KubeObject, MachineDeployment>
  readonly machines: MirrorOf<KubeObject, Machine>
  readonly sets: MirrorOf<KubeObject, MachineSet>
  readonly clusters: MirrorOf<KubeObject, Cluster>
  readonly #informers: SharedInformers

  constructor(options: SharedInformersOptions, scope: MirrorScope) {
    const { kinds, ownCluster, oneNamespace } = scope
    this.#informers = new SharedInformers(options)
    const mirror = <OnWire extends KubeObject, T>(
      kind: ResourceKind<OnWire>,
      read: (object: OnWire) => T,
      { ofOwnCluster, isOptional }: { readonly ofOwnCluster: boolean; readonly isOptional: boolean },
    ): MirrorOf<OnWire, T> => {
      this.#informers.configure(kind, {
        project: lean,
        ...((oneNamespace || ofOwnCluster) && { namespace: ownCluster.namespace }),
        ...(ofOwnCluster && { labelSelector: `${clusterApiLabels.clusterName}=${ownCluster.name}` }),
      })
      return new MirrorOf(isOptional ? this.#informers.optional(kind) : this.#informers.of(kind), read)
    }
    this.deployments = mirror(kinds.MachineDeployment, readMachineDeployment, {
      ofOwnCluster: false,
      isOptional: false,
    })
    this.machines = mirror(kinds.Machine, readMachine, { ofOwnCluster: true, isOptional: false })
    // Upstream's role does not grant access to MachineSets and Clusters.
    this.sets = mirror(kinds.MachineSet, readMachineSet, { ofOwnCluster: true, isOptional: true })
    this.clusters = mirror(kinds.Cluster, readCluster, { ofOwnCluster: false, isOptional: true })
    const ofDeployment = (object: Machine | MachineSet): string | undefined =>
      object.deploymentName === undefined ? undefined : `${object.namespace}/${object.deploymentName}`
    this.machines.index(DEPLOYMENT, ofDeployment)
    this.machines.index(PROVIDER_ID, ({ providerId }) => providerId)
    this.machines.index(CLAIM_UID, ({ annotations }) => annotations[clusterApiAnnotations.nodeClaimUid])
    this.sets.index(DEPLOYMENT, ofDeployment)
  }

  start(signal: AbortSignal, changed: (change: ManagementChange) => void): void {
    const report = (kind: 'deployment' | 'machine' | 'set' | 'cluster') => (name: NamespacedName) =>
      changed({ kind, name })
    this.deployments.onChange(report('deployment'))
    this.machines.onChange(report('machine'))
    this.sets.onChange(report('set'))
    this.clusters.onChange(report('cluster'))
    this.#informers.start(signal)
  }

  /** Calls the function for every known object. */
  forEach(callback: (change: ManagementChange) => void): void {
    for (const { namespace, name } of this.deployments.all())
      callback({ kind: 'deployment', name: { namespace, name } })
    for (const { namespace, name } of this.machines.all()) callback({ kind: 'machine', name: { namespace, name } })
    for (const { namespace, name } of this.sets.all()) callback({ kind: 'set', name: { namespace, name } })
    for (const { namespace, name } of this.clusters.all()) callback({ kind: 'cluster', name: { namespace, name } })
  }

  /** Whether the required kinds were listed. */
  get hasSynced(): boolean {
    return this.deployments.hasSynced && this.machines.hasSynced
  }

  machinesOf({ namespace, name }: NamespacedName): readonly Machine[] {
    return this.machines.by(DEPLOYMENT, `${namespace}/${name}`)
  }

  machinesWith(providerId: string): readonly Machine[] {
    return this.machines.by(PROVIDER_ID, providerId)
  }

  machinesTakenBy(claimUid: string): readonly Machine[] {
    return this.machines.by(CLAIM_UID, claimUid)
  }

  setsOf({ namespace, name }: NamespacedName): readonly MachineSet[] {
    return this.sets.by(DEPLOYMENT, `${namespace}/${name}`)
  }
}
