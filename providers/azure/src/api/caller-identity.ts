import { textFieldOf } from '@kerf/provider-kit'

/** Who a token is of, as far as it says so. */
export interface CallerIdentity {
  /** Of the user, service principal or managed identity: what roles are assigned to. */
  readonly objectId: string | undefined
  readonly clientId: string | undefined
  readonly tenant: string | undefined
}

/**
 * Reads the claims of an access token (https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference). They are
 * shown, and nothing is decided by them: who may read them is Azure's to say, and of a token in another form nothing is known.
 */
export const callerOf = (token: string): CallerIdentity => {
  const [, payload = ''] = token.split('.')
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
  } catch {
    claims = {}
  }
  return {
    objectId: textFieldOf(claims, 'oid'),
    clientId: textFieldOf(claims, 'appid'),
    tenant: textFieldOf(claims, 'tid'),
  }
}
