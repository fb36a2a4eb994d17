import { labels, type NodeClaim } from '@kerf/apis'
import { singleValues } from '@kerf/provider-contract'
import type { LaunchOption } from '../offerings/launch-options.ts'

/**
 * Returns the labels of an instance that was launched for the NodeClaim. Labels of the launched offering take precedence over the
 * requirements of the claim.
 */
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
