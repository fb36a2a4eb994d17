import { commonGroupLabels, type NodeGroupLabel } from '@kerf/apis'
import { knownProviders } from './providers.ts'

/**
 * The labels in which the clouds of all providers store the name of a node's group. A cluster can have node groups of another cloud than
 * the provider that runs.
 */
export const nodeGroupLabels: readonly NodeGroupLabel[] = [
  ...knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.nodes?.groupLabels ?? []),
  ...commonGroupLabels,
]
