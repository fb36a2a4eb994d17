import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks that do not apply to this provider, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C23: 'one request creates the instance with its disks and addresses',
  C28: 'an instance carries its labels from the launch on',
  H05: 'an instance stays in its subnetwork, which is hashed',
  H07: 'drift is decided from the NodeClaim and its class, without a call',
  B05: 'nothing belongs to an instance except what is deleted with it',
  B09: 'an instance carries its labels from the launch on',
  B10: 'nothing of an instance can be changed in place',
  X06: 'a story of its own: providers/gcp/tests/process.gcp.test.ts',
}
