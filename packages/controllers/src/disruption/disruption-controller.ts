import { karpenterKinds, kinds, type Milliseconds, type NodePool } from '@kerf/apis'
import { type Controller, isConflict, isWaiting, type Logger, type Outcome, retry, retryAfter } from '@kerf/runtime'
import type { Deps } from '../deps.ts'
import type { Observations } from '../modes/observe/observations.ts'
import { CLOCK_RETRY } from '../nodeclaim/clock-hold.ts'
import type { ClaimCreator } from '../provisioning/claim-creator.ts'
import type { VirtualPods } from '../provisioning/in-memory-pods.ts'
import { readOnlySource } from '../read-only-source.ts'
import type { ClusterState } from '../state/cluster-state.ts'
import type { ClusterSync } from '../state/cluster-sync.ts'
import type { Snapshots } from '../state/snapshot.ts'
import type { Command } from './commands/command.ts'
import { DisruptionEvents } from './commands/disruption-events.ts'
import { DisruptionMetrics } from './commands/disruption-metrics.ts'
import { BlockedConditions } from './conditions/disruption-blocked.ts'
import { CommandQueue } from './execution/command-queue.ts'
import { uncordonLeftovers } from './execution/leftovers.ts'
import { TerminatingNodes } from './execution/terminating-nodes.ts'
import { Validator } from './execution/validation.ts'
import { disruptionStatuses } from './explanation/disruption-status.ts'
import { explainNode, type NodeExplanation } from './explanation/explain-node.ts'
import { type NextMoves, nextMoves } from './explanation/next-moves.ts'
import { PassReports } from './explanation/pass-reports.ts'
import { isConsolidation, MethodRunner } from './method-runner.ts'
import type { MethodTools } from './methods/method.ts'
import { methods } from './methods/methods.ts'
import type { DisruptionPass } from './passes/disruption-pass.ts'
import { DisruptionPasses } from './passes/disruption-passes.ts'
import type { PassInput } from './passes/pass-cache.ts'
import { SearchRest } from './passes/search-rest.ts'
import { TargetNodes } from './target/target-nodes.ts'
import { TargetTaint } from './target/target-taint.ts'
import { VALIDATION_WAIT } from './target/validation-wait.ts'
import { MoveMemory } from './undone-moves/move-memory.ts'

const EVERY: Milliseconds = 10_000
const SYNC_RETRY: Milliseconds = 1_000
const AFTER_VALIDATION: Milliseconds = 1_000
/**
 * The maximum age of a disruption pass's view of the cluster. An older view is replaced after an earlier disruption method waited for
 * validation, and before a method that does not validate.
 */
const STALE_AFTER: Milliseconds = 1_000
/** How long the nodes of the target keep their taint if the search for the target does not run because passes start other commands. */
const TARGET_KEPT: Milliseconds = 60_000

export interface DisruptionDeps extends Deps {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly snapshots: Snapshots
  readonly creator: ClaimCreator
  readonly observations: Observations
  readonly buffers?: VirtualPods
  /**
   * Returns a promise that resolves when the current pass of the provisioner ends, or undefined if no pass is running. Searches wait for
   * it.
   */
  readonly provisioning?: () => Promise<void> | undefined
}

/** The commands started in a pass, the latest view of the cluster, and the errors. */
interface MethodsResult {
  readonly pass: DisruptionPass
  readonly started: readonly Command[]
  readonly failures: readonly unknown[]
  /** Whether any disruption method found a command. It may be a command that was not started. */
  readonly hasFound: boolean
}

/**
 * Decides which healthy nodes to disrupt: empty nodes, nodes that differ from what their pool requires, and nodes that cost more than
 * necessary (`docs/spec/disruption.md`). Each pass evaluates every candidate. The disruption methods search one after the other, and the
 * first valid command ends the pass.
 */
export class Disruption {
  readonly queue: CommandQueue
  readonly #deps: DisruptionDeps
  readonly #passes: DisruptionPasses
  readonly #terminating: TerminatingNodes
  readonly #tools: MethodTools
  readonly #reports: PassReports
  readonly #blocked: BlockedConditions
  readonly #runner: MethodRunner
  readonly #rest = new SearchRest()
  /** Whether the latest pass skipped consolidation. Consolidation is skipped for a while after a search that found nothing. */
  #hasPutOff = false
  readonly #taint: TargetTaint
  readonly #log: Logger

