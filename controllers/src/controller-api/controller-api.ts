import { karpenterKinds, kinds, type NodePool, type ProviderVocabulary, setOwnValue } from '@kerf/apis'
import { type InstanceTypeJson, instanceTypeToJson, type KnownObjects } from '@kerf/engine'
import type { Deps } from '../deps.ts'
import type { Disruption } from '../disruption/disruption-controller.ts'
import { ifReadable } from '../isolation/if-readable.ts'
import type { History, HistoryResponse } from '../metrics/history.ts'
import { isManagedPool } from '../node-claims/ownership.ts'
import type { Observations, ObservedDecision } from '../observation/observations.ts'
import type { DecisionLog } from '../provisioning/decision-log.ts'
import type { Bound, BoundResponse } from './bound.ts'
import { type ReportedDecision, reportDecision } from './reported-decision.ts'
import { type NextResponse, reportNext } from './reported-next.ts'
import { type ReportedNode, reportNode } from './reported-node.ts'

/** What every NodePool may launch. Pools that are offered the same types share a list. */
export interface InstanceTypesResponse {
  readonly lists: readonly (readonly InstanceTypeJson[])[]
  /** NodePool name to place in `lists`; pools whose types cannot be determined are left out. */
  readonly pools: Readonly<Record<string, number>>
  /** What labels mean with the provider. */
  readonly vocabulary: ProviderVocabulary
  /** The well-known ones of them, for older dashboards. */
  readonly wellKnownLabels: readonly string[]
}

export interface DecisionsResponse {
  /** Oldest first. */
  readonly decisions: readonly ReportedDecision[]
}

/** Which program this is. The dashboard asks for it before anything else. */
export interface VersionResponse {
  readonly name: 'kerf'
  /** Of the build; empty where there is none, as in a simulation. */
  readonly version: string
  /** The routes that this build has. */
  readonly routes: readonly string[]
}

/** What was decided in observe mode, and not done. */
export interface ObservedResponse {
  /** Whether the whole controller observes. */
  readonly observe: boolean
  /** Oldest first. */
  readonly decisions: readonly ObservedDecision[]
}

/** A response of any route. All are plain JSON; no request changes anything. */
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

/** The names that routes have; `catalogue` is the older one of `instance-types`. */
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

/** What the responses are made from. */
export interface ControllerApiParts {
  readonly bound: Bound
  readonly decisions: DecisionLog
  readonly disruption: Disruption
  readonly history: History
  readonly observations: Observations
  readonly version: string
}

/** The decoded name; nothing for text that is not percent-encoded correctly, such as `%zz`. */
const decoded = (name: string): string | undefined => {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/**
 * The JSON API of the controller, below `/kerf/v1/` on the metrics port. The dashboard is its main reader. `respond` takes the path
 * of a request: `/kerf/v1/bound`, `/kerf/v1/version`, `/kerf/v1/instance-types` (older name: `/kerf/v1/catalogue`), `/kerf/v1/decisions`,
 * `/kerf/v1/history`, `/kerf/v1/history/<NodePool>`, `/kerf/v1/next`, `/kerf/v1/observed` or `/kerf/v1/nodes/<name>`. It returns nothing for any other path.
 *
 * Whoever reaches the port may read the responses: the API server removes `Authorization` when it proxies to a Service, so Kerf
 * cannot know who asks. Responses therefore name only objects without a namespace (NodePools, NodeClaims, Nodes, instance
 * types). Pods and PodDisruptionBudgets appear by uid alone; readers join them with the objects that they may list themselves.
 */
export class ControllerApi {
  readonly #deps: Pick<Deps, 'informers' | 'provider' | 'settings'>
  readonly #parts: ControllerApiParts

  constructor(deps: Pick<Deps, 'informers' | 'provider' | 'settings'>, parts: ControllerApiParts) {
    this.#deps = deps
    this.#parts = parts
  }

  async respond(path: string, signal: AbortSignal): Promise<ControllerResponse | undefined> {
    if (!path.startsWith(BASE)) return undefined
    const [what, name, ...more] = path.slice(BASE.length).split('/')
    if (more.length > 0) return undefined
    if (what === 'nodes' && name !== undefined) return await this.#node(name, signal)
    if (what === 'history') return this.#parts.history.respond(name === undefined ? undefined : decoded(name))
    if (name !== undefined) return undefined
    if (what === 'bound') return await this.#parts.bound.respond(signal)
    if (what === 'next') return reportNext(await this.#parts.disruption.nextMoves(signal), this.#known())
    if (what === 'version') return { name: 'kerf', version: this.#parts.version, routes: ROUTES }
    if (what === 'instance-types' || what === 'catalogue') return this.#instanceTypes(signal)
    if (what === 'observed') {
      return { observe: this.#deps.settings.observe, decisions: this.#parts.observations.recent }
    }
    if (what === 'decisions') {
      const pods = this.#deps.informers.of(kinds.Pod)
      return {
        decisions: this.#parts.decisions.all.map((decision) => reportDecision(decision, (key) => pods.get(key))),
      }
    }
    return undefined
  }

  async #node(name: string, signal: AbortSignal): Promise<ReportedNode | undefined> {
    const asked = decoded(name)
    const explanation = asked === undefined ? undefined : await this.#parts.disruption.explainNode(asked, signal)
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

  /** Nothing for a pool that the provider cannot serve right now; the pool's own conditions say why. */
  async #typesOf(pool: NodePool, signal: AbortSignal) {
    try {
      return await this.#deps.provider.instanceTypes(pool, signal)
    } catch {
      signal.throwIfAborted()
      return undefined
    }
  }
}
