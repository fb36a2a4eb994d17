import { type Failure, type FailureClass, failureClassifier, fieldOf, textFieldOf } from '@kerf/provider-kit'

/**
 * Classifies what Azure Resource Manager refused by its error code: those that
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors lists, and what the
 * packages of `@azure/identity` throw where they get no token.
 */
const byCode: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ['ResourceNotFound', 'not-found'],
  ['ResourceGroupNotFound', 'not-found'],
  ['NotFound', 'not-found'],
  ['AuthorizationFailed', 'unauthorized'],
  ['LinkedAuthorizationFailed', 'unauthorized'],
  ['RequestDisallowedByPolicy', 'unauthorized'],
  ['InvalidAuthenticationToken', 'credentials'],
  ['InvalidAuthenticationTokenTenant', 'credentials'],
  ['ExpiredAuthenticationToken', 'credentials'],
  ['AuthenticationFailed', 'credentials'],
  ['AuthenticationError', 'credentials'],
  ['AggregateAuthenticationError', 'credentials'],
  ['AuthenticationRequiredError', 'credentials'],
  ['CredentialUnavailableError', 'credentials'],
  ['SubscriptionNotFound', 'account'],
  ['SubscriptionNotRegistered', 'account'],
  ['MissingSubscriptionRegistration', 'account'],
  ['ReadOnlyDisabledSubscription', 'account'],
  ['TooManyRequests', 'rate-limited'],
  ['OperationThrottled', 'rate-limited'],
])

/** For codes that the table does not know: what the status says by itself (RFC 9110). */
const byStatus: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'credentials'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [429, 'rate-limited'],
])

const classify = failureClassifier(byCode, (thrown) => {
  const status = fieldOf(thrown, 'status')
  return {
    codes: [textFieldOf(thrown, 'code'), textFieldOf(thrown, 'name')].filter((name) => name !== undefined),
    ...(typeof status === 'number' ? { status } : {}),
  }
})

/** Whatever was thrown by a call to Azure, as a failure. */
export const azureFailureOf = (thrown: unknown): Failure => {
  const failure = classify(thrown)
  const status = fieldOf(thrown, 'status')
  const said = failure.class === 'other' && typeof status === 'number' ? byStatus.get(status) : undefined
  return said === undefined ? failure : { ...failure, class: said }
}
