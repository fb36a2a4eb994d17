import { karpenterKinds, kinds, type NodePool, type ProviderVocabulary, setOwnValue } from '@kerf/apis'
import { type InstanceTypeJson, instanceTypeToJson, type KnownObjects } from '@kerf/engine'
import type { Deps } from '../deps.ts'
import type { Disruption } from '../disruption/disruption-controller.ts'
import type { History, HistoryResponse } from '../metrics/history.ts'
import type { Observations, ObservedDecision } from '../modes/observe/observations.ts'
import { isManagedPool } from '../nodeclaim/ownership.ts'
import type { DecisionLog } from '../provisioning/decision-log.ts'
import type { UnusedClaims } from '../provisioning/expected-pods/unused-claims.ts'
import { ifReadable } from '../state/isolation/if-readable.ts'
import type { Bound, BoundResponse } from './bound.ts'
import { type ReportedDecision, reportDecision } from './reported-decision.ts'
import { type NextResponse, reportNext } from './reported-next.ts'
import { type ReportedNode, reportNode } from './reported-node.ts'

/** The instance types that each NodePool may launch. Pools with the same types share a list. */
export interface InstanceTypesResponse {
  readonly lists: readonly (readonly InstanceTypeJson[])[]
  /** Maps the name of each NodePool to the index of its list in `lists`. Omits pools whose instance types cannot be determined. */
  readonly pools: Readonly<Record<string, number>>
  /** The meaning of the provider's labels. */
  readonly vocabulary: ProviderVocabulary
  /** The well-known labels in `vocabulary`, for older dashboards. */
  readonly wellKnownLabels: readonly string[]
}

export interface DecisionsResponse {
  /** Oldest first. */
  readonly decisions: readonly ReportedDecision[]
}

/** Identifies the program. The dashboard requests it first. */
export interface VersionResponse {
  readonly name: 'kerf'
  /** The build version. Empty in builds without a version, for example in a simulation. */
  readonly version: string
  /** The routes of this build. */
  readonly routes: readonly string[]
}

/** The decisions that Kerf made but did not execute, because of observe mode. */
export interface ObservedResponse {
  /** Whether the whole controller runs in observe mode. */
  readonly observe: boolean
  /** Oldest first. */
  readonly decisions: readonly ObservedDecision[]
}

/** The response of any route. Every response is plain JSON. Requests are read-only. */
export type ControllerResponse =
  | BoundResponse
  | VersionResponse
  | InstanceTypesResponse
  | DecisionsResponse
  | HistoryResponse
  | NextResponse
  | ObservedResponse
  | ReportedNode

const BASE = '/kerf/v1/'

/** The names of the routes. `catalogue` is the old name of `instance-types`. */
const ROUTES = [
  'bound',
  'decisions',
  'history',
  'history/NAME',
  'instance-types',
  'next',
  'nodes/NAME',
  'observed',
  'version',
].map((route) => `${BASE}${route}`)

/** The objects that compute the responses. */
export interface ControllerApiDeps extends Pick<Deps, 'informers' | 'provider' | 'settings'> {
  readonly bound: Bound
  readonly decisions: DecisionLog
  readonly disruption: Disruption
  readonly history: History
  readonly observations: Observations
  /** Defined only with `PLAN_EXPECTED_PODS=on`. */
  readonly unused?: UnusedClaims
  readonly version: string
}

