import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks of the provider contract that do not apply to this provider, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C20: 'the cloud has no quotas',
  C23: 'a launch makes one object',
  C24: 'a launch that was accepted does not fail',
  C26: 'servers get no user data',
  C28: 'a server has its tags from the moment it is created',
  D08: 'a server has no dependent resources',
  T06: 'the class has no kubelet settings',
  T09: 'prices are part of the program',
  H04: 'the image is a field of the class, so it is hashed',
  H05: 'the class selects no networks',
  H07: 'drift is told from the class alone, and nothing is looked up',
  B05: 'a server has no dependent resources',
  B06: 'the cloud interrupts nothing',
  B07: 'the class owns nothing that outlives it',
  B08: 'nothing has to be found out about a class',
  B09: 'a server has its tags from the moment it is created',
  B10: 'nothing of a server can be changed in place',
  X04: 'there are no credentials',
  X05: 'there are no secrets',
  X06: 'there is no such cloud',
}
