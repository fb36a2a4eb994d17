import { type KubeObject, karpenterKinds, kinds, type Milliseconds, type NodeClaim, type NodePool } from '@kerf/apis'
import {
  type BalancedScore,
  type Blocker,
  blockerSentence,
  type DisruptionReason,
  describeScore,
  dollars,
  partText,
} from '@kerf/engine'
import type { CoreEvent, CoreEventRecorder } from '../../core-event.ts'
import { eventObject } from '../../event-object.ts'
import { doNotDisruptEvent } from '../../pod/do-not-disrupt-event.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { type Command, commandOutline } from './command.ts'

const UNCONSOLIDATABLE_FOR: Milliseconds = 900_000
const BUDGET_FOR: Milliseconds = 60_000

const sentenceCase = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const objectUid = (object: KubeObject): string => object.metadata.uid ?? ''

type About = Omit<CoreEvent, 'object'>

/** Publishes an Event on the Node and the same Event on its claim, each with its own dedupe values. */
const onBoth = (
  events: CoreEventRecorder,
  { node, claim }: Pick<StateNode, 'node' | 'claim'>,
  event: (object: KubeObject, kind: 'Node' | 'NodeClaim') => About,
): void => {
  if (node !== undefined) {
    const object = eventObject(kinds.Node, node)
    events.publish({ object, ...event(object, 'Node') })
  }
  if (claim !== undefined) {
    const object = eventObject(karpenterKinds.NodeClaim, claim)
    events.publish({ object, ...event(object, 'NodeClaim') })
  }
}

const approval = (score: BalancedScore, object: KubeObject): About => ({
  type: 'Normal',
  reason: 'ConsolidationApproved',
  message: describeScore(score),
  dedupeValues: [objectUid(object)],
})

/** The Events of disruption, with the reasons, texts and dedupe windows of upstream (`docs/spec/events.md#core-events`). */
export class DisruptionEvents {
  readonly #events: CoreEventRecorder

  constructor(events: CoreEventRecorder) {
    this.#events = events
  }

  /**
   * Reports that no disruption method may disrupt the node. Publishes nothing for unmanaged nodes, and nothing for nodes that belong to a
   * command.
   */
  blocked(node: StateNode, blocker: Blocker): void {
    if (node.claim === undefined || blocker.code === 'command.queued') return
    const message = sentenceCase(blockerSentence(blocker))
    onBoth(this.#events, node, (object) => ({
      type: 'Normal',
      reason: 'DisruptionBlocked',
      message,
      dedupeValues: [objectUid(object)],
    }))
  }

  /** Reports each pod whose do-not-disrupt annotation protects the node. Also reports annotations with an invalid value. */
  protections({ claim, pods }: Pick<StateNode, 'claim' | 'pods'>, now: Milliseconds): void {
    if (claim === undefined) return
    for (const pod of pods) {
      const event = doNotDisruptEvent(pod, now)
      if (event !== undefined) this.#events.publish(event)
    }
  }

  /** Reports that the budgets of a pool allow no disruption. If the budgets are invalid, `error` has the reason. */
  budgetBlocked(pool: NodePool, reason: DisruptionReason, error?: string): void {
    const object = eventObject(karpenterKinds.NodePool, pool)
    const message = `No allowed disruptions for disruption reason ${reason} due to blocking budget`
    this.#events.publish({
      object,
      type: error === undefined ? 'Normal' : 'Warning',
      reason: 'DisruptionBlocked',
      message: error === undefined ? message : `${message}: ${error}`,
      // Reports a new error at once, so that a user who edits an invalid budget can see whether the new value is valid.
      dedupeValues: [objectUid(object), reason, ...(error === undefined ? [] : [error])],
      dedupeFor: BUDGET_FOR,
    })
  }

  unconsolidatable(node: StateNode, blocker: Blocker): void {
    onBoth(this.#events, node, (object) => ({
      type: 'Normal',
      reason: 'Unconsolidatable',
      message: sentenceCase(blockerSentence(blocker)),
      dedupeValues: [objectUid(object)],
      dedupeFor: UNCONSOLIDATABLE_FOR,
    }))
  }

  candidate(command: Command): void {
    this.#onCandidates(command, 'ConsolidationCandidate', (text) => `Consolidation candidate: ${text}`)
  }

  rejected(command: Command, why: string): void {
    this.#onCandidates(
      command,
      'ConsolidationRejected',
      (text) => `Consolidation rejected: ${text}, reason: ${why}`,
      why,
    )
  }

  #onCandidates(
    command: Command,
    reason: 'ConsolidationCandidate' | 'ConsolidationRejected',
    message: (text: string) => string,
    ...more: string[]
  ): void {
    const outline = commandOutline(command)
    for (const { state, name } of command.candidates) {
      const text = partText(outline, name)
      onBoth(this.#events, state, (object) => ({
        type: 'Normal',
        reason,
        message: `${message(text)} (savings: ${dollars(command.savings)})`,
        dedupeValues: [objectUid(object), text, ...more],
      }))
    }
  }

  /** Publishes the score of a single-node move on the node and its claim. */
  approvedForNode({ state, poolName }: Candidate, scores: ReadonlyMap<string, BalancedScore>): void {
    const score = scores.get(poolName)
    if (score !== undefined) onBoth(this.#events, state, (object) => approval(score, object))
  }

  /** Publishes the scores of a multi-node move on each affected pool. */
  approvedForPools({ candidates }: Command, scores: ReadonlyMap<string, BalancedScore>): void {
    for (const [name, score] of scores) {
      const pool = candidates.find(({ poolName }) => poolName === name)?.pool
      if (pool === undefined) continue
      const object = eventObject(karpenterKinds.NodePool, pool)
      this.#events.publish({ object, ...approval(score, object) })
    }
  }

  launching(claim: NodeClaim, reason: DisruptionReason): void {
    const object = eventObject(karpenterKinds.NodeClaim, claim)
    this.#events.publish({
      object,
      type: 'Normal',
      reason: 'DisruptionLaunching',
      message: `Launching NodeClaim: ${reason}`,
      dedupeValues: [objectUid(object), reason],
    })
  }

  waitingReadiness(claim: NodeClaim): void {
    const object = eventObject(karpenterKinds.NodeClaim, claim)
    this.#events.publish({
      object,
      type: 'Normal',
      reason: 'DisruptionWaitingReadiness',
      message: 'Waiting on readiness to continue disruption',
      dedupeValues: [objectUid(object)],
    })
  }

  terminating(target: Pick<StateNode, 'node' | 'claim'>, reason: DisruptionReason): void {
    onBoth(this.#events, target, (object, kind) => ({
      type: 'Normal',
      reason: 'DisruptionTerminating',
      message: `Disrupting ${kind}: ${reason}`,
      dedupeValues: [objectUid(object), reason],
    }))
  }
}
