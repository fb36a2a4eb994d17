import { commonGroupLabels, type NodeGroupLabel } from '@kerf/apis'
import { knownProviders } from './providers.ts'

/**
 * The labels of all providers that contain the name of a node's group. A cluster can have node groups of a cloud other than the
 * provider that runs.
 */
export const nodeGroupLabels: readonly NodeGroupLabel[] = [
  ...knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.nodes?.groupLabels ?? []),
  ...commonGroupLabels,
]
