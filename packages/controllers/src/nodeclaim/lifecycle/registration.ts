import {
  findCondition,
  isSameTaint,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  taints,
} from '@kerf/apis'
import { defineMetrics } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { eventObject } from '../../event-object.ts'
import type { RegistrationHealth } from '../../nodepool/registration-health/registration-health.ts'
import { writeNewest } from '../../write-newest.ts'
import { restamped, withCondition } from '../claim-changes.ts'
import type { ClaimNodes } from '../claim-nodes.ts'
import { registeredNode, syncedNode, writeNode } from './node-sync.ts'
import type { Step, StepResult } from './step.ts'

interface HookAnswers {
  readonly pending: readonly string[]
  /** The shortest delay that a pending hook has requested. */
  readonly after: Milliseconds | undefined
  readonly errors: readonly unknown[]
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const NODE_NOT_FOUND = {
  type: 'Registered',
  status: 'Unknown',
  reason: 'NodeNotFound',
  message: 'Node not registered with cluster',
} as const

/** Runs before pods can be scheduled on a Node. Must not throw if only optional work fails. */
export type BeforeOpening = (claim: NodeClaim, node: Node, signal: AbortSignal) => Promise<void>

export const registrationMetrics = defineMetrics({
  nodesCreated: {
    name: 'karpenter_nodes_created_total',
    type: 'counter',
    help: 'Nodes that registered, by NodePool and zone.',
    labels: ['nodepool', 'zone'],
  },
})

/** Connects a claim to the Node of its instance (`docs/spec/lifecycle.md#registration`). */
export class RegistrationStep implements Step {
  readonly #clock
  readonly #links: ClaimNodes
  readonly #client
  readonly #beforeOpening: BeforeOpening
  readonly #nodesCreated
  readonly #log
  readonly #health: RegistrationHealth
  readonly #provider
  readonly #events

  constructor(
    { client, provider, clock, events, log, metrics }: Deps,
    links: ClaimNodes,
    health: RegistrationHealth,
    beforeOpening: BeforeOpening = async () => {},
  ) {
    this.#nodesCreated = registrationMetrics.register(metrics).nodesCreated
    this.#clock = clock
    this.#links = links
    this.#client = client
    this.#beforeOpening = beforeOpening
    this.#log = log
    this.#health = health
    this.#provider = provider
    this.#events = events
  }

