import { kinds, type Milliseconds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { TtlCache } from '@kerf/runtime'
import { isOwnNode } from './instance-node.ts'

/** How long the record of a gone instance is kept, in milliseconds. A NodeClaim waits less long for its registration. */
const KEPT_FOR: Milliseconds = 3_600_000

/**
 * Records instances whose Node existed and is gone. The Node is the instance, so such an instance does not start again, regardless of its
 * NodeClaim. After a restart of the process, the record is empty, and instances whose claims still exist start again.
 */
export class GoneInstances {
  readonly #ids

  constructor({ informers, clock }: Pick<ProviderContext, 'informers' | 'clock'>) {
    const ids = new TtlCache<string, true>(clock, { ttl: KEPT_FOR })
    this.#ids = ids
    informers.of(kinds.Node).onChange(({ before, after }) => {
      const providerID = before?.spec.providerID
      if (after === undefined && before !== undefined && providerID !== undefined && isOwnNode(before))
        ids.set(providerID, true)
    })
  }

  has(providerID: string | undefined): boolean {
    return providerID !== undefined && this.#ids.get(providerID) !== undefined
  }
}
