import { labels } from '@kerf/apis'
import { gcpLabels } from '../label-names.ts'
import type { SelectedImage } from './image-sources.ts'

type Requirements = SelectedImage['requirements']

const archIs = (arch: 'amd64' | 'arm64') => ({ key: labels.arch, operator: 'In', values: [arch] })

/** Requirements of images, sorted by the length of the key, as upstream writes them. */
export const imageRequirements = {
  arch: (arch: 'amd64' | 'arm64'): Requirements => [archIs(arch)],
  withoutGpus: (arch: 'amd64' | 'arm64'): Requirements => [
    archIs(arch),
    { key: gcpLabels.gpuCount, operator: 'DoesNotExist' },
  ],
  withGpus: (arch: 'amd64' | 'arm64'): Requirements => [archIs(arch), { key: gcpLabels.gpuCount, operator: 'Exists' }],
} as const
