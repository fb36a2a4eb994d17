import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks of the provider contract that do not apply to KWOK, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C03: 'a KWOKNodeClass is not hashed',
  C20: 'the simulated cloud has no quotas',
  C23: 'a launch makes one object',
  C24: 'a launch that was accepted does not fail',
  C26: 'nothing boots, so there is no user data',
  D08: 'nothing belongs to an instance but its Node',
  L02: 'the Node is the instance: there is none without Node and NodeClaim',
  T06: 'the class has no kubelet settings',
  T08: 'the class has no networks',
  T09: 'prices come with the instance types and are not refreshed',
  H02: 'a KWOKNodeClass is not hashed',
  H03: 'a KWOKNodeClass is not hashed',
  H04: 'instances have no image',
  H05: 'the class has no networks',
  H07: 'simulated instances never differ from their class, so nothing is looked up',
  B05: 'nothing belongs to an instance but its Node',
  B06: 'the simulated cloud interrupts nothing',
  B07: 'a KWOKNodeClass owns nothing that outlives it, as upstream’s',
  B08: 'a KWOKNodeClass is ready by its schema',
  B09: 'a Node carries its marks from birth',
  B10: 'nothing of an instance can be changed in place',
  X04: 'there are no credentials',
  X05: 'there are no secrets',
  X06: 'run as a story of its own on the real control plane',
}
