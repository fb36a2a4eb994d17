import { fieldsAt } from './read.ts'

const ANNOTATION = 'kerf.sh/launched-for'

/**
 * Returns the owners whose expected pods the NodeClaim was launched for, such as `ReplicaSet shop/web`. Empty for any other
 * NodeClaim.
 */
export const launchedFor = (claim: unknown): readonly string[] => {
  const value = fieldsAt(claim, 'metadata', 'annotations')[ANNOTATION]
  if (typeof value !== 'string' || value === '') return []
  return value.split(',').map((owner) => owner.replace('/', ' '))
}
