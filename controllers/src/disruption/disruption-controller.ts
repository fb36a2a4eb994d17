import { karpenterKinds, kinds } from '@kerf/apis'
import { type Decision, disruptionReasons } from '@kerf/engine'
import {
  type Controller,
  isConflict,
  type Logger,
  type Milliseconds,
  mapLimit,
  type Outcome,
  retry,
  retryAfter,
} from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { ClaimCreator } from '../provisioning/claim-creator.ts'
import type { VirtualPods } from '../provisioning/provisioner.ts'
import { read } from '../read.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'
import type { Snapshots } from '../state/snapshot.ts'
import type { PoolBudgets } from './budgets/pool-budgets.ts'
import { blockersFor } from './candidates/assessment.ts'
import { type Command, commandDecision } from './commands/command.ts'
import { DisruptionEvents } from './commands/disruption-events.ts'
import { DisruptionMetrics } from './commands/disruption-metrics.ts'
import { BlockedConditions } from './conditions/disruption-blocked.ts'
import { CommandQueue } from './execution/command-queue.ts'
import { hasReason, isTainted, markReason, removeTaint } from './execution/disrupted-marks.ts'
import { TerminatingNodes } from './execution/terminating-nodes.ts'
import { VALIDATION_WAIT, Validator } from './execution/validation.ts'
import { budgetsByReason, statusOf } from './explanation/disruption-status.ts'
import { explainNode, type NodeExplanation } from './explanation/explain-node.ts'
import { NodeReasons } from './explanation/node-reasons.ts'
import { drift } from './methods/drift.ts'
import { eligibility, isTold } from './methods/eligibility.ts'
import { emptiness } from './methods/emptiness.ts'
import type { Method } from './methods/method.ts'
import { multiNode } from './methods/multi-node.ts'
import { singleNode } from './methods/single-node.ts'
import { staticDrift } from './methods/static-drift.ts'
import { type DisruptionPass, DisruptionPasses } from './passes/disruption-pass.ts'
import { IdlePasses, type PassInput } from './passes/idle-passes.ts'
import { MoveMemory } from './undone-moves/move-memory.ts'

const EVERY: Milliseconds = 10_000
const SYNC_RETRY: Milliseconds = 1_000
/** A look at the cluster that is older is not good enough for the next method. */
const STALE_AFTER: Milliseconds = 1_000
const PARALLEL = 20

const isConsolidation = ({ reason }: Command): boolean => reason === 'Underutilized'

export interface DisruptionParts {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly snapshots: Snapshots
  readonly creator: ClaimCreator
  readonly buffers?: VirtualPods
}

/**
 * Decides which nodes go although they work: because they are empty, not what their pool asks for any more, or dearer
 * than they need be (`docs/spec/disruption.md`). Methods are asked in turn, and the first that finds something
 * to do ends the round; every candidate is evaluated in every round.
 */
export class Disruption {
  readonly queue: CommandQueue
  readonly #deps: Deps
  readonly #parts: DisruptionParts
  readonly #rounds: DisruptionPasses
  readonly #departures: TerminatingNodes
  readonly #methods: readonly Method[]
  readonly #events: DisruptionEvents
  readonly #metrics: DisruptionMetrics
  readonly #reasons: NodeReasons
  readonly #rest = new IdlePasses()
  readonly #blocked: BlockedConditions
  readonly #memory = new MoveMemory()
  readonly #log: Logger
  /** Pools that have series of their own. */
  readonly #measured = new Set<string>()

