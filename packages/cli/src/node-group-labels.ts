import { commonGroupLabels, type NodeGroupLabel } from '@kerf/apis'
import { knownProviders } from './providers.ts'

/** The labels with the name of a node's group, of all providers. A cluster may have groups of a cloud whose provider does not run. */
export const nodeGroupLabels: readonly NodeGroupLabel[] = [
  ...knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.nodes?.groupLabels ?? []),
  ...commonGroupLabels,
]
