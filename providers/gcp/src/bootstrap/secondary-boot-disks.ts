import type { GCENodeClassSpec } from '../node-class/gce-node-class.ts'

type Disks = NonNullable<GCENodeClassSpec['disks']>

/** A disk with preloaded container images, which GKE mounts on the node. */
export interface SecondaryBootDisk {
  /** The last part of the image's path. */
  readonly name: string
  /** The mode of the disk. Empty if the node class specifies none. */
  readonly mode: string
}

/** Returns the name of an image without its path. */
const imageName = (image: string): string => image.split('/').at(-1) ?? ''

/** Returns the device name of a disk that Compute Engine created from the image. GKE finds the disk by this name. */
export const secondaryDeviceName = (image: string): string => `gke-${imageName(image)}-disk`

/**
 * Returns the disks of a node class that GKE mounts. Omits disks with the mode MODE_UNSPECIFIED, because GKE attaches but does not mount
 * them.
 */
export const secondaryBootDisks = (disks: Disks): readonly SecondaryBootDisk[] =>
  disks
    .filter(({ boot = false, secondaryBootImage = '', secondaryBootMode }) => {
      return !boot && secondaryBootImage !== '' && secondaryBootMode !== 'MODE_UNSPECIFIED'
    })
    .map(({ secondaryBootImage = '', secondaryBootMode = '' }) => ({
      name: imageName(secondaryBootImage),
      mode: secondaryBootMode,
    }))