/** Returns the decoded name, or undefined if the percent-encoding is invalid, such as `%zz`. */
const decoded = (name: string): string | undefined => {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/**
 * The JSON API of the controller, below `/kerf/v1/` on the metrics port. Its main client is the dashboard. `respond` takes
 * the path of a request: `/kerf/v1/bound`, `/kerf/v1/version`, `/kerf/v1/instance-types` (old name: `/kerf/v1/catalogue`),
 * `/kerf/v1/decisions`, `/kerf/v1/history`, `/kerf/v1/history/<NodePool>`, `/kerf/v1/next`, `/kerf/v1/observed` or
 * `/kerf/v1/nodes/<name>`. It returns undefined for any other path.
 *
 * Every client that reaches the port may read the responses. The API server removes `Authorization` when it proxies to a
 * Service, so Kerf cannot authenticate clients. Responses therefore name only cluster-scoped objects (NodePools, NodeClaims,
 * Nodes) and instance types. Pods and PodDisruptionBudgets appear only by UID. Clients join them with the objects that they
 * may list themselves.
 */
export class ControllerApi {
  readonly #deps: ControllerApiDeps

  constructor(deps: ControllerApiDeps) {
    this.#deps = deps
  }

  async respond(path: string, signal: AbortSignal): Promise<ControllerResponse | undefined> {
    if (!path.startsWith(BASE)) return undefined
    const [what, name, ...more] = path.slice(BASE.length).split('/')
    if (more.length > 0) return undefined
    if (what === 'nodes' && name !== undefined) return await this.#node(name, signal)
    if (what === 'history') return this.#deps.history.respond(name === undefined ? undefined : decoded(name))
    if (name !== undefined) return undefined
    if (what === 'bound') return await this.#deps.bound.respond(signal)
    if (what === 'next') {
      const moves = await this.#deps.disruption.nextMoves(signal)
      return reportNext(moves, this.#known(), this.#deps.unused?.next())
    }
    if (what === 'version') return { name: 'kerf', version: this.#deps.version, routes: ROUTES }
    if (what === 'instance-types' || what === 'catalogue') return this.#instanceTypes(signal)
    if (what === 'observed') {
      return { observe: this.#deps.settings.observe, decisions: this.#deps.observations.recent }
    }
    if (what === 'decisions') {
      const pods = this.#deps.informers.of(kinds.Pod)
      return {
        decisions: this.#deps.decisions.all.map((decision) => reportDecision(decision, (key) => pods.get(key))),
      }
    }
    return undefined
  }

  async #node(name: string, signal: AbortSignal): Promise<ReportedNode | undefined> {
    const asked = decoded(name)
    const explanation = asked === undefined ? undefined : await this.#deps.disruption.explainNode(asked, signal)
    if (explanation === undefined) return undefined
    return reportNode(explanation, this.#known())
  }

  #known(): KnownObjects {
    const pods = this.#deps.informers.of(kinds.Pod)
    const budgets = this.#deps.informers.of(kinds.PodDisruptionBudget)
    return { pod: (key) => pods.get(key), budget: (key) => budgets.get(key)?.metadata.uid }
  }

  async #instanceTypes(signal: AbortSignal): Promise<InstanceTypesResponse> {
    const { informers, provider } = this.#deps
    const places = new Map<unknown, number>()
    const lists: (readonly InstanceTypeJson[])[] = []
    const pools: Record<string, number> = {}
    for (const pool of informers.of(karpenterKinds.NodePool).values()) {
      const name = ifReadable(() => (isManagedPool(provider, pool) ? pool.metadata.name : undefined))
      const types = name !== undefined ? await this.#typesOf(pool, signal) : undefined
      if (types === undefined || name === undefined) continue
      const known = places.get(types)
      if (known === undefined) lists.push(types.map(instanceTypeToJson))
      const place = known ?? lists.length - 1
      places.set(types, place)
      setOwnValue(pools, name, place)
    }
    const { added } = provider.vocabulary
    return { lists, pools, vocabulary: added, wellKnownLabels: added.wellKnown }
  }

  /**
   * Returns the pool's instance types, or undefined if the provider cannot serve the pool at the moment. The pool's conditions give
   * the reason.
   */
  async #typesOf(pool: NodePool, signal: AbortSignal) {
    try {
      return await this.#deps.provider.instanceTypes(pool, signal)
    } catch {
      signal.throwIfAborted()
      return undefined
    }
  }
}
