import type { FailureKind } from '@kerf/provider-contract/conformance'
import type { FakeFault } from './fake-proxmox/fake-proxmox.ts'

/** The fault of the fake for each failure kind of the conformance suite. */
export const cloudFaults: Readonly<Record<FailureKind, FakeFault>> = {
  // Proxmox limits no rates. A proxy before it may.
  throttle: { status: 429, message: 'Too Many Requests' },
  auth: { status: 403, message: 'Permission check failed (/vms/9000, VM.Clone)' },
  network: { code: 'ECONNRESET' },
  serverError: { status: 500, message: 'got timeout' },
}
