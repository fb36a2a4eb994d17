/** A volume claim of a pod, with its CSI driver. Distinct claims count towards the node's volume limit for the driver. */
export interface VolumeUse {
  readonly driver: string
  readonly claim: string
}
