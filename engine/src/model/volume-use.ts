/** Distinct claims of a pod by CSI driver: what counts towards a node's volume limit. */
export interface VolumeUse {
  readonly driver: string
  readonly claim: string
}
