import type { Milliseconds } from '@kerf/apis'
import type { OfferingSelector } from '@kerf/sandbox'

/** The faults that only AWS has. */
export type AwsFault =
  | {
      readonly kind: 'aws-call'
      /** The name of the call in the fake, for example `createFleet`. */
      readonly call: string
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'cut' | 'slow' | 'crash'
    }
  /** All selected offerings together have only this many instances left, so fleets are partly filled. */
  | {
      readonly kind: 'few-left'
      readonly selector: OfferingSelector
      readonly left: number
      readonly duration: Milliseconds
    }
  /** EC2 lists fresh instances and tags with this delay. */
  | { readonly kind: 'seen-late'; readonly by: Milliseconds; readonly duration: Milliseconds }
  /** Other users of the account have spent the request tokens of an action. */
  | { readonly kind: 'empty-bucket'; readonly action: string; readonly duration: Milliseconds }
  /** The interruption queue delivers a message `copies` times. The first delivery is `late` milliseconds late. */
  | {
      readonly kind: 'queue-message'
      readonly about: 'spot' | 'rebalance' | 'unknown' | 'nonsense'
      readonly pick: number
      readonly copies: number
      readonly late: Milliseconds
    }
