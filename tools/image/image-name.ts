import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../source-files.ts'

/** The image that the chart runs. */
export interface ImageName {
  readonly repository: string
  readonly tag: string
  readonly digest: string
}

export const VALUES = 'deploy/charts/karpenter/values.yaml'

/**
 * Returns the name of the image. It is defined only in the chart's values, with the chart's `appVersion` as the tag. Manifests and
 * reference pages are generated from it, and a test compares guides and workflows with it (`tests/integration/install/image-name.test.ts`).
 */
export const imageName = (): ImageName => {
  const read = (file: string) => parse(readFileSync(join(root, file), 'utf8'))
  const { repository, tag, digest } = read(VALUES).controller.image as ImageName
  return { repository, tag: tag === '' ? String(read('deploy/charts/karpenter/Chart.yaml').appVersion) : tag, digest }
}

/** Returns `repository:tag@digest`, the form that a container's spec uses. */
export const imageReference = ({ repository, tag, digest }: ImageName): string =>
  `${repository}:${tag}${digest === '' ? '' : `@${digest}`}`

const DIGEST = /^sha256:[0-9a-f]{64}$/

/**
 * Replaces the checkout's image with the released one in values or manifests of the chart. Throws if the text does not contain the
 * checkout's image.
 */
export const stampedWith = (text: string, before: ImageName, released: Omit<ImageName, 'tag'>): string => {
  if (!DIGEST.test(released.digest))
    throw new Error(`${released.digest} is no digest: sha256: and 64 hexadecimal digits`)
  const replaced = (from: string, to: string): string => {
    if (text.split(from).length !== 2) throw new Error(`"${from.trim()}" must stand there exactly once`)
    return text.replace(from, () => to)
  }
  const image = `image: ${imageReference(before)}\n`
  if (text.includes(image)) return replaced(image, `image: ${imageReference({ ...before, ...released })}\n`)
  text = replaced(`    repository: ${before.repository}\n`, `    repository: ${released.repository}\n`)
  return replaced(`    digest: ${JSON.stringify(before.digest)}\n`, `    digest: ${released.digest}\n`)
}
