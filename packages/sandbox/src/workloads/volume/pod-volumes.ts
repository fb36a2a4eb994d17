import type { Pod } from '@kerf/apis'
import { templateHash } from '../../objects/template-hash.ts'

/** Returns the names of the claims that a pod mounts. The claim of an ephemeral volume is named after the pod and the volume. */
export const volumeClaimNames = (pod: Pod): string[] => {
  const names: string[] = []
  for (const volume of pod.spec.volumes ?? []) {
    if (volume.persistentVolumeClaim !== undefined) names.push(volume.persistentVolumeClaim.claimName)
    else if (volume.ephemeral !== undefined) names.push(`${pod.metadata.name}-${volume.name}`)
  }
  return names
}

/** Returns the name of the VolumeAttachment of a volume on a node. */
export const attachmentName = (volume: string, node: string): string =>
  `csi-${templateHash([volume, node])}${templateHash([node, volume])}`
