import type { ProviderVocabulary } from '@kerf/apis'
import { PROXMOX_GROUP, proxmoxLabels } from './label-names.ts'

/** The labels of Proxmox, in addition to the standard ones (`providers/proxmox/docs/spec/proxmox.md#labels-identity`). */
export const proxmoxVocabulary: ProviderVocabulary = {
  wellKnown: Object.values(proxmoxLabels),
  restrictedDomains: [PROXMOX_GROUP],
  unrestricted: [],
  aliases: [],
  knownValues: [],
  wellKnownResources: [],
}
