import { karpenterKinds, type ResourceKind, type UsdPerHour } from '@kerf/apis'
import { legacyResources } from '@kerf/apis/legacy'
import { LabelRules, type Offering } from '@kerf/engine'
import { overlaidProvider } from '@kerf/provider-contract'
import { type Controller, ControllerManager, leanWorkload, type RunSignals, type SharedInformers } from '@kerf/runtime'
import { Bound } from './controller-api/bound.ts'
import { ControllerApi, type ControllerResponse } from './controller-api/controller-api.ts'
import type { Deps, Scheduler } from './deps.ts'
import { nodeClaimDisruption } from './disruption/conditions/node-claim-disruption.ts'
import { Disruption } from './disruption/disruption-controller.ts'
import type { NodeExplanation } from './disruption/explanation/explain-node.ts'
import { type LegacyOptions, legacyDeps } from './legacy/legacy-deps.ts'
import { legacyNodeTemplates } from './legacy/node-templates.ts'
import { LegacyProvisioners } from './legacy/provisioners.ts'
import { lifecycleControllers } from './lifecycle-controllers.ts'
import { allConditionMetrics } from './metrics/condition-metrics.ts'
import { HistorySampler } from './metrics/history-sampler.ts'
import { InteractionMetrics } from './metrics/interaction-metrics.ts'
import { NodeMetrics } from './metrics/node-metrics.ts'
import { NodePoolMetrics } from './metrics/nodepool-metrics.ts'
import { PodMetrics } from './metrics/pod-metrics.ts'
import { clockEvents } from './modes/clock-events.ts'
import { OtherAutoscalers } from './modes/coexistence/other-autoscalers.ts'
import { quietEvents } from './modes/coexistence/quiet-events.ts'
import { statusReader } from './modes/coexistence/status-reader.ts'
import { decisionsConfigMap } from './modes/observe/decisions-config-map.ts'
import { Observations } from './modes/observe/observations.ts'
import { observingClient } from './modes/observe/observing-client.ts'
import { operationsController } from './modes/operations-controller.ts'
import { NodeRepair } from './node/repair/node-repair.ts'
import { nodePoolCounter } from './nodepool/counter.ts'
import { nodePoolHashing } from './nodepool/hash.ts'
import { NodeOverlays } from './nodepool/overlay/overlay-controller.ts'
import { OverlayStore } from './nodepool/overlay/overlay-store.ts'
import { nodePoolReadiness } from './nodepool/readiness.ts'
import { nodePoolRegistrationHealth } from './nodepool/registration-health/registration-health-controller.ts'
import { RegistrationOutcomes } from './nodepool/registration-health/registration-outcomes.ts'
import { staticDeprovisioning } from './nodepool/static-capacity/deprovisioning.ts'
import { StaticProvisioning } from './nodepool/static-capacity/provisioning.ts'
import { nodePoolValidation } from './nodepool/validation.ts'
import { PodNomination } from './pod/nomination/pod-nomination.ts'
import { clusterPolicyController } from './policy/cluster-policy-controller.ts'
import { CommitmentSource } from './policy/commitments/commitment-source.ts'
import { nodePoolPolicyController } from './policy/node-pool-policy-controller.ts'
import { PriceBook } from './policy/price-book/price-book.ts'
import { sleepDeadlineController } from './policy/sleep-deadline-controller.ts'
import { CapacityBuffers } from './provisioning/capacity-buffer/buffer-controller.ts'
import { BufferPods } from './provisioning/capacity-buffer/buffer-pods.ts'
import { scalableKinds } from './provisioning/capacity-buffer/scalable-kinds.ts'
import { ExpectedPods } from './provisioning/expected-pods/expected-pods.ts'
import { expectedPodsController } from './provisioning/expected-pods/expected-pods-controller.ts'
import { podOwnerKinds } from './provisioning/expected-pods/pod-owners.ts'
import { UnusedClaims } from './provisioning/expected-pods/unused-claims.ts'
import type { VirtualPods } from './provisioning/in-memory-pods.ts'
import { Provisioner } from './provisioning/provisioner.ts'
import { nodeTrigger, podTrigger } from './provisioning/triggers.ts'
import { ClusterState } from './state/cluster-state.ts'
import { ClusterSync } from './state/cluster-sync.ts'
import { setAsideEvent } from './state/isolation/set-aside-event.ts'
import { Snapshots } from './state/snapshot.ts'

