import {
  type KubeObject,
  karpenterKinds,
  kinds,
  type Node,
  type NodeClaim,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import type { KubeClient, Metrics } from '@kerf/runtime'
import type { RecordingEventRecorder } from '@kerf/runtime/testing'
import { conditionText, readIfThere, sumOfMetric } from './api-readings.ts'

/** The name that `createClaim` uses by default. */
export const ONLY_CLAIM = 'a'

/** Queries about the state of the harness. */
export abstract class HarnessReadings {
  abstract readonly admin: KubeClient
  abstract readonly events: RecordingEventRecorder
  abstract readonly metrics: Metrics

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.admin.list(karpenterKinds.NodeClaim)).items
  }

  /** Returns the stored NodeClaim, or undefined if it is deleted. */
  async readClaim(name = ONLY_CLAIM): Promise<NodeClaim | undefined> {
    return await this.read(karpenterKinds.NodeClaim, name)
  }

  /** Returns the status and reason of the NodeClaim's condition as `status reason`. */
  async condition(type: string, name = ONLY_CLAIM): Promise<string | undefined> {
    return conditionText(await this.readClaim(name), type)
  }

  /** Returns the sorted names of the NodeClaims that are not being deleted. */
  async staying(): Promise<readonly string[]> {
    const kept = (await this.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    return kept.map(({ metadata }) => metadata.name).sort()
  }

  /** Returns whether the NodeClaim exists and is not being deleted. */
  async isStaying(claim: string | { readonly claim: string } = ONLY_CLAIM): Promise<boolean> {
    return (await this.staying()).includes(typeof claim === 'string' ? claim : claim.claim)
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.admin.list(kinds.Node)).items
  }

  /**
   * Returns the only Node.
   *
   * @throws if there is none, or more than one.
   */
  async node(): Promise<Node> {
    const nodes = await this.nodes()
    const [node] = nodes
    if (node === undefined || nodes.length > 1) throw new Error(`expected one node, found ${nodes.length}`)
    return node
  }

  async readNode(name: string): Promise<Node> {
    return await this.admin.get(kinds.Node, { name })
  }

  async readPool(name = 'general'): Promise<NodePool> {
    return await this.admin.get(karpenterKinds.NodePool, { name })
  }

  /** Returns the sorted names of all pods. */
  async podNames(): Promise<readonly string[]> {
    return (await this.admin.list(kinds.Pod)).items.map(({ metadata }) => metadata.name).sort()
  }

  /** Returns the stored object, or undefined if it does not exist. */
  async read<T extends KubeObject>(kind: ResourceKind<T>, name: string, namespace?: string): Promise<T | undefined> {
    return await readIfThere(this.admin, kind, namespace === undefined ? { name } : { name, namespace })
  }

  /** Returns the messages of the published Events with this reason, in order and before deduplication. */
  messages(reason: string, about?: string): readonly string[] {
    return this.events.events
      .filter((event) => event.reason === reason && (about === undefined || event.object.metadata.name === about))
      .map(({ message }) => message)
  }

  /** Returns the distinct messages. */
  distinctMessages(reason: string, about?: string): readonly string[] {
    return [...new Set(this.messages(reason, about))]
  }

  /** Returns the sum of the metric's series with these labels, or 0 if there are none. */
  async metric(name: string, wanted: Readonly<Record<string, string>> = {}): Promise<number> {
    return await sumOfMetric(this.metrics, name, wanted)
  }
}
