import { labels, type NodeClaim } from '@kerf/apis'
import { singleValues } from '@kerf/provider-contract'
import type { LaunchOption } from '../offerings/launch-options.ts'

/** The labels of an instance that the claim is launched as. What is bought counts more than what was asked for. */
export const launchedLabels = (
  { metadata, spec }: NodeClaim,
  { type, offering }: LaunchOption,
): Readonly<Record<string, string>> => ({
  ...metadata.labels,
  ...singleValues(spec.requirements),
  ...singleValues(type.requirements),
  ...singleValues(offering.requirements),
  [labels.instanceType]: type.name,
})