/** The dependencies of `Kerf`. Kerf starts the informers itself. */
export interface KerfDeps extends Deps {
  readonly informers: SharedInformers
}

export interface KerfOptions {
  /** `scheduleInSteps` of `@kerf/engine`. Tests may pass another function. */
  readonly schedule: Scheduler
  /** Present if Kerf serves the legacy kinds. */
  readonly legacy?: LegacyOptions
  /** The namespace of two ConfigMaps: one with declared prices, one with the decisions of observe mode. Default `kube-system`. */
  readonly namespace?: string
  /** Reads a file with declared prices. Absent if the process does not read files. */
  readonly readFile?: (path: string) => Promise<string>
  /** The version of this build, reported on the metrics port. */
  readonly version?: string
  /**
   * Whether Kerf computes and discards a decision before its first real one, so that V8 compiles the code in advance. Useful only in
   * long-running processes.
   */
  readonly rehearses?: boolean
  /** Yields to other work of the process between the steps of a long response. If absent, responses are computed without a break. */
  readonly pause?: () => Promise<unknown>
}

/**
 * Returns the custom resources that Kerf requires with these settings and this provider. Includes the legacy kinds if they are
 * served.
 */
export const requiredKinds = (
  { provider, settings }: Pick<Deps, 'provider' | 'settings'>,
  legacy?: LegacyOptions,
): readonly ResourceKind[] => [
  karpenterKinds.NodePool,
  karpenterKinds.NodeClaim,
  ...provider.nodeClasses,
  ...(settings.featureGates.NodeOverlay ? [karpenterKinds.NodeOverlay] : []),
  ...(settings.featureGates.CapacityBuffer ? [karpenterKinds.CapacityBuffer] : []),
  ...(legacy === undefined ? [] : legacyResources(legacy.templates).map(({ kind }) => kind)),
]

/**
 * A complete Kerf: cluster state and all controllers, with the given client, clock, random source and provider. It is the composition root
 * of the process (`kerf run`), of the terminal demo and of every simulation.
 */
export class Kerf {
  readonly state: ClusterState
  readonly sync: ClusterSync
  readonly snapshots: Snapshots
  readonly provisioner: Provisioner
  readonly disruption: Disruption
  /** Decisions that Kerf recorded but did not execute, because of observe mode. */
  readonly observations: Observations
  readonly #informers: SharedInformers
  readonly #manager: ControllerManager
  readonly #answers: ControllerApi
  readonly #sampler: HistorySampler
  readonly #overlays: OverlayStore | undefined
  readonly #priceBook: PriceBook
  readonly #commitmentSource: CommitmentSource
  readonly #others: OtherAutoscalers
  readonly #expected: ExpectedPods | undefined
  #isWarm = false