  async run(claim: NodeClaim, signal: AbortSignal): Promise<StepResult> {
    const now = this.#clock.now()
    const status = findCondition(claim, 'Registered')?.status
    if (status === 'True' || status === 'False') return { claim: restamped(claim, 'Registered', now) }
    const [node, ...others] = this.#links.nodesOf(claim)
    // The provider ID must be stored before the Node accepts pods. If Kerf stopped in between and the claim were deleted, Kerf would not
    // drain the Node.
    if (node === undefined || !this.#isInstanceStored(claim)) {
      return { claim: withCondition(claim, NODE_NOT_FOUND, now) }
    }
    if (others.length > 0) {
      const change = {
        type: 'Registered',
        status: 'False',
        reason: 'MultipleNodesFound',
        message: 'Invariant violated, matched multiple nodes',
      } as const
      return { claim: withCondition(claim, change, now) }
    }
    this.#warnUnlessTainted(node, claim)
    const hooks = await this.#askHooks(claim, signal)
    const marked: NodeClaim = {
      ...claim,
      metadata: {
        ...claim.metadata,
        labels: { ...claim.metadata.labels, ...hooks.labels },
        annotations: { ...claim.metadata.annotations, ...hooks.annotations },
      },
    }
    if (hooks.pending.length > 0) {
      if (!(await writeNode(this.#client, node, syncedNode(node, marked), signal)))
        return { claim: withCondition(marked, NODE_NOT_FOUND, now) }
      const change = {
        type: 'Registered',
        status: 'Unknown',
        reason: 'RegistrationHookPending',
        message: hooks.pending.join(', '),
      } as const
      return {
        claim: withCondition(marked, change, now),
        ...(hooks.after === undefined ? {} : { after: hooks.after }),
        ...(hooks.errors.length === 0 ? {} : { error: joined(hooks.errors) }),
      }
    }
    return await this.#open(node, marked, now, signal)
  }

  /** Removes the unregistered taint, so that pods can run on the Node, and marks the claim as registered. */
  async #open(node: Node, marked: NodeClaim, now: Milliseconds, signal: AbortSignal): Promise<StepResult> {
    await this.#beforeOpening(marked, node, signal)
    const written = await this.#writeRegistered(this.#links.nodeOf(marked) ?? node, marked, signal)
    if (written === undefined) return { claim: withCondition(marked, NODE_NOT_FOUND, now) }
    // If the Node already has the label, an earlier pass has counted the Node. That pass was interrupted after it wrote the Node.
    if (written.metadata.labels?.[labels.registered] === undefined) {
      this.#nodesCreated.inc({
        nodepool: marked.metadata.labels?.[labels.nodePool] ?? '',
        zone: marked.metadata.labels?.[labels.zone] ?? '',
      })
      this.#log.info('registered nodeclaim', {
        NodeClaim: { name: marked.metadata.name },
        'provider-id': marked.status?.providerID,
        Node: { name: node.metadata.name },
      })
    }
    const registered = withCondition(
      { ...marked, status: { ...marked.status, nodeName: node.metadata.name } },
      { type: 'Registered', status: 'True' },
      now,
    )
    const stored = await this.#health.succeeded(registered, signal)
    return { claim: registered, stored }
  }

  /**
   * Writes the registered Node. Returns the Node as it was before the write, or undefined if it is deleted. Conflicts are common, because
   * the kubelet and several controllers write to a new Node many times in its first second.
   */
  async #writeRegistered(node: Node, marked: NodeClaim, signal: AbortSignal): Promise<Node | undefined> {
    return await writeNewest(
      node,
      () => this.#client.get(kinds.Node, { name: node.metadata.name }, { signal }),
      async (to) =>
        (await writeNode(this.#client, to, registeredNode(syncedNode(to, marked)), signal)) ? to : undefined,
    )
  }

  async #askHooks(claim: NodeClaim, signal: AbortSignal): Promise<HookAnswers> {
    const answers = await Promise.all(
      (this.#provider.hooks ?? []).map(async (hook) => {
        try {
          return { hook, answer: await hook.registered(claim, signal) }
        } catch (error) {
          return { hook, error }
        }
      }),
    )
    const pending: string[] = []
    const waits: Milliseconds[] = []
    const errors: unknown[] = []
    let added: Pick<HookAnswers, 'labels' | 'annotations'> = { labels: {}, annotations: {} }
    for (const { hook, answer, error } of answers) {
      if (answer?.ready === true) {
        added = {
          labels: { ...added.labels, ...answer.labels },
          annotations: { ...added.annotations, ...answer.annotations },
        }
        continue
      }
      pending.push(hook.name)
      if (answer === undefined) errors.push(error)
      else waits.push(answer.retryAfter)
    }
    return { pending, after: waits.length === 0 ? undefined : Math.min(...waits), errors, ...added }
  }

  /**
   * Returns whether the provider ID in this copy of the claim is already stored. If it is not stored, the write that stores it triggers the
   * next pass.
   */
  #isInstanceStored({ metadata, status }: NodeClaim): boolean {
    return this.#links.claims.get(metadata.name)?.status?.providerID === status?.providerID
  }

  #warnUnlessTainted(node: Node, claim: NodeClaim): void {
    const isRegistered = node.metadata.labels?.[labels.registered] !== undefined
    if (isRegistered || node.spec.taints?.some((taint) => isSameTaint(taint, taints.unregistered)) === true) return
    const message = `Missing ${taints.unregistered.key} taint which prevents registration related race conditions on Karpenter-managed nodes`
    this.#log.error(message, { NodeClaim: { name: claim.metadata.name }, Node: { name: node.metadata.name } })
    this.#events.publish({
      object: eventObject(karpenterKinds.NodeClaim, claim),
      type: 'Warning',
      reason: 'UnregisteredTaintMissing',
      message,
      dedupeValues: [claim.metadata.uid ?? ''],
    })
  }
}

const joined = (errors: readonly unknown[]): unknown =>
  errors.length === 1 ? errors[0] : new AggregateError(errors, 'several registration hooks failed')