  constructor(deps: Deps, parts: DisruptionParts) {
    this.#deps = deps
    this.#parts = parts
    this.#log = deps.log.child('disruption', { controller: 'disruption' })
    const { state, snapshots, creator, buffers } = parts
    const events = new DisruptionEvents(deps.events)
    const metrics = new DisruptionMetrics(deps.metrics)
    this.#events = events
    this.#metrics = metrics
    this.#reasons = new NodeReasons(deps.metrics)
    this.#blocked = new BlockedConditions(deps)
    this.queue = new CommandQueue({ deps, state, creator, events, metrics })
    const isQueued = (providerID: string): boolean => this.queue.has(providerID)
    this.#rounds = new DisruptionPasses({
      deps,
      state,
      snapshots,
      isQueued,
      memory: this.#memory,
      ...(buffers === undefined ? {} : { buffers }),
    })
    this.#departures = new TerminatingNodes(deps.clock, state)
    const validator = new Validator({
      deps,
      state,
      rounds: this.#rounds,
      departures: this.#departures,
      events,
      metrics,
    })
    const tools = { validator, events, metrics }
    this.#methods = [emptiness(validator), staticDrift(state), drift(events), multiNode(tools), singleNode(tools)]
  }

  controllers(): readonly Controller[] {
    const { informers } = this.#deps
    return [
      {
        name: 'disruption',
        sources: [
          read(informers, kinds.Pod),
          read(informers, kinds.Node),
          read(informers, kinds.PodDisruptionBudget),
          read(informers, karpenterKinds.NodePool),
          read(informers, karpenterKinds.NodeClaim),
        ],
        singleton: true,
        concurrency: 1,
        backoff: { base: SYNC_RETRY, max: EVERY },
        reconcile: (_key, signal) => this.#reconcile(signal),
      },
      this.queue.controller(),
      this.#blocked.controller(),
    ]
  }

  /** Why the node is not being disrupted, or how it would be; nothing for a node that is not known. */
  async explainNode(name: string, signal: AbortSignal): Promise<NodeExplanation | undefined> {
    const round = await this.#rounds.take(signal)
    return await explainNode(name, round, {
      state: this.#parts.state,
      commandOf: (providerID) =>
        this.queue.commands.find(({ candidates }) =>
          candidates.some((candidate) => candidate.providerID === providerID),
        ),
      signal,
    })
  }

  async #reconcile(signal: AbortSignal): Promise<Outcome> {
    if (!(await this.#parts.sync.synced(signal))) return retryAfter(SYNC_RETRY)
    try {
      const seen = await this.#rounds.seen(signal)
      if (this.#rest.lasts(seen, this.#deps.clock.now())) return retryAfter(EVERY)
      await this.#openLeftovers(signal)
      const started = await this.#round(seen, signal)
      if (started.length === 0) return retryAfter(EVERY)
      await this.#letGo(started, signal)
      return retryAfter(0)
    } catch (error) {
      if (isConflict(error)) return retry()
      throw error
    }
  }

  /** What an earlier process or a failed command left closed is opened again. */
  async #openLeftovers(signal: AbortSignal): Promise<void> {
    const deps = this.#deps
    const leftovers = [...this.#parts.state.nodes()].filter(
      (node) =>
        node.claim !== undefined &&
        node.node !== undefined &&
        !node.isMarkedForDeletion &&
        !this.queue.has(node.providerID) &&
        (isTainted(node.node) || hasReason(node.claim)),
    )
    await mapLimit(
      leftovers,
      PARALLEL,
      async ({ node, claim, isInitialized }) => {
        if (node !== undefined && isTainted(node)) await removeTaint(deps, node, signal)
        if (claim !== undefined && isInitialized && hasReason(claim)) await markReason(deps, claim, undefined, signal)
      },
      signal,
    )
  }

  /**
   * What only goes away is expected to be gone before the next command has been validated. Replacements may take their
   * time: where budgets are short their nodes get a moment, and after that budgets are used as they are.
   */
  async #letGo(commands: readonly Command[], signal: AbortSignal): Promise<void> {
    this.#departures.begin(commands)
    if (commands.every(({ replacements }) => replacements.length === 0)) return
    const pools = new Set(commands.flatMap(({ candidates }) => candidates.map(({ poolName }) => poolName)))
    const isShort = [...pools].some((pool) => {
      const { disrupting = 0, total = 0, allowance } = this.#rounds.budgets('Underutilized').byPool.get(pool) ?? {}
      return allowance !== undefined && allowance.allowed < total - disrupting
    })
    if (isShort) await this.#departures.wait(signal)
    else this.#departures.begin([])
  }

  /** Answers the commands that were begun; after one, another round should follow soon. */
  async #round(seen: PassInput, signal: AbortSignal): Promise<readonly Command[]> {
    const { clock } = this.#deps
    const began = clock.now()
    const first = await this.#rounds.take(signal)
    this.#tellBlocked(first)
    const { round, started, failures } = await this.#askMethods(first, signal)
    this.#tellStandings(round)
    if (failures.length === 0) {
      // What did not hold when it was validated is looked at again soon.
      if (started.length === 0 && clock.now() - began < VALIDATION_WAIT) {
        this.#rest.begin(seen, round, this.#lookAgain(round))
      }
      return started
    }
    const why = failures[0] instanceof Error ? failures[0].message : String(failures[0])
    throw new AggregateError(failures, `disrupting nodes: ${why}`)
  }

  /** From when on time alone may make a difference to what was found, or to what is to be written of it. */
  #lookAgain(round: DisruptionPass): Milliseconds {
    const isTimed = round.answers.isSettling || round.hasWindows
    return isTimed ? round.now : Math.min(round.waitsEnd, this.#blocked.nextLook)
  }

  /** In turn, until one finds something to do; answers the last look at the cluster too. What one fails in keeps no other. */
  async #askMethods(
    first: DisruptionPass,
    signal: AbortSignal,
  ): Promise<{
    readonly round: DisruptionPass
    readonly started: readonly Command[]
    readonly failures: readonly unknown[]
  }> {
    const { clock } = this.#deps
    const failures: unknown[] = []
    let round = first
    for (const method of this.#methods) {
      // A method that waited for validation looked at another moment than the next one has to.
      if (clock.now() - round.now > STALE_AFTER) round = await this.#rounds.take(signal)
      try {
        const started = await this.#run(method, round, signal)
        if (started.length > 0) return { round, started, failures: [] }
      } catch (error) {
        signal.throwIfAborted()
        if (isConflict(error)) throw error
        failures.push(error)
        this.#log.error('disruption method failed', { method: method.name, error })
      }
    }
    return { round, started: [], failures }
  }

  /** What the methods found out about every node. */
  #tellStandings(round: DisruptionPass): void {
    const { state } = this.#parts
    const budgets = budgetsByReason(round)
    this.#blocked.tell(
      round.assessments.map((assessment) => [assessment.state, statusOf(assessment, round, state, budgets)]),
    )
  }

  #tellBlocked(round: DisruptionPass): void {
    for (const assessment of round.assessments) {
      const [blocker] = blockersFor(assessment, 'graceful')
      if (blocker !== undefined) this.#events.blocked(assessment.state, blocker)
      this.#events.protections(assessment.state, round.now)
    }
    this.#reasons.tell(round, this.#parts.state)
    for (const reason of disruptionReasons) this.#tellBudgets(round.budgets(reason))
    for (const nodepool of this.#measured) {
      if (this.#deps.informers.of(karpenterKinds.NodePool).get(nodepool) !== undefined) continue
      this.#metrics.allowed.remove({ nodepool })
      this.#metrics.consuming.remove({ nodepool })
      this.#measured.delete(nodepool)
    }
  }

  #tellBudgets({ byPool, reason }: PoolBudgets): void {
    for (const [nodepool, { pool, allowance, disrupting, total }] of byPool) {
      this.#metrics.allowed.set(allowance.allowed, { nodepool, reason })
      this.#metrics.consuming.set(disrupting, { nodepool, reason })
      this.#measured.add(nodepool)
      // What cannot be read is told before there is a node to keep.
      const isBlocking = total > 0 && allowance.allowed === 0
      if (isBlocking || allowance.error !== undefined) this.#events.budgetBlocked(pool, reason, allowance.error)
      if (allowance.error !== undefined) {
        this.#log.error('unable to evaluate disruption budgets', {
          NodePool: { name: nodepool },
          error: allowance.error,
        })
      }
    }
  }

  async #run(method: Method, round: DisruptionPass, signal: AbortSignal): Promise<readonly Command[]> {
    const { clock } = this.#deps
    const labels = { reason: method.reason.toLowerCase(), consolidation_type: method.type }
    const began = clock.monotonic()
    const eligible = round.candidates(method.class).filter((candidate) => {
      const [blocker] = eligibility(method.name, candidate, this.#parts.state)
      if (blocker !== undefined && isTold(blocker)) this.#events.unconsolidatable(candidate.state, blocker)
      return blocker === undefined
    })
    this.#metrics.eligible.set(eligible.length, { reason: labels.reason })
    if (eligible.length === 0) return []
    const budgets = this.#rounds.budgets(method.reason, method.isValidated ? this.#departures.nodes : undefined)
    const commands = await method.compute(eligible, round, budgets, signal)
    this.#metrics.evaluation.observe((clock.monotonic() - began) / 1000, labels)
    return await this.#start(commands, round, signal)
  }

  async #start(
    commands: readonly Command[],
    { types }: DisruptionPass,
    signal: AbortSignal,
  ): Promise<readonly Command[]> {
    const nothing: Decision = 'no-op'
    const real = commands.filter((command) => commandDecision(command) !== nothing)
    const failures: unknown[] = []
    const shared = real.some(isConsolidation) ? this.#rounds.sharedPools(types) : undefined
    await Promise.all(
      real.map(async (command) => {
        try {
          await this.queue.start(command, signal)
        } catch (error) {
          failures.push(error)
          return
        }
        if (!isConsolidation(command)) return
        for (const touched of new Set(command.candidates.map(({ poolName }) => shared?.get(poolName)))) {
          if (touched !== undefined) this.#memory.begun(touched, types, this.#deps.clock.now())
        }
      }),
    )
    signal.throwIfAborted()
    const [first] = failures
    if (first === undefined) return real
    if (failures.length === 1) throw first
    const why = first instanceof Error ? first.message : String(first)
    throw new AggregateError(failures, `starting ${failures.length} of ${real.length} commands failed: ${why}`)
  }
}
