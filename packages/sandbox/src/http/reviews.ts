import type { Identity } from '../resources/request.ts'
import { cloneObject, ensureObject, type JsonObject, objectAt } from '../store/json.ts'

const everything = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]
const everyPath = [{ verbs: ['*'], nonResourceURLs: ['*'] }]

/**
 * Returns the response to a review of the caller's identity or permissions. Every authenticated client is an
 * administrator, so all access is allowed. Returns `undefined` if the resource is not a review.
 */
export const reviewResponse = (plural: string, body: JsonObject, identity: Identity): JsonObject | undefined => {
  const review = cloneObject(body)
  ensureObject(review, 'metadata')['creationTimestamp'] = null
  switch (plural) {
    case 'selfsubjectaccessreviews':
    case 'subjectaccessreviews':
    case 'localsubjectaccessreviews':
      review['status'] = { allowed: true, reason: 'the sandbox makes everybody an administrator' }
      return review
    case 'selfsubjectrulesreviews':
      review['status'] = { resourceRules: everything, nonResourceRules: everyPath, incomplete: false }
      return review
    case 'selfsubjectreviews':
      review['status'] = { userInfo: { username: identity.username, groups: [...identity.groups] } }
      return review
    case 'tokenreviews':
      review['status'] = {
        authenticated: objectAt(body, 'spec')?.['token'] !== undefined,
        user: { username: identity.username, groups: [...identity.groups] },
      }
      return review
    default:
      return undefined
  }
}
