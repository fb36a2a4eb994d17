import type { FailureKind } from '@kerf/provider-contract/conformance'
import type { FakeFault } from './fake-oci/fake-oci.ts'
import { notFound, throttled } from './fake-oci/refusal.ts'

/** The fake's fault for each failure kind of the conformance suite. A missing policy looks like a missing object. */
export const cloudFaults: Readonly<Record<FailureKind, FakeFault>> = {
  throttle: { refusal: throttled },
  auth: { refusal: notFound('no policy allows the call') },
  network: { refusal: 'network' },
  serverError: { refusal: { status: 503, code: 'ServiceUnavailable', message: 'The service is not available.' } },
}
