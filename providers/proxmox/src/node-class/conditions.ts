import type { ConditionMeanings, ConditionSet } from '@kerf/apis'

/**
 * The conditions of ProxmoxNodeClass. Karpenter's provider uses the same two conditions. So a cluster can switch from Karpenter to Kerf and
 * back.
 */
export const proxmoxNodeClassConditions = {
  dependents: ['InstanceTemplateReady', 'InstanceMetadataOptionsReady'],
  independent: [],
} as const satisfies ConditionSet

/** The meaning of each condition, for its reference page. */
export const proxmoxNodeClassMeanings: ConditionMeanings = {
  InstanceTemplateReady: {
    isTrue:
      'at least one hypervisor has the template, its storage and its bridges; the message names those that lack something',
    otherwise:
      '`TemplateNotFound`: no hypervisor has the template. `TemplateUnusable`: the message says what each hypervisor lacks. Unknown: Proxmox did not answer',
  },
  InstanceMetadataOptionsReady: {
    isTrue: 'the class needs no cloud-init disk, or its Secrets and templates can be used',
    otherwise:
      '`CloudInitDisabled`: metadataOptions.type is cdrom, and PROXMOX_CLOUD_INIT does not allow it. `MetadataOptionsInvalid`: the message names the Secret, or the template and the line',
  },
}

/** The condition of templates. Karpenter's provider uses the same one. */
export const templateConditions = {
  dependents: ['ProxmoxVirtualMachineTemplateReady'],
  independent: [],
} as const satisfies ConditionSet
