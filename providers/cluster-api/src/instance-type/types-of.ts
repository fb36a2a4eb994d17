import type { Member } from '../members/member.ts'
import { deploymentOffer } from './deployment-offer.ts'
import { type MergedTypes, mergedTypes } from './merged-types.ts'

/** The instance types of a class's members (`docs/spec/cluster-api.md#instance-types`). Pure; the same members give equal types. */
export const typesOf = (members: readonly Member[]): MergedTypes =>
  mergedTypes(members.map(({ deployment, mayLaunch }) => deploymentOffer(deployment, mayLaunch)))
