import { tryParseDuration } from '@kerf/apis'
import { PROXMOX_TAG } from '../names.ts'
import type { ProxmoxNodeClass } from './proxmox-node-class.ts'

/** Returns the problems of fields whose values Proxmox or the kubelet refuses. Karpenter's CRD accepts such values. */
export const classProblems = ({ spec }: Pick<ProxmoxNodeClass, 'spec'>): readonly string[] => {
  const { tags = [], securityGroups = [], kubeletConfiguration: kubelet = {} } = spec ?? {}
  return [
    ...tags
      .filter((tag) => !PROXMOX_TAG.test(tag))
      .map(
        (tag) =>
          `spec.tags: ${JSON.stringify(tag)} must have only letters, digits and "_-+.", and begin with none of "-+."`,
      ),
    ...securityGroups
      .filter(({ name }) => name.length < 2)
      .map(({ name }) => `spec.securityGroups: the name ${JSON.stringify(name)} must have at least two characters`),
    ...(['cpuCFSQuotaPeriod', 'shutdownGracePeriod'] as const).flatMap((field) => {
      const value = kubelet[field]
      return value === undefined || tryParseDuration(value) !== undefined
        ? []
        : [`spec.kubeletConfiguration.${field}: ${JSON.stringify(value)} must be a duration, for example "1m30s"`]
    }),
  ]
}
