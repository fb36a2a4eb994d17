import { karpenterKinds, kinds, type Node, type NodeClaim, noVocabulary, type Pod, type Taint } from '@kerf/apis'
import { untilTrue } from '@kerf/control-plane/progress'
import type { Decision } from '@kerf/controllers'
import type { InstanceType } from '@kerf/engine'
import { defaultFeatureGates, isConflict, silentLogger } from '@kerf/runtime'
import type { Manifest } from '../../../packages/cli/src/manifests/manifest.ts'
import type { OpenCluster } from '../../../packages/cli/src/up/open-cluster.ts'
import { openKubeconfig } from '../../../packages/cli/src/up/open-kubeconfig.ts'
import { Session } from '../../../packages/cli/src/up/session.ts'
import { clusterFingerprint, clusterState } from '../story/cluster-state.ts'

/** Kerf with the KWOK provider on a real API server, over HTTP. Has queries for tests. */
export class KerfOnCluster {
  readonly #cluster: OpenCluster
  readonly #session: Session
  readonly #end = new AbortController()

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
  install(): Promise<void> {
    return this.#session.prepare(this.#end.signal)
  }

  /** Creates the objects of the manifests. NodePools must not consolidate, because tests compare plans with the current objects. */
  async apply(manifests: readonly Manifest[]): Promise<number> {
    const applied = await this.#session.apply(manifests, this.#end.signal)
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

  /** Removes a taint from a node and keeps the others. */
  async untaint(node: Node, taint: Taint): Promise<void> {
    const { name = '', resourceVersion } = node.metadata
    const taints = (node.spec.taints ?? []).filter(({ key }) => key !== taint.key)
    const body = { metadata: { resourceVersion }, spec: { taints: taints.length === 0 ? null : taints } }
    await this.#cluster.client.patch(kinds.Node, { name }, { type: 'merge', body }).catch((error: unknown) => {
      // Another writer has changed the node, so the caller tries again.
      if (!isConflict(error)) throw error
    })
  }

  /** Waits while pods, nodes or NodeClaims change or Kerf decides. `more` returns additional text for the error message. */
  until(what: string, isSo: () => Promise<boolean>, more?: () => Promise<string>): Promise<void> {
    const { client } = this.#cluster
    return untilTrue(isSo, {
      what,
      fingerprint: async () => `${this.decisions.length} ${await clusterFingerprint(client)}`,
      state: async () => [await more?.(), await clusterState(client)].join('\n'),
      everyMs: 100,
    })
  }

  /** Waits until `look` has returned the same value for this many milliseconds. */
  async steady(what: string, milliseconds: number, look: () => Promise<string>): Promise<void> {
    let last = await look()
    let since = performance.now()
    const isSteady = async (): Promise<boolean> => {
      const found = await look()
      if (found !== last) since = performance.now()
      last = found
      return performance.now() - since >= milliseconds
    }
    await this.until(what, isSteady, async () => last)
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#session.stop()
    await this.#cluster.close()
  }
}

/** Returns whether a DaemonSet owns the pod. Plans do not place such pods, because they are created for nodes that exist. */
export const isDaemonPod = (pod: Pod): boolean =>
  pod.metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') ?? false
