import { hashText } from '@kerf/apis'
import type { ProxmoxTemplateSpec } from '../node-class/proxmox-template.ts'

type SourceImage = ProxmoxTemplateSpec['sourceImage']

/** Matches the file extensions that Proxmox accepts for disk images. */
const IMPORTABLE = /\.(?:qcow2|raw|vmdk)$/

/** Returns the file name of the source image: `imageName`, or the last part of the URL. */
const sourceName = ({ url, imageName }: SourceImage): string =>
  imageName ?? decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')

/**
 * Returns the file name of an image in Proxmox. The name contains a hash of the URL, so each URL has its own file
 * (`providers/proxmox/docs/spec/proxmox.md#hashes`).
 */
export const imageFile = (image: SourceImage): string => {
  const name = sourceName(image)
  const dot = name.indexOf('.')
  const [stem, ending] = dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)]
  return `${stem}-${hashText(image.url)}${ending}`
}

/** Returns the reason why Proxmox cannot use the image, or undefined if it can. */
export const imageProblem = (image: SourceImage): string | undefined => {
  if (!IMPORTABLE.test(imageFile(image)))
    return `spec.sourceImage: the file ${JSON.stringify(sourceName(image))} must end with .qcow2, .raw or .vmdk; set imageName`
  return (image.checksum === undefined) === (image.checksumType === undefined)
    ? undefined
    : 'spec.sourceImage: checksum and checksumType need each other'
}
