import type { FailureKind } from '@kerf/provider-contract/conformance'
import { type FakeFault, throttled } from './fake-alibaba/fake-alibaba.ts'

/** The fake's fault for each failure kind of the conformance suite. */
export const cloudFaults: Readonly<Record<FailureKind, FakeFault>> = {
  throttle: { refusal: throttled },
  auth: {
    refusal: {
      status: 403,
      code: 'Forbidden.RAM',
      message: 'User not authorized to operate on the specified resource.',
    },
  },
  network: { refusal: 'network' },
  serverError: { refusal: { status: 500, code: 'InternalError', message: 'The request processing has failed.' } },
}
