import { commonGroupLabels, type NodeGroupLabel } from '@kerf/apis'
import { knownProviders } from './providers.ts'

/**
 * The labels in which clouds store the name of a node's group. All providers contribute to the list, because a cluster can have node groups
 * of a cloud other than that of the active provider.
 */
export const nodeGroupLabels: readonly NodeGroupLabel[] = [
  ...knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.nodes?.groupLabels ?? []),
  ...commonGroupLabels,
]
