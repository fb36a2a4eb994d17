import {
  type KubeObject,
  karpenterKinds,
  kinds,
  type Node,
  type NodeClaim,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import type { KubeClient, Metrics, RecordingEventRecorder } from '@kerf/runtime'
import { conditionText, readIfThere, sumOfMetric } from './api-readings.ts'

/** The NodeClaim that a test means when it names none: `createClaim` gives it this name. */
export const ONLY_CLAIM = 'a'

/** What tests read of a world. */
export abstract class WorldReadings {
  abstract readonly admin: KubeClient
  abstract readonly events: RecordingEventRecorder
  abstract readonly metrics: Metrics

  async claims(): Promise<readonly NodeClaim[]> {
    return (await this.admin.list(karpenterKinds.NodeClaim)).items
  }

  /** The NodeClaim as stored; nothing when it is gone. */
  async readClaim(name = ONLY_CLAIM): Promise<NodeClaim | undefined> {
    return await this.read(karpenterKinds.NodeClaim, name)
  }

  /** `status reason` of a condition of the NodeClaim. */
  async condition(type: string, name = ONLY_CLAIM): Promise<string | undefined> {
    return conditionText(await this.readClaim(name), type)
  }

  /** Names of the NodeClaims that are not being deleted, sorted. */
  async staying(): Promise<readonly string[]> {
    const kept = (await this.claims()).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    return kept.map(({ metadata }) => metadata.name).sort()
  }

  /** Whether the NodeClaim exists and is not being deleted. */
  async isStaying(claim: string | { readonly claim: string } = ONLY_CLAIM): Promise<boolean> {
    return (await this.staying()).includes(typeof claim === 'string' ? claim : claim.claim)
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.admin.list(kinds.Node)).items
  }

  /**
   * The only Node.
   *
   * @throws when there is none, or more than one.
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

  /** Names of all pods, sorted. */
  async podNames(): Promise<readonly string[]> {
    return (await this.admin.list(kinds.Pod)).items.map(({ metadata }) => metadata.name).sort()
  }

  /** The object as stored; nothing when it is gone. */
  async read<T extends KubeObject>(kind: ResourceKind<T>, name: string, namespace?: string): Promise<T | undefined> {
    return await readIfThere(this.admin, kind, namespace === undefined ? { name } : { name, namespace })
  }

  /** Messages of the published events with this reason, in order, before they are de-duplicated. */
  messages(reason: string, about?: string): readonly string[] {
    return this.events.events
      .filter((event) => event.reason === reason && (about === undefined || event.object.metadata.name === about))
      .map(({ message }) => message)
  }

  /** The messages, each once. */
  distinctMessages(reason: string, about?: string): readonly string[] {
    return [...new Set(this.messages(reason, about))]
  }

  /** The sum of the metric's series with these labels; 0 when there is none. */
  async metric(name: string, wanted: Readonly<Record<string, string>> = {}): Promise<number> {
    return await sumOfMetric(this.metrics, name, wanted)
  }
}
