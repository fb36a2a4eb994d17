import type { FailureKind } from '@kerf/provider-contract/conformance'
import type { FakeFault } from './fake-proxmox/fake-proxmox.ts'

/** The fake's fault for each failure kind of the conformance suite. */
export const cloudFaults: Readonly<Record<FailureKind, FakeFault>> = {
  // Proxmox has no rate limit, but a proxy in front of it may have one.
  throttle: { status: 429, message: 'Too Many Requests' },
  auth: { status: 403, message: 'Permission check failed (/vms/9000, VM.Clone)' },
  network: { code: 'ECONNRESET' },
  serverError: { status: 500, message: 'got timeout' },
}
