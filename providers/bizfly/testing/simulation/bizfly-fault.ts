import type { Milliseconds } from '@kerf/apis'
import type { FakeCall } from '@kerf/provider-bizfly/testing'

/** The faults that are specific to Bizfly Cloud. */
export type BizflyFault =
  | {
      readonly kind: 'bizfly-call'
      readonly call: FakeCall
      readonly skip: number
      readonly times: number
      readonly when: 'before' | 'after'
      readonly failure: 'throttled' | 'error' | 'lost' | 'crash'
    }
  /** The password has changed, so Bizfly Cloud refuses every sign-in, and all tokens are invalid. */
  | { readonly kind: 'password-changed'; readonly duration: Milliseconds }
  /** Creations fail after Bizfly Cloud has accepted them. */
  | { readonly kind: 'creations-fail'; readonly duration: Milliseconds }
  /** The project cannot have more servers. */
  | { readonly kind: 'quota-zero'; readonly duration: Milliseconds }
  /** Creations take this long. */
  | { readonly kind: 'creations-slow'; readonly duration: Milliseconds }
  /** Lists omit new servers for up to twenty seconds. */
  | { readonly kind: 'lists-lag'; readonly duration: Milliseconds }
