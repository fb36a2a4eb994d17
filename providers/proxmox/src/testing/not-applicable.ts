import type { CheckId } from '@kerf/provider-contract/conformance'

/** The checks that do not apply to this provider, each with the reason. */
export const notApplicable: Partial<Readonly<Record<CheckId, string>>> = {
  C20: 'Proxmox has no quotas',
  C26: 'an instance joins the cluster by its template, without user data from Kerf',
  C28: 'a clone request contains the description of its owner',
  D08: 'disks and firewall rules are destroyed with the guest',
  B05: 'nothing belongs to a guest but what is destroyed with it',
  B06: 'nothing announces the end of a guest',
  B09: 'tags do not decide whose a guest is',
  T09: 'Proxmox has no prices',
  X06: 'a story of its own: providers/proxmox/tests/process.proxmox.test.ts',
}
