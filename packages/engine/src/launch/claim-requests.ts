import {
  formatQuantity,
  formatResources,
  type NodeClaimSpec,
  type Quantity,
  quantityFormat,
  setOwnValue,
} from '@kerf/apis'
import { floatAt } from '../column.ts'
import type { Resources } from '../instance-type.ts'
import type { BatchPod } from '../model/equivalence-group.ts'
import { byText } from '../requirements/requirement.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { ResourceTable } from '../resources/resource-table.ts'

type ClaimResources = NonNullable<NonNullable<NodeClaimSpec['resources']>['requests']>

/** The requests of a claim's pods and daemons, as exact amounts and as text for the NodeClaim. */
export interface ClaimRequests {
  readonly requests: Resources
  readonly written: ClaimResources
}

interface Amount {
  readonly exact: Quantity
  readonly text: string
}

/**
 * Computes the total requests of claims. The row of a claim already contains the sums, so each value is converted back to an exact amount,
 * once per distinct value. If rows are rounded, or if a pod requests a resource without a column, the amounts of the pods are added up one
 * by one instead.
 */
export class ClaimRequestTable {
  readonly #table: ResourceTable
  readonly #amounts = new Map<Amounts, Map<number, Amount>[]>()

  constructor(table: ResourceTable) {
    this.#table = table
  }

  of(pods: readonly BatchPod[], used: Float64Array, overhead: Amounts): ClaimRequests {
    const mentioned = this.#table.isExact ? this.#mentioned(pods, overhead) : -1
    return mentioned === -1 ? addedUp(pods, overhead) : this.#fromRow(mentioned, used, overhead)
  }

  /** Returns the columns that pods or daemons request, as bits; -1 if a requested resource has no column. */
  #mentioned(pods: readonly BatchPod[], overhead: Amounts): number {
    let bits = this.#table.columnsOf(overhead.keys())
    // -1 has all bits set, so it stays -1.
    for (let place = 0; place < pods.length; place++) bits |= pods[place]?.equivalenceGroup.columns ?? -1
    return bits
  }

  #fromRow(mentioned: number, used: Float64Array, overhead: Amounts): ClaimRequests {
    const { columnsByName } = this.#table
    let columns = this.#amounts.get(overhead)
    if (columns === undefined) {
      columns = columnsByName.map(() => new Map<number, Amount>())
      this.#amounts.set(overhead, columns)
    }
    const requests: Record<string, Quantity> = {}
    const written: Record<string, string> = {}
    for (const { name, column } of columnsByName) {
      if ((mentioned & (1 << column)) === 0) continue
      const value = floatAt(used, column)
      const known = columns[column]
      let amount = known?.get(value)
      if (amount === undefined) {
        const exact = (this.#table.amountOf(column, value) + (overhead.get(name) ?? 0n)) as Quantity
        amount = { exact, text: formatQuantity(exact, quantityFormat(name)) }
        known?.set(value, amount)
      }
      setOwnValue(requests, name, amount.exact)
      setOwnValue(written, name, amount.text)
    }
    return { requests, written }
  }
}

const addedUp = (pods: readonly BatchPod[], overhead: Amounts): ClaimRequests => {
  const sum = new Map(overhead)
  for (const { equivalenceGroup } of pods) {
    for (const [name, amount] of equivalenceGroup.requests) sum.set(name, (sum.get(name) ?? 0n) + amount)
  }
  const requests = Object.fromEntries(
    [...sum].sort(([a], [b]) => byText(a, b)).map(([name, amount]) => [name, amount as Quantity]),
  )
  return { requests, written: formatResources(requests) }
}
