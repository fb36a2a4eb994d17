import { declareEvents } from '@kerf/provider-contract'
import { nodeClassEvents } from '@kerf/provider-kit'

/** The Events that this provider publishes, by reason. */
export const proxmoxEvents = declareEvents({
  InPlaceUpdateFailed: {
    type: 'Warning',
    about: ['NodeClaim'],
    when: 'Proxmox refuses to change the tags, the resource pool or the security groups of a running instance.',
  },
  ...nodeClassEvents('ProxmoxNodeClass'),
} as const)
