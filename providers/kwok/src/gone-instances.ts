import { kinds, type Milliseconds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { TtlCache } from '@kerf/runtime'
import { isOwnNode } from './instance-node.ts'

/** How long the record of a gone instance is kept, in milliseconds. This is longer than a NodeClaim waits for its registration. */
const KEPT_FOR: Milliseconds = 3_600_000

/**
 * Records instances whose Node existed and is gone. Because the Node is the instance, such an instance must not start again, even if its
 * NodeClaim still exists. After a restart of the process, the record is empty, and instances whose claims still exist start again.
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