  constructor(deps: DisruptionDeps) {
    this.#deps = deps
    this.#log = deps.log.child('disruption', { controller: 'disruption' })
    const { state, observations } = deps
    const memory = new MoveMemory()
    const events = new DisruptionEvents(deps.events)
    const metrics = new DisruptionMetrics(deps.metrics)
    for (const method of methods) if (isConsolidation(method)) metrics.neverTimesOut(method.consolidationType)
    this.#taint = new TargetTaint({ client: deps.client, state, log: this.#log })
    const targets = { together: new TargetNodes(), alone: new TargetNodes() }
    this.#tools = { state, events, metrics, targets }
    this.#reports = new PassReports({ ...deps, log: this.#log }, { events, metrics })
    this.#blocked = new BlockedConditions(deps)
    this.queue = new CommandQueue(deps, { events, metrics })
    this.#passes = new DisruptionPasses({
      ...deps,
      memory,
      isQueued: (providerID) => this.queue.has(providerID),
    })
    const { clock } = deps
    const [terminating, passes, tools] = [new TerminatingNodes(clock, state), this.#passes, this.#tools]
    this.#terminating = terminating
    this.#runner = new MethodRunner({
      ...{ clock, tools, observations, passes, terminating, memory, taint: this.#taint, queue: this.queue },
      validator: new Validator({ clock, state, terminating, targets, events, metrics, passes, sync: deps.sync }),
    })
  }

  controllers(): readonly Controller[] {
    const { informers } = this.#deps
    const own: Controller[] = this.#deps.settings.observe ? [] : [this.queue.controller(), this.#blocked.controller()]
    return [
      {
        name: 'disruption',
        sources: [
          readOnlySource(informers, kinds.Pod),
          readOnlySource(informers, kinds.Node),
          readOnlySource(informers, kinds.PodDisruptionBudget),
          readOnlySource(informers, karpenterKinds.NodePool),
          readOnlySource(informers, karpenterKinds.NodeClaim),
        ],
        singleton: true,
        concurrency: 1,
        backoff: { base: SYNC_RETRY, max: EVERY },
        reconcile: (_key, signal) => this.#reconcile(signal),
      },
      ...own,
    ]
  }

  /** Returns why the node is not disrupted, or the move that would disrupt it. Undefined for an unknown node. */
  async explainNode(name: string, signal: AbortSignal): Promise<NodeExplanation | undefined> {
    const pass = await this.#passes.begin(signal)
    return await explainNode(name, pass, {
      state: this.#deps.state,
      commandOf: (providerID) =>
        this.queue.commands.find(({ candidates }) =>
          candidates.some((candidate) => candidate.providerID === providerID),
        ),
      signal,
    })
  }

  /** Returns the commands under way and the next moves. */
  async nextMoves(signal: AbortSignal): Promise<NextMoves> {
    const { state, observations } = this.#deps
    const acts = (pool: NodePool): boolean => !observations.observes(pool)
    return await nextMoves(await this.#passes.begin(signal), state, this.queue.commands, acts, signal)
  }

  /** Returns whether the latest pass found nothing to disrupt and the cluster has not changed since. */
  async isIdle(signal: AbortSignal): Promise<boolean> {
    if (this.queue.commands.length > 0 || this.#hasPutOff) return false
    return this.#passes.cache.isIdle(await this.#passes.input(signal), this.#deps.clock.now())
  }

  async #reconcile(signal: AbortSignal): Promise<Outcome> {
    if (this.#deps.clock.problem !== undefined) return retryAfter(CLOCK_RETRY)
    if (!(await this.#deps.sync.synced(signal))) return retryAfter(SYNC_RETRY)
    try {
      const input = await this.#passes.input(signal)
      if (this.#passes.cache.isIdle(input, this.#deps.clock.now())) return retryAfter(EVERY)
      if (!this.#deps.settings.observe)
        await uncordonLeftovers(this.#deps, this.#deps.state, (providerID) => this.queue.has(providerID), signal)
      const began = this.#deps.clock.monotonic()
      const started = await this.#pass(input, signal)
      if (started.length === 0) {
        // A pass waits only during validation. If it waited but started no command, the command became invalid during the wait. There may
        // be another command, so the next pass starts soon.
        const hasWaited = this.#deps.clock.monotonic() - began >= VALIDATION_WAIT
        return retryAfter(hasWaited ? AFTER_VALIDATION : EVERY)
      }
      await this.#countOnTermination(started, signal)
      return retryAfter(0)
    } catch (error) {
      if (isConflict(error)) return retry()
      throw error
    }
  }

  /** Runs one pass and returns the commands that it started. If it started any, the caller should run another pass soon. */
  async #pass(input: PassInput, signal: AbortSignal): Promise<readonly Command[]> {
    const { clock } = this.#deps
    const began = clock.now()
    const first = await this.#passes.begin(signal)
    await first.inSteps(this.#reports.report(first), signal)
    const rests = !this.#rest.isOver(first, clock.now())
    this.#hasPutOff = rests
    const { pass, started, failures, hasFound } = await this.#searchAll(first, rests, signal)
    if (hasFound || this.queue.commands.length > 0) this.#rest.end()
    else if (!rests && failures.length === 0) this.#rest.begin(pass, clock.now())
    await pass.rest(signal)
    if (!this.#deps.settings.observe) {
      const { together } = this.#tools.targets
      // If no command was started, the pass ran every method. In this case, only nodes that a search of this pass found belong to the
      // target.
      await this.#taint.keepOnly(together.namesSince(started.length === 0 ? began : began - TARGET_KEPT), signal)
      this.#blocked.report(await pass.inSteps(disruptionStatuses(pass, this.#deps.state), signal))
    }
    if (failures.length === 0) {
      // A pass waits only during validation. If it waited but started no command, the command became invalid during the wait. The result is
      // not cached, so the next pass searches again.
      if (started.length === 0 && clock.now() - began < VALIDATION_WAIT) {
        const { now, assessments } = pass
        const waitsEnd = rests ? Math.min(pass.waitsEnd, this.#rest.until) : pass.waitsEnd
        this.#passes.cache.keepIdle(input, { now, assessments, waitsEnd }, this.#nextCheck(pass))
      }
      return started
    }
    const why = failures[0] instanceof Error ? failures[0].message : String(failures[0])
    throw new AggregateError(failures, `disrupting nodes: ${why}`)
  }

  /**
   * Returns when the result of the pass may change even if the cluster does not. Ignores when undone moves may be tried again, because the
   * `waitsEnd` of the pass has that time.
   */
  #nextCheck(pass: DisruptionPass): Milliseconds {
    const isTimed = pass.findings.isSettling || pass.hasWindows
    return isTimed ? pass.now : this.#blocked.nextCheck
  }

  /**
   * Runs the disruption methods one after the other until one finds a command. An error of one method does not stop the others. If `rests`
   * is true, consolidation methods do not search.
   */
  async #searchAll(first: DisruptionPass, rests: boolean, signal: AbortSignal): Promise<MethodsResult> {
    const { clock } = this.#deps
    const failures: unknown[] = []
    let pass = first
    let hasFound = false
    // While a disruption method waits for validation, the cluster may change. A long search alone does not require a new view, because
    // validation always reads the cluster again.
    let hasWaited = false
    for (const method of methods) {
      if ((hasWaited || method.validation === 'none') && clock.now() - pass.now > STALE_AFTER) {
        pass = await this.#passes.begin(signal)
        hasWaited = false
      }
      try {
        await pass.rest(signal)
        const { found, started } = await this.#runner.run(method, pass, rests, signal)
        if (found.length > 0) hasFound = hasWaited = true
        if (started.length > 0) return { pass, started, failures: [], hasFound }
      } catch (error) {
        signal.throwIfAborted()
        if (isConflict(error)) throw error
        failures.push(error)
        hasWaited = true
        if (!isWaiting(error)) this.#log.error('disruption method failed', { method: method.name, error })
      }
    }
    return { pass, started: [], failures, hasFound }
  }

  /**
   * Treats the nodes of these commands as gone when the next command is chosen. Nodes that are deleted without a replacement are usually
   * gone before the next command is validated. For replaced nodes, this function waits briefly until they are gone if the budget is used
   * up.
   */
  async #countOnTermination(commands: readonly Command[], signal: AbortSignal): Promise<void> {
    this.#terminating.begin(commands)
    if (commands.every(({ replacements }) => replacements.length === 0)) return
    const pools = new Set(commands.flatMap(({ candidates }) => candidates.map(({ poolName }) => poolName)))
    const isShort = [...pools].some((pool) => {
      const { disrupting = 0, total = 0, allowance } = this.#passes.budgets('Underutilized').byPool.get(pool) ?? {}
      return allowance !== undefined && allowance.allowed < total - disrupting
    })
    if (isShort) await this.#terminating.wait(signal)
    else this.#terminating.begin([])
  }
}
