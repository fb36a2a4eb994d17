import { type Failure, type FailureClass, failureClassifier, readField, readTextField } from '@kerf/provider-kit'

/**
 * Failure classes by error code of Azure Resource Manager. The codes are those of
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors, and those that the `@azure/identity`
 * packages throw if there is no token.
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

/** The failure class by HTTP status (RFC 9110), for codes that the table does not contain. */
const byStatus: ReadonlyMap<number, FailureClass> = new Map([
  [401, 'credentials'],
  [403, 'unauthorized'],
  [404, 'not-found'],
  [429, 'rate-limited'],
])

const classify = failureClassifier(byCode, (thrown) => {
  const status = readField(thrown, 'status')
  return {
    codes: [readTextField(thrown, 'code'), readTextField(thrown, 'name')].filter((name) => name !== undefined),
    ...(typeof status === 'number' ? { status } : {}),
  }
})

/** Classifies any value that a call to Azure threw. */
export const classifyAzureFailure = (thrown: unknown): Failure => {
  const failure = classify(thrown)
  const status = readField(thrown, 'status')
  const said = failure.class === 'other' && typeof status === 'number' ? byStatus.get(status) : undefined
  return said === undefined ? failure : { ...failure, class: said }
}
