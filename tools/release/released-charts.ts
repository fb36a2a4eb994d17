import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { imageName, stampedWith, VALUES } from '../image/image-name.ts'
import { root } from '../source-files.ts'
import { writeChartCrds } from './chart-crds.ts'

/** The image of a release, identified by the digest of the pushed image. */
export interface ReleasedImage {
  readonly repository: string
  readonly digest: string
}

/**
 * Packages both charts. Their values refer to the pushed image, and `karpenter` gets its folder `crds`. The checkout is not changed.
 * @param helm the path of Helm
 * @throws Error if the digest is invalid, or if Helm refuses a chart
 */
export const packCharts = (image: ReleasedImage, helm: string, out: string): void => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-charts-'))
  try {
    cpSync(join(root, 'deploy', 'charts'), join(directory, 'deploy', 'charts'), { recursive: true })
    const values = stampedWith(readFileSync(join(root, VALUES), 'utf8'), imageName(), image)
    writeFileSync(join(directory, VALUES), values)
    writeChartCrds(join(directory, 'deploy', 'charts', 'karpenter'))
    for (const chart of ['karpenter', 'karpenter-crd'])
      execFileSync(helm, ['package', join(directory, 'deploy', 'charts', chart), '--destination', out], {
        encoding: 'utf8',
      })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
