import { tryParseQuantity } from '@kerf/apis'
import { outOfRange, wordAt } from '../column.ts'
import { type ClaimConstraintsTable, forEachBit } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { ExistingNode } from '../model/existing-node.ts'
import type { NodeId } from '../model/ids.ts'
import type { Template } from '../model/template.ts'
import { countsAgainst, type PoolUse } from '../nodes/pool-use.ts'
import type { Amounts } from '../resources/amounts.ts'

const ONE = 1_000_000_000n

interface LimitedResource {
  readonly name: string
  remaining: bigint
  /** Capacity of each type. */
  readonly capacities: readonly bigint[]
  readonly largest: bigint
  /** Offerings of a state, those of the largest types first. */
  readonly bySize: Map<number, readonly number[]>
}

interface Capacities {
  readonly capacities: readonly bigint[]
  readonly largest: bigint
}

const knownCapacities = new WeakMap<Template, Map<string, Capacities>>()

const capacitiesOf = (template: Template, name: string): Capacities => {
  let byName = knownCapacities.get(template)
  if (byName === undefined) {
    byName = new Map()
    knownCapacities.set(template, byName)
  }
  let known = byName.get(name)
  if (known === undefined) {
    const capacities = template.types.map(({ type }): bigint => type.capacity[name] ?? 0n)
    known = { capacities, largest: capacities.reduce((a, b) => (a > b ? a : b), 0n) }
    byName.set(name, known)
  }
  return known
}

/**
 * What the limits of a pool still allow. They count capacity, of existing nodes and of the largest type that a new claim
 * may become; `nodes` counts nodes, exactly, within a decision too (upstream counts it only between decisions).
 */
export class PoolLimits {
  readonly #template: Template
  readonly #resources: LimitedResource[] = []
  #nodes: bigint | undefined

  /**
   * `pods` is the most claims there can be: a limit that so many claims cannot reach is not looked at again. `gone` are
   * nodes (by number among `nodes`) that use nothing any more.
   */
  constructor(
    template: Template,
    use: PoolUse,
    pods: number,
    gone: ReadonlySet<NodeId> = new Set(),
    nodes: readonly ExistingNode[] = [],
  ) {
    this.#template = template
    const limited = template.pool.spec.limits
    if (limited === undefined) return
    const leaving = [...gone]
      .flatMap((index) => nodes[index] ?? [])
      .filter(({ state }) => countsAgainst(template.name, state))
    const used = use.get(template.name)
    for (const [name, text] of Object.entries(limited)) {
      const limit = tryParseQuantity(text)
      if (limit === undefined) continue
      let remaining = limit - (used?.get(name) ?? 0n)
      for (const { state } of leaving) remaining += name === 'nodes' ? ONE : (state.capacity[name] ?? 0n)
      if (name === 'nodes') {
        this.#nodes = remaining
        continue
      }
      const { capacities, largest } = capacitiesOf(template, name)
      if (remaining < largest * BigInt(pods + 1)) {
        this.#resources.push({ name, remaining, capacities, largest, bySize: new Map() })
      }
    }
  }

  get nodesExhausted(): boolean {
    return this.#nodes !== undefined && this.#nodes < ONE
  }

  /** The types that one more claim may be: 0 for all, `undefined` for none. */
  allowed(constraintsTable: ClaimConstraintsTable): number | undefined {
    if (this.#resources.every(({ largest, remaining }) => largest <= remaining)) return 0
    const { types, offerings } = this.#template
    const fits = types.map((_, type) =>
      this.#resources.every(
        ({ remaining, capacities }) => (capacities[type] ?? outOfRange('capacities of types', type)) <= remaining,
      ),
    )
    if (fits.every(Boolean)) return 0
    if (!fits.some(Boolean)) return undefined
    const set = new Uint32Array((offerings.length + 31) >>> 5)
    for (const [index, { type }] of offerings.entries()) {
      if (fits[type] === true) set[index >>> 5] = wordAt(set, index >>> 5) | (1 << (index & 31))
    }
    return constraintsTable.allow(set)
  }

  /** Takes the largest type that a new claim may still become. */
  take(constraints: ClaimConstraints, used: Float64Array): void {
    if (this.#nodes !== undefined) this.#nodes -= ONE
    const { offerings } = this.#template
    for (const resource of this.#resources) {
      const { capacities } = resource
      const sizeOf = (offering: number): bigint => {
        const type = offerings[offering]?.type ?? outOfRange('offerings', offering)
        return capacities[type] ?? outOfRange('capacities of types', type)
      }
      let bySize = resource.bySize.get(constraints.id)
      if (bySize === undefined) {
        const all: number[] = []
        forEachBit(constraints.offerings, (index) => all.push(index))
        bySize = all.sort((a, b) => (sizeOf(a) < sizeOf(b) ? 1 : sizeOf(a) > sizeOf(b) ? -1 : a - b))
        resource.bySize.set(constraints.id, bySize)
      }
      const largest = bySize.find((index) => constraints.index.fits(index, used))
      if (largest !== undefined) resource.remaining -= sizeOf(largest)
    }
  }

  /** What is left of each limit, for explanations and for the improvement pass. */
  remaining(): Amounts {
    const left = new Map(this.#resources.map(({ name, remaining }) => [name, remaining]))
    if (this.#nodes !== undefined) left.set('nodes', this.#nodes)
    return left
  }
}
