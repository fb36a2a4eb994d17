import {
  type DaemonSet,
  type Deployment,
  isActive,
  type KubeObject,
  karpenterKinds,
  kinds,
  type LabelVocabulary,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@kerf/apis'
import type { AuditedCluster } from '@kerf/provider-contract'
import { CloudExport, cloudCommand } from './cloud-export.ts'
import { type ClusterAutoscaler, findClusterAutoscaler } from './cluster-autoscaler.ts'
import { findControllers } from './controllers.ts'
import { type Derived, ObjectsByKind } from './objects-by-kind.ts'
import { Serving, type TypesOf } from './serving.ts'
import { findWorkloads, type Workload, workloadKinds } from './workload.ts'

/** The input of an audit: the objects of a cluster, their source, and optional exports of the cloud account. */
export interface AuditInput {
  readonly objects: readonly KubeObject[]
  readonly now: Milliseconds
  /**
   * Whether the objects come from files or from a live cluster. Files may contain only part of a cluster: if they contain no object of a
   * kind, the audit treats that kind as unknown. If a live cluster has no object of a kind, none exist, unless `unread` contains the reason
   * why the kind could not be read.
   */
  readonly source:
    | { readonly kind: 'files' }
    | { readonly kind: 'cluster'; readonly unread: ReadonlyMap<string, string> }
  readonly typesOf: TypesOf
  readonly vocabulary: LabelVocabulary
  /** Exports of the cloud account. Without them, checks about the cloud are skipped. */
  readonly cloud?: CloudExport
}

/** The objects of a cluster, prepared for the checks. Every result is computed at most once. */
export class Audit implements AuditedCluster {
  readonly now: Milliseconds
  readonly objects: ObjectsByKind
  readonly cloud: CloudExport
  readonly typesOf: TypesOf
  readonly vocabulary: LabelVocabulary
  readonly #source: AuditInput['source']
  #workloads: Derived<readonly Workload[]> | undefined
  #serving: Derived<Serving> | undefined
  #autoscaler: Derived<ClusterAutoscaler | undefined> | undefined
  #podsByNode: ReadonlyMap<string, readonly Pod[]> | undefined

  constructor({ objects, now, source, typesOf, vocabulary, cloud = new CloudExport([]) }: AuditInput) {
    this.now = now
    this.cloud = cloud
    this.objects = new ObjectsByKind(objects)
    this.typesOf = typesOf
    this.vocabulary = vocabulary
    this.#source = source
  }

  /**
   * Returns why the objects of a resource kind are unknown: they could not be read, the files contain none, or `--cloud` is missing.
   * Returns undefined if they are known.
   */
  unknown(kind: string): string | undefined {
    const command = cloudCommand(kind)
    if (command !== undefined)
      return this.cloud.has(kind) ? undefined : `it needs --cloud with the output of: ${command}`
    if (this.#source.kind === 'cluster') return this.#source.unread.get(kind)
    return this.objects.named(kind).length > 0 ? undefined : `the files hold no ${kind}`
  }

  /** Returns why the objects of a resource kind could not be read from a live cluster. Returns undefined if they were read. */
  unread(kind: string): string | undefined {
    return this.#source.kind === 'cluster' ? this.#source.unread.get(kind) : undefined
  }

  get nodes(): readonly Node[] {
    return this.objects.of(kinds.Node)
  }

  get nodePools(): readonly NodePool[] {
    return this.objects.of(karpenterKinds.NodePool)
  }

  get nodeClaims(): readonly NodeClaim[] {
    return this.objects.of(karpenterKinds.NodeClaim)
  }

  get daemonSets(): readonly DaemonSet[] {
    return this.objects.of(kinds.DaemonSet)
  }

  /** Pods that have not terminated. */
  get pods(): readonly Pod[] {
    return this.objects.of(kinds.Pod).filter(isActive)
  }

  /** Nodes of NodePools. */
  get managedNodes(): readonly Node[] {
    return this.nodes.filter(isManaged)
  }

  /** Nodes that do not belong to a NodePool. */
  get foreignNodes(): readonly Node[] {
    return this.nodes.filter((node) => !isManaged(node))
  }

  get workloads(): readonly Workload[] {
    this.#workloads ??= this.objects.derive(() => {
      this.objects.ask(workloadKinds)
      return findWorkloads(this.objects.all)
    })
    return this.#kept(this.#workloads)
  }

  get serving(): Serving {
    this.#serving ??= this.objects.derive(
      () =>
        new Serving(
          this.workloads,
          this.nodePools,
          this.clusterAutoscaler?.groups ?? [],
          this.typesOf,
          this.vocabulary,
        ),
    )
    return this.#kept(this.#serving)
  }

  get clusterAutoscaler(): ClusterAutoscaler | undefined {
    this.#autoscaler ??= this.objects.derive(() => findClusterAutoscaler(this.objects, this.foreignNodes, this.now))
    return this.#kept(this.#autoscaler)
  }

  /** The Deployments of Kerf and of Karpenter. */
  get controllers(): readonly Deployment[] {
    return findControllers(this.objects)
  }

  podsOn(node: string): readonly Pod[] {
    this.objects.ask(['Pod'])
    if (this.#podsByNode === undefined) {
      const byNode = new Map<string, Pod[]>()
      for (const pod of this.pods) {
        const name = pod.spec.nodeName
        if (name === undefined) continue
        const known = byNode.get(name)
        if (known === undefined) byNode.set(name, [pod])
        else known.push(pod)
      }
      this.#podsByNode = byNode
    }
    return this.#podsByNode.get(node) ?? []
  }

  /** Returns a cached result. Records that the current check has requested the resource kinds from which the result was computed. */
  #kept<T>({ result, kinds: asked }: Derived<T>): T {
    this.objects.ask(asked)
    return result
  }
}

/** Returns whether the node belongs to a NodePool. */
const isManaged = ({ metadata }: Node): boolean => metadata.labels?.[labels.nodePool] !== undefined
