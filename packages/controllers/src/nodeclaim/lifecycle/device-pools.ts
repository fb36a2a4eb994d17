import { kinds, type Node, type ResourceSlice } from '@kerf/apis'
import { type InformerFactory, type Source, source } from '@kerf/runtime'

const BY_NODE = 'lifecycle.nodeName'

const sliceNodes = (slice: ResourceSlice): readonly string[] => [
  ...new Set([
    ...(slice.spec.nodeName === undefined ? [] : [slice.spec.nodeName]),
    ...(slice.metadata.ownerReferences ?? []).filter(({ kind }) => kind === 'Node').map(({ name }) => name),
  ]),
]

/** Determines which device drivers have published the devices of a node (`docs/spec/lifecycle.md#initialization`). */
export class DevicePools {
  readonly #informers: InformerFactory

  constructor(informers: InformerFactory) {
    this.#informers = informers
    this.#slices.index(BY_NODE, sliceNodes)
  }

  /** Returns a controller source whose keys are the names of Nodes. A key is reported when the ResourceSlices of the Node change. */
  source(): Source {
    return source(this.#slices, ({ before, after }) => {
      const slice = after ?? before
      return slice === undefined ? [] : sliceNodes(slice)
    })
  }

  /** Returns the first driver that has no complete device pool on the node, or undefined if every driver has one. */
  firstIncomplete(drivers: readonly string[], node: Node): string | undefined {
    const slices: readonly ResourceSlice[] = this.#slices.by(BY_NODE, node.metadata.name)
    return drivers.find((driver) => !hasCompletePool(slices.filter(({ spec }) => spec.driver === driver)))
  }

  get #slices() {
    return this.#informers.of(kinds.ResourceSlice)
  }
}

/**
 * Returns whether any device pool is complete. A pool is complete if all slices of its newest generation exist. Each slice contains the
 * number of slices.
 */
const hasCompletePool = (slices: readonly ResourceSlice[]): boolean =>
  [...Map.groupBy(slices, ({ spec }) => spec.pool.name).values()].some((pool) => {
    const newest = Math.max(...pool.map(({ spec }) => spec.pool.generation ?? 0))
    const current = pool.filter(({ spec }) => (spec.pool.generation ?? 0) === newest)
    const declared = current[0]?.spec.pool.resourceSliceCount ?? 0
    return declared > 0 && current.length === declared
  })
