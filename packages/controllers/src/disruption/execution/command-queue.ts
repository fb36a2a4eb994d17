import { isConditionTrue, karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import type { DisruptionReason } from '@kerf/engine'
import { type Controller, done, isNotFound, type Logger, mapLimit, type Outcome, retryAfter } from '@kerf/runtime'
import { controllerErrors } from '../../controller-errors.ts'
import { concurrency, type Deps } from '../../deps.ts'
import { ClaimDeletion } from '../../nodeclaim/claim-deletion.ts'
import { toNodeClaim } from '../../nodeclaim/node-claim-object.ts'
import { templateClaim } from '../../nodeclaim/template-claim.ts'
import type { ClaimCreator, CreationReason } from '../../provisioning/claim-creator.ts'
import { readOnlySource } from '../../read-only-source.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import { type Candidate, poolConsolidationPolicy, snakeCase } from '../candidates/candidate.ts'
import { type Command, commandDecision, commandOutline, logFields, type Replacement } from '../commands/command.ts'
import type { DisruptionEvents } from '../commands/disruption-events.ts'
import type { DisruptionMetrics } from '../commands/disruption-metrics.ts'
import { DrainPace } from './drain-pace.ts'
import { addTaint, removeTaint, writeReason } from './taint-and-reason.ts'

const PARALLEL = 50
const ASK_AGAIN: Milliseconds = 1_000
/** How often the queue checks whether draining nodes have finished. */
const PACE_CHECK: Milliseconds = 250
/** How much each node that is being disrupted adds to the timeout for replacements. */
const TIMEOUT_PER_NODE: Milliseconds = 80
/** The shortest timeout for replacements. */
const SHORTEST_TIMEOUT: Milliseconds = 600_000
/** The longest timeout for replacements. */
const LONGEST_TIMEOUT: Milliseconds = 3_600_000

/** Returns how long replacements may take to become ready while `nodes` nodes are being disrupted. */
export const replacementTimeout = (nodes: number): Milliseconds =>
  Math.min(LONGEST_TIMEOUT, Math.max(SHORTEST_TIMEOUT, nodes * TIMEOUT_PER_NODE))

const creationReasons: Readonly<Record<DisruptionReason, 'asleep' | 'underutilized' | 'empty' | 'drifted'>> = {
  Asleep: 'asleep',
  Underutilized: 'underutilized',
  Empty: 'empty',
  Drifted: 'drifted',
}

interface Started {
  readonly id: string
  readonly command: Command
  readonly since: Milliseconds
  /** Names of the replacements that are not initialized yet. */
  readonly awaited: Set<string>
}

export interface QueueDeps extends Deps {
  readonly state: ClusterState
  readonly creator: ClaimCreator
}

/** The Events and metrics in which the queue reports its commands. */
export interface QueueReports {
  readonly events: DisruptionEvents
  readonly metrics: DisruptionMetrics
}

/**
 * Executes commands (`docs/spec/disruption.md#command-queue`). The queue taints the nodes and launches the replacements. When all
 * replacements are initialized, it deletes the claims of the nodes. If a replacement fails or takes too long, the queue uncordons the
 * nodes. It does not delete the replacements that became ready; consolidation may use or remove them later.
 */
export class CommandQueue {
  readonly #deps: QueueDeps
  readonly #reports: QueueReports
  readonly #log: Logger
  readonly #deletion: ClaimDeletion
  readonly #pace: DrainPace
  readonly #commands = new Map<string, Started>()
  readonly #byNode = new Map<string, string>()
  #enqueue: ((id: string) => void) | undefined

  constructor(deps: QueueDeps, reports: QueueReports) {
    this.#deps = deps
    this.#reports = reports
    this.#log = deps.log.child('disruption.queue', { controller: 'disruption.queue' })
    this.#deletion = new ClaimDeletion(deps)
    this.#pace = new DrainPace(deps.state)
  }

  /** Returns whether a command under way includes this node. */
  has(providerID: string): boolean {
    return this.#byNode.has(providerID)
  }

  /** The commands under way, for explanations. */
  get commands(): readonly Command[] {
    return Array.from(this.#commands.values(), ({ command }) => command)
  }

  get size(): number {
    return this.#commands.size
  }

  /**
   * Starts a command.
   *
   * @throws Error if a command under way already includes one of the nodes, if a node cannot be tainted, or if a replacement cannot be
   * created. Nodes that were already tainted are uncordoned; replacements that were already created are kept.
   */
  async start(proposed: Command, signal: AbortSignal): Promise<void> {
    const { state } = this.#deps
    const { metrics } = this.#reports
    let reservations = proposed.replacements.filter(({ kind }) => kind === 'template').length
    const release = (): void => {
      const [pool] = proposed.replacements
      if (pool !== undefined && reservations > 0) state.claims.release(pool.pool.metadata.name, 1)
      reservations--
    }
    const taken = proposed.candidates.find(({ providerID }) => this.has(providerID))
    if (taken !== undefined) {
      while (reservations > 0) release()
      throw controllerErrors.NodeBeingDisrupted({ node: taken.name })
    }
    const id = this.#deps.random.uuid()
    // Reserves the nodes at once. Otherwise, a concurrent cleanup of leftovers would uncordon them.
    for (const { providerID } of proposed.candidates) this.#byNode.set(providerID, id)
    let command = proposed
    const created: string[] = []
    try {
      command = { ...proposed, candidates: await this.#mark(proposed, signal) }
      this.#setPending(command, true)
      for (const replacement of command.replacements) {
        try {
          created.push(await this.#launch(replacement, command, signal))
        } finally {
          if (replacement.kind === 'template') release()
        }
      }
    } catch (error) {
      while (reservations > 0) release()
      this.#setPending(command, false)
      for (const { providerID } of proposed.candidates) this.#byNode.delete(providerID)
      if (!signal.aborted) await this.#unmark(proposed.candidates, signal)
      throw error
    }
    for (const { providerID } of proposed.candidates) {
      if (!command.candidates.some((candidate) => candidate.providerID === providerID)) this.#byNode.delete(providerID)
    }
    // Marks the nodes only after the replacements exist. Otherwise, the provisioner would launch other nodes for the same pods.
    state.markForDeletion(...command.candidates.map(({ providerID }) => providerID))
    this.#expectPods(command)
    this.#commands.set(id, { id, command, since: this.#deps.clock.now(), awaited: new Set(created) })
    const labels = {
      decision: commandDecision(command),
      reason: command.reason.toLowerCase(),
      consolidation_type: command.consolidationType,
    }
    metrics.decisions.inc(labels)
    for (const nodepool of commandOutline(command).pools) metrics.decisionsByPool.inc({ nodepool, ...labels })
    this.#log.info('disrupting node(s)', logFields(command, id))
    this.#enqueue?.(id)
  }

  controller(): Controller {
    return {
      name: 'disruption.queue',
      sources: [readOnlySource(this.#deps.informers, karpenterKinds.NodeClaim)],
      concurrency: concurrency(this.#deps.settings, 100, 1_000),
      backoff: { base: 1_000, max: 10_000 },
      rate: { qps: 100, burst: 1_000 },
      subscribe: (enqueue) => {
        this.#enqueue = enqueue
        for (const id of this.#commands.keys()) enqueue(id)
        return () => {
          this.#enqueue = undefined
        }
      },
      reconcile: (id, signal) => this.#reconcile(id, signal),
    }
  }

  async #reconcile(id: string, signal: AbortSignal): Promise<Outcome> {
    const started = this.#commands.get(id)
    if (started === undefined) return done()
    const progress = this.#progress(started)
    if (progress === 'ready') {
      if (!this.#mayDrain(started)) return retryAfter(PACE_CHECK)
      await this.#finish(started, signal)
      return done()
    }
    const isLate = this.#deps.clock.now() - started.since > replacementTimeout(this.#byNode.size)
    if (progress === 'waiting' && !isLate) return retryAfter(ASK_AGAIN)
    await this.#rollBack(
      started,
      progress === 'lost' ? 'a replacement was deleted' : 'replacements were not initialized in time',
      signal,
    )
    return done()
  }

  /** Returns the progress of a command. A replacement that was initialized once counts as ready until the command ends. */
  #progress({ command, awaited }: Started): 'ready' | 'waiting' | 'lost' {
    const { state } = this.#deps
    const { events } = this.#reports
    const claims = this.#deps.informers.of(karpenterKinds.NodeClaim)
    let isLost = false
    for (const name of awaited) {
      const claim = claims.get(name)
      if (claim === undefined) {
        // Cluster state contains a new claim before the informer does.
        if (!state.tracksClaim(name)) isLost = true
        continue
      }
      if (claim.metadata.deletionTimestamp !== undefined) {
        isLost = true
        continue
      }
      events.launching(claim, command.reason)
      if (isConditionTrue(claim, 'Initialized')) awaited.delete(name)
      else events.waitingReadiness(claim)
    }
    return isLost ? 'lost' : awaited.size > 0 ? 'waiting' : 'ready'
  }

  /**
   * Returns whether the nodes may drain now. Only a small share of the nodes may drain because of drift at the same time (`DrainPace`).
   * Consolidation is not limited, because every delay costs money.
   */
  #mayDrain({ command: { reason, candidates } }: Started): boolean {
    if (reason !== 'Drifted') return true
    const now = this.#deps.clock.now()
    if (!this.#pace.mayBegin(candidates, now)) return false
    this.#pace.begun(candidates, now)
    return true
  }

  async #finish({ id, command }: Started, signal: AbortSignal): Promise<void> {
    const { reason, consolidationType } = command
    await mapLimit(
      command.candidates,
      PARALLEL,
      async ({ state, claim, pool, reschedulable }) => {
        const consolidationPolicy = consolidationType === '' ? '' : snakeCase(poolConsolidationPolicy(pool))
        const options = { pods: reschedulable, consolidationPolicy, signal }
        if (await this.#deletion.delete(claim, creationReasons[reason], options)) {
          this.#reports.events.terminating({ node: state.node, claim }, reason)
        }
      },
      signal,
    )
    this.#forget(id)
    this.#log.debug('disruption command succeeded', logFields(command, id))
  }

  async #rollBack(started: Started, why: string, signal: AbortSignal): Promise<void> {
    const { state } = this.#deps
    const { metrics } = this.#reports
    const { id, command, awaited } = started
    // The nodes must be unmarked first. As long as they are marked for deletion, the provisioner launches nodes for their pods.
    state.unmarkForDeletion(...command.candidates.map(({ providerID }) => providerID))
    this.#setPending(command, false)
    await this.#unmark(command.candidates, signal)
    this.#forget(id)
    const decision = commandDecision(command)
    metrics.queueFailures.inc(
      { decision, reason: snakeCase(command.reason), consolidation_type: decision },
      Math.max(1, awaited.size),
    )
    this.#log.error('failed terminating nodes while executing a disruption command', {
      ...logFields(command, id),
      error: why,
      awaited: [...awaited],
    })
  }

  #forget(id: string): void {
    const started = this.#commands.get(id)
    this.#commands.delete(id)
    for (const { providerID } of started?.command.candidates ?? []) this.#byNode.delete(providerID)
  }

  /** Taints the nodes. If the command has no replacements, nodes that cannot be tainted are dropped from the command. */
  async #mark(command: Command, signal: AbortSignal): Promise<readonly Candidate[]> {
    const failures: unknown[] = []
    const marked: Candidate[] = []
    await mapLimit(command.candidates, PARALLEL, async (candidate) => {
      try {
        const isThere =
          (await addTaint(this.#deps, candidate.state.node ?? candidate.node, signal)) &&
          (await writeReason(this.#deps, candidate.claim, command.reason, signal))
        if (!isThere) throw controllerErrors.NodeGone({ node: candidate.name })
        marked.push(candidate)
      } catch (error) {
        signal.throwIfAborted()
        failures.push(error)
      }
    })
    if (failures.length > 0 && (command.replacements.length > 0 || marked.length === 0)) {
      const why = failures[0] instanceof Error ? failures[0].message : String(failures[0])
      throw new AggregateError(
        failures,
        `tainting ${failures.length} of ${command.candidates.length} nodes failed: ${why}`,
      )
    }
    return command.candidates.filter((candidate) => marked.includes(candidate))
  }

  async #unmark(candidates: readonly Candidate[], signal: AbortSignal): Promise<void> {
    await mapLimit(candidates, PARALLEL, async ({ node, claim, name }) => {
      try {
        const nodeRef = { name: node.metadata.name }
        const claimRef = { name: claim.metadata.name }
        await removeTaint(this.#deps, await this.#deps.client.get(kinds.Node, nodeRef, { signal }), signal)
        const current = await this.#deps.client.get(karpenterKinds.NodeClaim, claimRef, { signal })
        await writeReason(this.#deps, current, undefined, signal)
      } catch (error) {
        signal.throwIfAborted()
        // The next disruption pass finds the taint and tries again to remove it.
        if (!isNotFound(error))
          this.#log.error('removing the disruption taint of a node failed', { Node: { name }, error })
      }
    })
  }

  /**
   * Marks the nodes of a static pool as about to be replaced, or removes the mark. A marked node counts as a node, but not as a replica.
   */
  #setPending({ replacements, candidates }: Command, isPending: boolean): void {
    if (!replacements.some(({ kind }) => kind === 'template')) return
    const { claims } = this.#deps.state
    for (const { claim } of candidates) {
      const name = claim.metadata.name
      if (isPending) claims.markPendingDisruption(name)
      else claims.unmarkPendingDisruption(name)
    }
  }

  async #launch(
    replacement: Replacement,
    { reason, candidates }: Pick<Command, 'reason' | 'candidates'>,
    signal: AbortSignal,
  ): Promise<string> {
    const { creator } = this.#deps
    const replaced = candidates.map(({ providerID }) => providerID)
    const why: CreationReason = creationReasons[reason]
    const { pool } = replacement
    const created =
      replacement.kind === 'template'
        ? await creator.create(pool, why, (name) => templateClaim(pool, name), { replaced, signal })
        : await creator.create(pool, why, (name) => toNodeClaim(replacement.claim, pool, name), {
            minValuesRelaxed: replacement.claim.minValuesRelaxed,
            replaced,
            signal,
          })
    return created.metadata.name
  }

  /** Protects the nodes on which the command plans pods from disruption for a while. */
  #expectPods({ placements }: Command): void {
    const { state } = this.#deps
    for (const { node } of placements) {
      const target = state.byNodeName(node) ?? state.byClaimName(node)
      if (target !== undefined) state.expectPods(target.providerID)
    }
  }
}
