import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartCrdFiles } from '../../packages/cli/src/crds/crd-files.ts'

/** Writes the folder `crds` into a copy of the `karpenter` chart. Helm installs the files in that folder but never updates them. */
export const writeChartCrds = (chart: string): void => {
  mkdirSync(join(chart, 'crds'), { recursive: true })
  for (const { fileName, yaml } of chartCrdFiles()) writeFileSync(join(chart, 'crds', fileName), yaml)
}
