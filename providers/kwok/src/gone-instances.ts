import { kinds, type Milliseconds } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { TtlCache } from '@kerf/runtime'
import { isOwnNode } from './instance-node.ts'

/** Longer than a claim waits for its registration. */
const KEPT_FOR: Milliseconds = 3_600_000

/**
 * The instances whose Node was there and is gone: the Node is the instance, so they do not boot again, whatever their claims say.
 * A process that starts later does not know of them, and boots those whose claims are still wanted.
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
