import { defineErrors, entry } from '@kerf/runtime'

/** Errors of the Proxmox provider. */
export const proxmoxErrors = defineErrors('proxmox', {
  PrivilegeMissing: entry({
    when: 'The token lacks a privilege without which Proxmox hides guests, hypervisors or storages.',
    text: (e: { region: string; privilege: string; path: string }) =>
      `region ${e.region}: the token lacks ${e.privilege} on ${e.path}, so Proxmox hides objects from Kerf`,
    next: 'grant the role that "kerf proxmox roles" prints',
    example: { region: 'home', privilege: 'VM.Audit', path: '/vms' },
  }),
  UnknownProxmoxRegion: entry({
    when: 'A NodeClaim or a node class names a Proxmox cluster that CLOUD_CONFIG does not have.',
    text: (e: { region: string }) => `CLOUD_CONFIG has no Proxmox cluster for the region ${e.region}`,
    next: 'add the cluster to CLOUD_CONFIG, or correct the region',
    example: { region: 'home' },
  }),
  NoFreeGuestId: entry({
    when: 'Every ID of the range for new guests is used.',
    text: (e: { region: string; first: number }) => `region ${e.region}: no guest ID from ${e.first} on is free`,
    next: 'set PROXMOX_VMID to the start of a range with free IDs',
    example: { region: 'home', first: 20000 },
  }),
  TemplatesLeft: entry({
    when: 'A ProxmoxTemplate was deleted, and Proxmox still has templates of it.',
    text: (e: { name: string; left: number }) => `ProxmoxTemplate ${e.name}: ${e.left} templates are being destroyed`,
    next: 'wait; if the message stays, look at the tasks in Proxmox: a template with linked clones cannot be destroyed',
    example: { name: 'talos', left: 2 },
  }),
})