  constructor(deps: KerfDeps, options: KerfOptions) {
    const gates = deps.settings.featureGates
    const rules = new LabelRules(deps.provider.vocabulary)
    const overlays = gates.NodeOverlay ? new OverlayStore(rules) : undefined
    this.#overlays = overlays
    // Almost all controllers see instance types with declared prices and NodeOverlays applied. The exceptions are the controllers that
    // compute these two.
    const namespace = options.namespace ?? 'kube-system'
    const { readFile } = options
    const sourceDeps = { ...deps, namespace, ...(readFile === undefined ? {} : { readFile }) }
    const priceBook = new PriceBook(sourceDeps)
    this.#priceBook = priceBook
    this.#commitmentSource = new CommitmentSource(sourceDeps)
    const priced = priceBook.within(deps.provider)
    const provider = overlays === undefined ? priced : overlaidProvider(priced, overlays)
    const others = new OtherAutoscalers(deps)
    this.#others = others
    const { observe } = deps.settings
    const client = observe ? observingClient(deps.client) : deps.client
    const own: KerfDeps = { ...deps, client, provider, events: quietEvents(deps, others) }
    this.observations = new Observations(own)
    this.#informers = deps.informers
    for (const kind of new Set([...scalableKinds, ...podOwnerKinds.map(({ kind }) => kind)])) {
      deps.informers.configure(kind, { project: leanWorkload })
    }
    this.state = new ClusterState(own, others)
    this.state.isolation.onSetAside((found) => {
      const event = setAsideEvent(found)
      if (event !== undefined) own.events.publish(event)
    })
    this.state.follow()
    priceBook.onChange(() => this.state.markUnconsolidated())
    this.sync = new ClusterSync(own, this.state)
    this.snapshots = new Snapshots(own, this.state)
    const { state, sync, snapshots } = this
    const buffers = gates.CapacityBuffer ? new BufferPods(own, state) : undefined
    const { observations } = this
    const { schedule, rehearses = false } = options
    const expected = deps.settings.planExpectedPods === 'on' ? new ExpectedPods(own, state) : undefined
    this.#expected = expected
    const unused = expected === undefined || observe ? undefined : new UnusedClaims(own, state, expected.launchedAhead)
    this.provisioner = new Provisioner({
      ...own,
      ...{ state, sync, snapshots, observations, schedule, rehearses },
      ...(buffers === undefined ? {} : { buffers }),
      ...(expected === undefined ? {} : { expected }),
    })
    const { creator } = this.provisioner
    this.disruption = new Disruption({
      ...own,
      state,
      sync,
      snapshots,
      creator,
      observations,
      provisioning: () => this.provisioner.deciding,
      ...virtualPods(buffers, expected),
    })
    this.#sampler = new HistorySampler(own, state)
    this.#answers = new ControllerApi({
      ...own,
      bound: new Bound({ ...own, state, snapshots, pause: options.pause ?? (() => Promise.resolve()) }),
      decisions: this.provisioner.decisions,
      disruption: this.disruption,
      observations,
      ...(unused === undefined ? {} : { unused }),
      history: this.#sampler.history,
      version: options.version ?? '',
    })
    this.#manager = new ControllerManager({
      clock: deps.clock,
      random: deps.random,
      metrics: deps.metrics,
      logger: deps.log,
    })
    if (observe) {
      this.#manager.add(...this.#observers(own), decisionsConfigMap(own, observations, namespace))
      if (others.ignoresNodes) this.#manager.add(statusReader(own, others, () => state.markUnconsolidated()))
      return
    }
    this.#manager.add(...this.#controllers(own))
    if (overlays !== undefined) this.#manager.add(new NodeOverlays(deps, state, overlays, rules).controller())
    if (buffers !== undefined) {
      this.#manager.add(new CapacityBuffers(own, buffers, (uid) => this.provisioner.trigger(uid)).controller())
    }
    if (unused !== undefined) this.#manager.add(unused.controller())
    if (others.ignoresNodes) this.#manager.add(statusReader(own, others, () => state.markUnconsolidated()))
    if (options.legacy !== undefined) {
      const legacy = legacyDeps(own, options.legacy)
      this.#manager.add(new LegacyProvisioners(legacy).controller(), legacyNodeTemplates(legacy))
    }
    if (gates.StaticCapacity) {
      this.#manager.add(
        new StaticProvisioning(own, { state, sync, creator }).controller(),
        staticDeprovisioning(own, state),
      )
    }
  }

  /** The names of all running controllers. */
  get controllers(): readonly string[] {
    return this.#manager.controllers
  }

  /** Whether any controller is reconciling or has queued keys. */
  get busy(): boolean {
    return this.#manager.busy
  }

  /** Returns the hourly price of an offering in a pool. Declared prices and NodeOverlays are applied. Undefined if the price is unknown. */
  priceOf(pool: string, instanceType: string, offering: Offering): UsdPerHour | undefined {
    const priced = this.#priceBook.priced(instanceType, offering)
    return this.#overlays?.priceOf(pool, instanceType, priced) ?? priced.price
  }

  /** The decision log of the provisioner. */
  get decisions(): Provisioner['decisions'] {
    return this.provisioner.decisions
  }

  /**
   * Returns everything that currently blocks the disruption of a node, and what Kerf would do with the node if nothing blocked it. `name`
   * is the name of the Node or of its NodeClaim. Returns undefined if the node is unknown.
   */
  explainNode(name: string, signal: AbortSignal): Promise<NodeExplanation | undefined> {
    return this.disruption.explainNode(name, signal)
  }

  /** Returns the response of `/kerf/v1` for a path (see `ControllerApi`), or undefined if the path does not exist. */
  respond(path: string, signal: AbortSignal): Promise<ControllerResponse | undefined> {
    return this.#answers.respond(path, signal)
  }

  /** Lists and watches objects but does not act, so that Kerf can act at once when it becomes leader. Repeated calls do nothing. */
  warmUp(signal: AbortSignal): void {
    if (this.#isWarm) return
    this.#isWarm = true
    this.#informers.start(signal)
  }

  /**
   * Runs until the stop signal, and then waits for current reconciliations to finish. If leadership is lost, the `abandon` signal aborts
   * them. Errors of controllers are not thrown.
   */
  async run(signals: RunSignals): Promise<void> {
    const watching = new AbortController()
    this.warmUp(watching.signal)
    try {
      await this.#manager.run(signals)
    } finally {
      watching.abort()
    }
  }

  /** Returns the controllers that trigger the provisioner for pending pods, and for pods that owners have not created yet. */
  #triggers(deps: KerfDeps): readonly Controller[] {
    const { state, provisioner } = this
    const expected = this.#expected
    return [
      podTrigger(deps, state, provisioner, expected),
      ...(expected === undefined ? [] : [expectedPodsController(deps, expected, (uid) => provisioner.trigger(uid))]),
    ]
  }

  /** Returns the controllers that decide or measure without changing the cluster. */
  #observers(deps: KerfDeps): readonly Controller[] {
    const { state, provisioner } = this
    return [
      provisioner.controller(),
      ...this.#triggers(deps),
      this.#priceBook.controller(),
      ...this.disruption.controllers(),
      ...(deps.settings.disableClusterStateObservability ? [] : observers(deps, state, this.#others)),
      ...(deps.provider.controllers?.() ?? []).flatMap((each) =>
        each.readsOnly === true ? each : (each.observing ?? []),
      ),
    ]
  }

  #controllers(deps: KerfDeps): readonly Controller[] {
    const { state, sync, provisioner } = this
    const outcomes = new RegistrationOutcomes()
    const nomination = new PodNomination(deps, state)
    return [
      provisioner.controller(),
      ...this.#triggers(deps),
      nodeTrigger(deps, provisioner),
      nomination.controller(),
      nodePoolReadiness(deps),
      nodePoolValidation(deps),
      nodePoolHashing(deps),
      operationsController(deps, this.#expected?.limits),
      clockEvents(deps),
      nodePoolCounter(deps, state, sync),
      this.#priceBook.controller(),
      this.#commitmentSource.controller(),
      clusterPolicyController(deps, state, sync, this.#priceBook, this.#commitmentSource),
      nodePoolPolicyController(deps, state),
      sleepDeadlineController(deps, state),
      nodePoolRegistrationHealth(deps, outcomes),
      ...lifecycleControllers(deps, {
        outcomes,
        beforeOpening: (claim, node, signal) => nomination.nominate(claim, node, signal),
      }),
      nodeClaimDisruption(deps),
      ...this.disruption.controllers(),
      ...(deps.settings.featureGates.NodeRepair && deps.provider.repairPolicies.length > 0
        ? [new NodeRepair(deps).controller()]
        : []),
      ...(deps.settings.disableClusterStateObservability
        ? []
        : [...observers(deps, state, this.#others), this.#sampler.controller()]),
      ...(deps.provider.controllers?.() ?? []),
    ]
  }
}

/** Returns the controllers that only measure and report. */
const observers = (deps: Deps, state: ClusterState, others: OtherAutoscalers): readonly Controller[] => [
  new NodeMetrics(deps, state).controller(),
  new NodePoolMetrics(deps, state).controller(),
  new PodMetrics(deps, state).controller(),
  ...new InteractionMetrics(deps, state, others).controllers(),
  ...allConditionMetrics(deps),
]

/** Returns the virtual pods, which exist only in Kerf's memory, for disruption. */
const virtualPods = (
  buffers: VirtualPods | undefined,
  expected: VirtualPods | undefined,
): { readonly buffers?: VirtualPods } => {
  const all = [buffers, expected].filter((each) => each !== undefined)
  if (all.length === 0) return {}
  return {
    buffers: {
      pods: () => all.flatMap((each) => each.pods()),
      within: (snapshot) => all.reduce((within, each) => each.within(within), snapshot),
      isVirtual: (pod) => all.some((each) => each.isVirtual(pod)),
    },
  }
}
