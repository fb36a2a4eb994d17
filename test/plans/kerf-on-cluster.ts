import { karpenterKinds, kinds, type Node, type NodeClaim, noVocabulary, type Pod, type Taint } from '@kerf/apis'
import type { Decision } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { defaultFeatureGates, isConflict, silentLogger } from '@kerf/runtime'
import type { Manifest } from '../../cli/src/manifests/manifest.ts'
import type { OpenCluster } from '../../cli/src/up/open-cluster.ts'
import { openKubeconfig } from '../../cli/src/up/open-kubeconfig.ts'
import { Session } from '../../cli/src/up/session.ts'

/** Kerf with the KWOK provider on a real API server, over HTTP, and what a test reads of it. */
export class KerfOnCluster {
  readonly #cluster: OpenCluster
  readonly #session: Session

  static async open(kubeconfig: string, instanceTypes: readonly InstanceType[]): Promise<KerfOnCluster> {
    const cluster = await openKubeconfig({ kubeconfig, port: 0, speed: 1, seed: 1, env: {}, progress: () => {} })
    return new KerfOnCluster({ ...cluster, disposable: true }, instanceTypes)
  }

  constructor(cluster: OpenCluster, instanceTypes: readonly InstanceType[]) {
    this.#cluster = cluster
    const featureGates = defaultFeatureGates
    this.#session = new Session({
      cluster,
      instanceTypes,
      labels: noVocabulary,
      featureGates,
      logger: silentLogger,
      onDecision: () => {},
    })
  }

  /** Installs the custom resources and waits until they are served. */
  install(signal: AbortSignal): Promise<void> {
    return this.#session.prepare(signal)
  }

  /** Creates what the manifests hold. Plans are compared with what is there, so no pool consolidates it meanwhile. */
  async apply(manifests: readonly Manifest[], signal: AbortSignal): Promise<number> {
    const applied = await this.#session.apply(manifests, signal)
    const { client } = this.#cluster
    const body = { spec: { disruption: { consolidateAfter: 'Never' } } }
    for (const { metadata } of (await client.list(karpenterKinds.NodePool)).items) {
      await client.patch(karpenterKinds.NodePool, { name: metadata.name }, { type: 'merge', body })
    }
    return applied
  }

  start(): void {
    this.#session.start()
  }

  get decisions(): readonly Decision[] {
    return this.#session.decisions
  }

  async pods(): Promise<readonly Pod[]> {
    return (await this.#cluster.client.list(kinds.Pod)).items
  }

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.#cluster.client.list(karpenterKinds.NodeClaim)).items
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.#cluster.client.list(kinds.Node)).items
  }

  /** Takes a taint off a node, leaving the others as they are. */
  async untaint(node: Node, taint: Taint): Promise<void> {
    const { name = '', resourceVersion } = node.metadata
    const taints = (node.spec.taints ?? []).filter(({ key }) => key !== taint.key)
    const body = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } }
    await this.#cluster.client.patch(kinds.Node, { name }, { type: 'merge', body }).catch((error: unknown) => {
      // Somebody else has changed the node meanwhile; the caller looks again.
      if (!isConflict(error)) throw error
    })
  }

  async close(): Promise<void> {
    await this.#session.stop()
    await this.#cluster.close()
  }
}

/** Run by a DaemonSet: its node comes first, and no plan places it. */
export const isDaemonPod = (pod: Pod): boolean =>
  pod.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') ?? false
