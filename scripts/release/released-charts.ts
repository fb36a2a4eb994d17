import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageName, stampedWith, VALUES } from '../image/image-name.ts'
import { root } from '../source-files.ts'

/** The image that a release runs, by the digest under which it was pushed. */
export interface ReleasedImage {
  readonly repository: string
  readonly digest: string
}

/**
 * Packs both charts. Their values name the image that was pushed; the checkout stays as it is.
 * @param helm the program
 * @throws Error when the digest is none, or Helm refuses
 */
export const packCharts = (image: ReleasedImage, helm: string, out: string): void => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-charts-'))
  try {
    cpSync(join(root, 'charts'), join(directory, 'charts'), { recursive: true })
    const values = stampedWith(readFileSync(join(root, VALUES), 'utf8'), imageName(), image)
    writeFileSync(join(directory, VALUES), values)
    for (const chart of ['karpenter', 'karpenter-crd'])
      execFileSync(helm, ['package', join(directory, 'charts', chart), '--destination', out], { encoding: 'utf8' })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
