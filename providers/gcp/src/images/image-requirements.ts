import { labels } from '@kerf/apis'
import { gcpLabels } from '../label-names.ts'
import type { SelectedImage } from './image-sources.ts'

type Requirements = SelectedImage['requirements']

const archIs = (arch: 'amd64' | 'arm64') => ({ key: labels.arch, operator: 'In', values: [arch] })

/** The requirements for each kind of image. Like in upstream, they are sorted by the length of the key. */
export const imageRequirements = {
  arch: (arch: 'amd64' | 'arm64'): Requirements => [archIs(arch)],
  withoutGpus: (arch: 'amd64' | 'arm64'): Requirements => [
    archIs(arch),
    { key: gcpLabels.gpuCount, operator: 'DoesNotExist' },
  ],
  withGpus: (arch: 'amd64' | 'arm64'): Requirements => [archIs(arch), { key: gcpLabels.gpuCount, operator: 'Exists' }],
} as const
